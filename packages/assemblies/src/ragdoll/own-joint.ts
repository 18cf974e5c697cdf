/** Joints that a file says of its bones (URDF, MJCF, rigs of `@tautline/ik`), read into frames and ranges. */

import { finite, finiteVector, knownFields, object, oneOf, unitQuaternion, unitVector } from '@tautline/core/kernel'
import type { JointDef, RangeDef } from '@tautline/ik'
import { cross, frameOf, fromTo, type Quat, type Vec3 } from './algebra.js'

/** Joint of a bone that its file says, its frame in the bone's rigid frame. */
export interface OwnJoint {
  readonly kind: JointDef['kind']
  readonly frame: Quat
  /** As of a rig: of hinge and slider; of α and β; of swing y, swing z, twist. */
  readonly limits: readonly number[]
  readonly cone: boolean
}

const KINDS = ['ball', 'hinge', 'universal', 'slider', 'locked'] as const
const FIELDS: Readonly<Record<JointDef['kind'], readonly string[]>> = {
  ball: ['axis', 'frame', 'swing', 'swingShape', 'twist', 'preferred'],
  hinge: ['axis', 'limits', 'preferred'],
  universal: ['axisA', 'axisB', 'limitsA', 'limitsB'],
  slider: ['axis', 'limits', 'preferred'],
  locked: [],
}

/** Reads a definition; `along` is the bone's own direction. Throws `TypeError`/`RangeError`, with `where` before it. */
export function readJoint(where: string, def: JointDef, along: Vec3): OwnJoint {
  oneOf(`${where}: joint: kind`, object(`${where}: joint`, def)['kind'], KINDS)
  knownFields(`${where}: joint`, def, ['kind', 'stiffness', ...FIELDS[def.kind]])
  switch (def.kind) {
    case 'locked':
      return { kind: 'locked', frame: [0, 0, 0, 1], limits: [], cone: false }
    case 'ball': {
      const frame =
        def.frame === undefined
          ? frameAlong(`${where}: axis`, def.axis ?? along)
          : unitQuaternion(`${where}: frame`, def.frame)
      const limits = [...range(`${where}: swing.y`, def.swing?.y), ...range(`${where}: swing.z`, def.swing?.z)]
      limits.push(...range(`${where}: twist`, def.twist))
      return { kind: 'ball', frame: [frame[0], frame[1], frame[2], frame[3]], limits, cone: def.swingShape === 'cone' }
    }
    case 'universal': {
      const a = unitVector(`${where}: axisA`, def.axisA) as Vec3
      const b = unitVector(`${where}: axisB`, def.axisB) as Vec3
      // x is the parent's axis, z the bone's.
      const limits = [...range(`${where}: limitsA`, def.limitsA), ...range(`${where}: limitsB`, def.limitsB)]
      return { kind: 'universal', frame: frameOf(a, cross(b, a)), limits, cone: false }
    }
    case 'hinge':
    case 'slider': {
      const frame = frameAlong(`${where}: axis`, def.axis)
      return { kind: def.kind, frame, limits: range(`${where}: limits`, def.limits), cone: false }
    }
  }
}

function frameAlong(where: string, axis: ArrayLike<number>): Quat {
  finiteVector(where, axis, 3)
  return fromTo([1, 0, 0], unitVector(where, axis) as Vec3, [0, 0, 1])
}

function range(where: string, def: RangeDef | undefined): [number, number] {
  const { min = -Infinity, max = Infinity } = def ?? {}
  if (min !== -Infinity) finite(`${where}.min`, min)
  if (max !== Infinity) finite(`${where}.max`, max)
  if (min > max) throw new RangeError(`${where}: min must be <= max, got min ${min} and max ${max}`)
  return [min, max]
}
