/** Geometry of forms: made once for each, shared by all that look alike. */

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  LatheGeometry,
  SphereGeometry,
  Vector2,
} from 'three'
import type { Triple } from '../exhibit.js'
import type { Form } from '../parts.js'

/** Geometries of one picture. */
export class Forms {
  private readonly made = new Map<string, BufferGeometry>()

  of(form: Form): BufferGeometry {
    const key = JSON.stringify(form)
    let geometry = this.made.get(key)
    if (geometry === undefined) this.made.set(key, (geometry = geometryOf(form)))
    return geometry
  }

  dispose(): void {
    for (const geometry of this.made.values()) geometry.dispose()
    this.made.clear()
  }
}

function geometryOf(form: Form): BufferGeometry {
  switch (form.kind) {
    case 'box':
      return new BoxGeometry(2 * form.half[0], 2 * form.half[1], 2 * form.half[2])
    case 'sphere':
      return new SphereGeometry(form.radius, 28, 18)
    case 'capsule':
      return new CapsuleGeometry(form.radius, 2 * form.half, 8, 18)
    case 'cylinder':
      return new CylinderGeometry(form.radius, form.radius, 2 * form.half, 32)
    case 'taper':
      return taper(form.top, form.bottom, form.half)
    case 'sheet':
      return sheet(form.positions, form.indices)
    case 'hull':
      return hull(form.faces)
  }
}

/** The hull of two balls on y, turned about it. */
function taper(top: number, bottom: number, half: number): BufferGeometry {
  const slope = (bottom - top) / (2 * half)
  const points: Vector2[] = []
  const STEPS = 10
  const limit = Math.asin(slope)
  for (let k = 0; k <= STEPS; k++) {
    const angle = -0.5 * Math.PI + ((limit + 0.5 * Math.PI) * k) / STEPS
    points.push(new Vector2(bottom * Math.cos(angle), -half + bottom * Math.sin(angle)))
  }
  for (let k = 0; k <= STEPS; k++) {
    const angle = limit + ((0.5 * Math.PI - limit) * k) / STEPS
    points.push(new Vector2(Math.max(0, top * Math.cos(angle)), half + top * Math.sin(angle)))
  }
  return new LatheGeometry(points, 24)
}

/** Smooth triangles. */
function sheet(positions: readonly number[], indices: readonly number[]): BufferGeometry {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3))
  geometry.setIndex([...indices])
  geometry.computeVertexNormals()
  return geometry
}

/** Flat faces: corners are not shared, so that edges stay sharp. */
function hull(faces: readonly (readonly Triple[])[]): BufferGeometry {
  const positions: number[] = []
  for (const face of faces) {
    for (let k = 2; k < face.length; k++) positions.push(...face[0], ...face[k - 1], ...face[k])
  }
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3))
  geometry.computeVertexNormals()
  return geometry
}
