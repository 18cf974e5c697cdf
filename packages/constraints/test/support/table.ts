/** Every constraint type, with random definitions of it: what tests of other packages run over. */

import type { Body, BodyDef, ConstraintType, CustomBody } from '@tautline/core'
import type { Random } from '../../../core/test/support/random.js'
import {
  attachment,
  ballSocket,
  enclosedVolume,
  neoHookean,
  pointContact,
  dihedralBend,
  distance,
  lineDistance,
  force,
  type ForceBody,
  isometricBend,
  lineBend,
  pin,
  tether,
  pointDrive,
  ropeLength,
  shapeMatching,
  spring,
  tetraVolume,
} from '../../src/index.js'
import { JOINTS } from '../joints/support.js'

/** A definition without its bodies. */
export type Fields = Record<string, unknown>

export interface Entry {
  name: string
  type: ConstraintType<object>
  /** Where its bodies are before they are disturbed; two of them are a pair `{ a, b }`, unless `many`. */
  places: readonly (readonly [number, number, number])[]
  many?: boolean
  /** Whether a body may be a particle. */
  particles?: boolean
  /** Whether `a`, and whether `b`, may be the world. @defaultValue true */
  world?: readonly [boolean, boolean]
  def(random: Random, bodies: readonly (Body | null)[]): Fields
  /** Whether it converges in its own time: zigzag between unequal directions, long levers between two blocks. */
  slow?: boolean
  /** Whether its loop repairs a rigid row at a bounded rate only, which `evaluate` does not know: rigid rows are not compared. */
  bounded?: boolean
  /** What makes of a definition one that has to be met exactly; `undefined` where nothing has. */
  rigid?: ((def: Fields) => Fields) | undefined
  /** Whether something in the definition is fixed in the world. @defaultValue false */
  worldFrame?: boolean
}

function entry<Def extends object>(
  type: ConstraintType<Def, never> | ConstraintType<Def>,
  rest: Omit<Entry, 'type' | 'name'> & { name?: string },
): Entry {
  return { name: type.name, ...rest, type: type as unknown as ConstraintType<object> }
}

const PAIR = [
  [0, 0, 0],
  [1, 0.5, 0.3],
] as const
/** Two triangles on an edge, folded; also a tetrahedron of some volume. */
const QUAD = [
  [0, 0, 0],
  [1, 0, 0],
  [0.5, 0.9, 0.2],
  [0.4, -0.8, 0.4],
] as const
/** One that no disturbance makes flat. */
const TETRAHEDRON = [
  [0, 0, 0],
  [1, 0, 0],
  [0.4, 0.9, 0.1],
  [0.5, 0.3, 0.9],
] as const
const ROPE = [
  [0, 0, 0],
  [1, 0.3, 0],
  [2, -0.4, 0.3],
  [3, 0.2, -0.5],
  [4, 0, 0.4],
] as const

/** Softness by one of the ways to say it, or none. */
export function softness(random: Random): Fields {
  const damping = random.chance(0.5) ? { damping: random.between(0, 10) } : {}
  const kind = random.below(5)
  if (kind === 0) return { compliance: random.between(1e-6, 1e-2), ...damping }
  if (kind === 1) return { stiffness: random.between(100, 1e5), ...damping }
  if (kind === 2)
    return { frequency: random.between(1, 20), ...(random.chance(0.5) && { dampingRatio: random.between(0, 2) }) }
  return {}
}

/** Fields that every type takes. */
function common(random: Random): Fields {
  return {
    ...(random.chance(0.3) && { relaxation: random.between(0.3, 1) }),
    ...(random.chance(0.3) && { regularization: random.between(0, 0.01) }),
  }
}

const SOFT = ['compliance', 'stiffness', 'frequency', 'dampingRatio', 'damping', 'angularCompliance', 'angularDamping']
const LOOSE = [...SOFT, 'relaxation', 'regularization', 'drive', 'driveA', 'driveB', 'frictionTorque', 'frictionForce']

/** Without softness, motors and friction; also inside limits. */
function hard(def: Fields): Fields {
  const kept = Object.entries(def).filter(([field]) => !LOOSE.includes(field))
  return Object.fromEntries(
    kept.map(([field, value]) => {
      const isNested = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
      return [field, isNested ? hard(value as Fields) : value]
    }),
  )
}

