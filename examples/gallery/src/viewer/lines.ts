/** Instanced lines of points that are no bodies: beads, sticks and tubes, as something that bindings bring up to date. */

import type { Updatable } from '@tautline/three'
import {
  type BufferGeometry,
  CylinderGeometry,
  InstancedMesh,
  type Material,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three'
import type { Part } from '../parts.js'

type LinePart = Extract<Part, { kind: 'beads' | 'sticks' | 'tube' }>

const UP = new Vector3(0, 1, 0)

/** Balls at points, or round sticks between them. */
export class Lines implements Updatable {
  readonly mesh: InstancedMesh
  private readonly part: LinePart
  /** Where they are now [m]. */
  readonly points: Float64Array
  private readonly geometry: BufferGeometry

  constructor(part: LinePart, material: Material) {
    this.part = part
    const { kind, count, radius } = part
    this.points = new Float64Array(kind === 'sticks' ? 6 * count : 3 * count)
    this.geometry =
      kind === 'beads' ? new SphereGeometry(radius, 20, 14) : new CylinderGeometry(radius, radius, 1, 10, 1, true)
    this.mesh = new InstancedMesh(this.geometry, material, kind === 'tube' ? count - 1 : count)
    this.mesh.frustumCulled = false
    this.update(1)
  }

  update(alpha = 1): void {
    const { part, points, mesh } = this
    part.write(points, alpha)
    for (let k = 0; k < mesh.count; k++) {
      if (part.kind === 'beads') {
        MATRIX.makeTranslation(points[3 * k], points[3 * k + 1], points[3 * k + 2])
      } else {
        const o = part.kind === 'sticks' ? 6 * k : 3 * k
        FROM.fromArray(points, o)
        TO.fromArray(points, o + 3)
        WAY.subVectors(TO, FROM)
        const length = WAY.length()
        TURN.setFromUnitVectors(UP, length > 0 ? WAY.divideScalar(length) : UP)
        MATRIX.compose(FROM.add(TO).multiplyScalar(0.5), TURN, SCALE.set(1, Math.max(length, 1e-9), 1))
      }
      mesh.setMatrixAt(k, MATRIX)
    }
    mesh.instanceMatrix.needsUpdate = true
  }

  dispose(): void {
    this.geometry.dispose()
    this.mesh.dispose()
  }
}

const MATRIX = new Matrix4()
const FROM = new Vector3()
const TO = new Vector3()
const WAY = new Vector3()
const TURN = new Quaternion()
const SCALE = new Vector3()
