/** Arbitraries of definitions of constraints on points, lengths and shapes, without their bodies. */

import fc, { type Arbitrary } from 'fast-check'
import { decades, direction, merged, real, record, some, vector } from './numbers.js'

type Definitions = Arbitrary<Record<string, unknown>>
type Mode = 'rigid' | 'rope' | 'strut'

/** Softness by one of the ways to say it, or none. */
export function softness(): Arbitrary<object> {
  const damping = some({ damping: real(0, 10) })
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 1, arbitrary: merged(record({ compliance: decades(1e-6, 1e-2) }), damping) },
    { weight: 1, arbitrary: merged(record({ stiffness: decades(100, 1e5) }), damping) },
    {
      weight: 1,
      arbitrary: merged(record({ frequency: real(1, 20, 1) }), some({ dampingRatio: real(0, 2, 1) })),
    },
  )
}

/** Fields of every type. */
function common(): Definitions {
  return merged(softness(), some({ relaxation: real(0.3, 1, 1), regularization: real(0, 0.01) }))
}

export function distances(mode: Mode, isAnchored: boolean = false): Definitions {
  const anchors = isAnchored ? record({ anchorA: vector(0.5), anchorB: vector(0.5) }) : fc.constant({})
  return merged(fc.constant({ mode }), some({ length: real(0.3, 2, 1) }), anchors, common())
}

export function lineDistances(mode: Mode): Definitions {
  return merged(distances(mode), some({ direction: vector() }))
}

export function ballSockets(form: 'scalar' | 'block'): Definitions {
  const point = fc.oneof(record({ point: vector() }), record({ anchorA: vector(0.5) }))
  return merged(fc.constant({ form }), point, common())
}

/** Along its line, or of no length, which holds a point. */
export function springs(isPoint: boolean = false): Definitions {
  const gains = record({ stiffness: real(0, 1e4, 100), damping: real(0, 20) })
  const shape = isPoint
    ? record({ length: fc.constant(0), anchorB: vector(0.5) })
    : record({ length: real(0.1, 2, 1), anchorA: vector(0.5) })
  return merged(gains, shape)
}

/** To a point of the world, which may move. */
export function pointDrives(): Definitions {
  return merged(
    record({ stiffness: real(0, 1e4, 100), damping: real(1, 20), point: vector(0.5), target: vector() }),
    some({ velocityTarget: vector(), maxForce: real(1, 500) }),
  )
}

/** Apart, or up to 0.1 m deep. */
export function contacts(rubs: boolean): Definitions {
  const place = record({ normal: direction(), pointB: vector(0.5), depth: real(-0.05, 0.1) }).map(
    ({ normal, pointB, depth }) => ({
      normal,
      pointB,
      pointA: pointB.map((x, k) => x - depth * normal[k]),
      maxPushOut: Infinity,
    }),
  )
  const friction = rubs ? record({ staticFriction: real(0.5, 1, 0.5), dynamicFriction: real(0, 0.5) }) : fc.constant({})
  return merged(place, friction, common())
}

export function pins(): Definitions {
  return merged(some({ anchorB: vector(0.5) }), common())
}

/** On two bodies, or from a body to a point of the world. */
export function tethers(): Definitions {
  const lengths = record({ length: real(0.2, 1.5, 1), stretch: real(0, 0.2) })
  const ends: readonly Arbitrary<object>[] = [
    fc.constant({}),
    record({ point: vector() }),
    record({ b: fc.constant(null), point: vector() }),
  ]
  return merged(lengths, fc.oneof(...ends), common())
}

export function ropeLengths(): Definitions {
  return merged(some({ length: real(3.9, 5.5, 4) }), record({ mode: fc.constantFrom('rigid', 'rope') }), common())
}

/** Two bodies hold to two others, with weights and lever arms. */
export function attachments(): Definitions {
  const sides = record({ u: real(0, 1), v: real(0, 1) }).map(({ u, v }) => ({
    count: 2,
    weights: [u, 1 - u, v, 1 - v],
  }))
  return merged(sides, common())
}

export function tetraVolumes(): Definitions {
  return common()
}

export function dihedralBends(): Definitions {
  return merged(some({ angle: real(-1, 1) }), common())
}

export function pulleys(): Definitions {
  const way = record({
    path: fc.constant([0, 1, 2, 1, 3]),
    anchors: fc.array(real(-0.2, 0.2), { minLength: 15, maxLength: 15 }),
  })
  return merged(way, some({ mode: fc.constantFrom('rope', 'rigid') }), common())
}

export function lineBends(): Definitions {
  return merged(some({ rest: real(0.2, 1, 0.5) }), common())
}

export function isometricBends(): Definitions {
  return merged(some({ rest: real(0.2, 1, 0.5) }), common())
}

/** Without the softness that others take: its own is that of the material. */
export function neoHookeans(): Definitions {
  const own = record({ youngsModulus: decades(1e2, 1e6) })
  const rest = some({ poissonRatio: real(0, 0.49), damping: real(0, 0.1) })
  return merged(own, rest, some({ relaxation: real(0.3, 1, 1), regularization: real(0, 0.01) }))
}

/** The skin of a tetrahedron. */
export function enclosedVolumes(): Definitions {
  const triangles = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]
  return merged(record({ triangles: fc.constant(triangles) }), some({ pressure: real(0.5, 2, 1) }), common())
}

export function shapeMatchings(): Definitions {
  const plasticity = some({ plasticity: some({ yield: real(0, 0.5), creep: real(0, 20), max: real(0, 1) }) })
  return merged(plasticity, common())
}