/** Attraction with drag between two bodies' points, and a torque of its own: something of every column of K. */
function law(bodies: readonly CustomBody[], rate: number): number[] {
  const [p, q] = [bodies[0].point([0.1, 0.2, 0]), bodies[1].point([0, -0.1, 0.3])]
  return p.map((x, k) => rate * (q[k] - x) * (1 + 0.1 * x * x))
}

const pull = force<{ rate: number }>({
  name: 'pull',
  bodies: 2,
  force(bodies: readonly ForceBody[], _h, out, { rate }) {
    const f = law(bodies, rate)
    const v = bodies.map((body) => body.velocityAt([0.1, 0, 0]))
    const [x, y, z] = f.map((value, k) => value - 0.5 * (v[0][k] - v[1][k]))
    out.force(0, x, y, z)
    out.force(1, -x, -y, -z)
    out.torque(0, 0.1 * y, -0.2 * x, 0.05 * z)
  },
})

const limbs = JOINTS.map(({ name, type, def }) => {
  const isDrive = type.name === 'angularDrive'
  return entry(type as unknown as ConstraintType<object>, {
    name,
    places: PAIR,
    worldFrame: isDrive,
    slow: true,
    def: (random) => ({ ...def(random), ...(!isDrive && common(random)) }),
    rigid: isDrive ? undefined : hard,
  })
})

export const TABLE: readonly Entry[] = [
  ...(['rigid', 'rope', 'strut'] as const).flatMap((mode) =>
    [false, true].map((isAnchored) =>
      entry(distance, {
        name: `distance ${mode}, ${isAnchored ? 'anchored' : 'centres'}`,
        places: PAIR,
        particles: true,
        ...(!isAnchored && { world: [true, true] }),
        def: (random) => ({
          mode,
          ...(random.chance(0.6) && { length: random.between(0.3, 2) }),
          ...(isAnchored && { anchorA: random.vector(0.5), anchorB: random.vector(0.5) }),
          ...softness(random),
          ...common(random),
        }),
        rigid: hard,
      }),
    ),
  ),
  ...(['rigid', 'rope', 'strut'] as const).map((mode) =>
    entry(lineDistance, {
      name: `lineDistance ${mode}`,
      places: PAIR,
      particles: true,
      def: (random) => ({
        mode,
        ...(random.chance(0.6) && { length: random.between(0.3, 2) }),
        ...(random.chance(0.5) && { direction: random.vector() }),
        ...softness(random),
        ...common(random),
      }),
      rigid: hard,
    }),
  ),
  ...(['scalar', 'block'] as const).map((form) =>
    entry(ballSocket, {
      name: `ballSocket ${form}`,
      slow: form === 'scalar',
      places: PAIR,
      particles: true,
      def: (random) => ({
        form,
        ...(random.chance(0.5) ? { point: random.vector() } : { anchorA: random.vector(0.5) }),
        ...softness(random),
        ...common(random),
      }),
      rigid: hard,
    }),
  ),
  ...limbs,
  entry(spring, {
    name: 'spring along its line',
    places: PAIR,
    particles: true,
    def: (random) => ({
      stiffness: random.between(0, 1e4),
      damping: random.between(0, 20),
      length: random.between(0.1, 2),
      anchorA: random.vector(0.5),
    }),
  }),
  entry(spring, {
    name: 'spring of no length',
    places: PAIR,
    particles: true,
    def: (random) => ({
      stiffness: random.between(0, 1e4),
      damping: random.between(0, 20),
      length: 0,
      anchorB: random.vector(0.5),
    }),
  }),
  ...[false, true].map((rubs) =>
    entry(pointContact, {
      name: rubs ? 'pointContact with friction' : 'pointContact',
      places: PAIR,
      particles: true,
      def: (random) => {
        const normal = random.direction()
        const pointB = random.vector(0.5)
        const depth = random.between(-0.05, 0.1)
        return {
          normal,
          pointB,
          pointA: [0, 1, 2].map((k) => pointB[k] - depth * normal[k]),
          maxPushOut: Infinity,
          ...(rubs && { staticFriction: random.between(0.5, 1), dynamicFriction: random.between(0, 0.5) }),
          ...softness(random),
          ...common(random),
        }
      },
      rigid: (def) => hard({ ...def, staticFriction: 0, dynamicFriction: 0 }),
    }),
  ),
  entry(tether, {
    places: PAIR,
    particles: true,
    world: [false, true],
    def: (random, [, b]) => ({
      ...((b === null || random.chance(0.5)) && { point: random.vector() }),
      length: random.between(0.2, 1.5),
      stretch: random.between(0, 0.2),
      ...softness(random),
      ...common(random),
    }),
    rigid: hard,
  }),
  entry(pointDrive, {
    places: [[0, 0, 0]],
    many: true,
    particles: true,
    worldFrame: true,
    def: (random) => ({
      point: random.vector(0.5),
      target: random.vector(),
      stiffness: random.between(0, 1e4),
      damping: random.between(1, 20),
      ...(random.chance(0.5) && { velocityTarget: random.vector() }),
      ...(random.chance(0.5) && { maxForce: random.between(1, 500) }),
    }),
  }),
  entry(ropeLength, {
    places: ROPE,
    many: true,
    particles: true,
    def: (random) => ({
      ...(random.chance(0.5) && { length: random.between(3.9, 5.5) }),
      mode: random.chance(0.5) ? 'rope' : 'rigid',
      ...softness(random),
      ...common(random),
    }),
    rigid: hard,
  }),
  entry(tetraVolume, {
    places: QUAD,
    many: true,
    particles: true,
    def: (random) => ({ ...softness(random), ...common(random) }),
    rigid: hard,
  }),
  entry(attachment, {
    places: QUAD,
    many: true,
    particles: true,
    def: (random) => {
      const [u, v] = [random.next(), random.next()]
      const anchors = random.chance(0.5) ? Array.from({ length: 12 }, () => random.between(-0.3, 0.3)) : undefined
      const where = anchors === undefined ? {} : { anchors }
      return { count: 2, weights: [u, 1 - u, v, 1 - v], ...where, ...softness(random), ...common(random) }
    },
    rigid: hard,
  }),
  entry(enclosedVolume, {
    places: TETRAHEDRON,
    many: true,
    particles: true,
    def: (random) => ({
      triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
      ...(random.chance(0.5) && { pressure: random.between(0.5, 2) }),
      ...softness(random),
      ...common(random),
    }),
    rigid: hard,
  }),
  entry(neoHookean, {
    places: TETRAHEDRON,
    many: true,
    particles: true,
    def: (random) => ({
      youngsModulus: 10 ** random.between(2, 5),
      ...(random.chance(0.5) && { poissonRatio: random.between(0, 0.49) }),
      ...(random.chance(0.5) && { damping: random.between(0, 0.1) }),
      ...common(random),
    }),
  }),
  entry(shapeMatching, {
    places: TETRAHEDRON,
    many: true,
    particles: true,
    def: (random) => ({
      ...(random.chance(0.5) && { plasticity: { yield: random.between(0, 0.5) } }),
      ...softness(random),
      ...common(random),
    }),
    rigid: hard,
  }),
  entry(dihedralBend, {
    places: QUAD,
    many: true,
    particles: true,
    def: (random) => ({
      ...(random.chance(0.5) && { angle: random.between(-1, 1) }),
      ...softness(random),
      ...common(random),
    }),
    bounded: true,
    rigid: hard,
  }),
  entry(isometricBend, {
    places: QUAD,
    many: true,
    particles: true,
    def: (random) => ({
      ...(random.chance(0.5) && { rest: random.between(0.2, 1) }),
      ...softness(random),
      ...common(random),
    }),
    rigid: hard,
  }),
  entry(lineBend, {
    places: [...QUAD.slice(0, 3)],
    many: true,
    particles: true,
    def: (random) => ({
      ...(random.chance(0.5) && { rest: random.between(0.2, 1) }),
      ...softness(random),
      ...common(random),
    }),
    rigid: hard,
  }),
  entry(pull, {
    name: 'force',
    places: PAIR,
    many: true,
    particles: true,
    worldFrame: true,
    def: (random) => ({ params: { rate: random.between(1, 500) } }),
  }),
  entry(pin, {
    places: PAIR,
    particles: true,
    world: [false, true],
    def: (random) => ({
      ...(random.chance(0.5) && { anchorB: random.vector(0.5) }),
      ...softness(random),
      ...common(random),
    }),
    rigid: hard,
  }),
]

/** Random mass and inertia at `place`, turned at random. */
export function someBody(random: Random, place: readonly [number, number, number], isParticle: boolean): BodyDef {
  const mass = random.between(0.2, 5)
  return {
    position: [
      place[0] + random.between(-0.1, 0.1),
      place[1] + random.between(-0.1, 0.1),
      place[2] + random.between(-0.1, 0.1),
    ],
    mass,
    ...(!isParticle && { orientation: random.rotation(), inertia: random.moments(mass) }),
  }
}
