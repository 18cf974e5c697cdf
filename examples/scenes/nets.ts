/**
 * Random nets of particles: cloths on grids, triangle meshes, graphs, lattices with volumes, ropes; rigid and soft, pinned anywhere or
 * free, let go, thrown and spun. Nothing in them puts energy in, and none has damping.
 */

import { type Body, World, type WorldOptions } from '@tautline/core'
import {
  dihedralBend,
  distance,
  isometricBend,
  lineDistance,
  tether,
  ropeLength,
  tetraVolume,
} from '@tautline/constraints'

/** Shapes that a net may have. */
export const NET_SHAPES = ['grid', 'triangles', 'graph', 'lattice', 'rope'] as const
export type NetShape = (typeof NET_SHAPES)[number]

/** How its lengths are solved. */
export type NetSolver = 'auto' | 'lines'

export interface Net {
  world: World
  bodies: Body[]
  /** Steps a second [Hz]. */
  rate: number
  /** What it is, for a reader. */
  label: string
  /** m g L + kinetic energy at the start [J], with the standard g also where there is no gravity. */
  scale: number
}

interface Random {
  /** In [0, 1). */
  next(): number
  between(min: number, max: number): number
  below(n: number): number
  pick<T>(values: readonly T[]): T
}

/** Mulberry32. */
function randomFrom(seed: number): Random {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number): number => Math.floor(n * next())
  return {
    next,
    below,
    between: (min, max) => min + (max - min) * next(),
    pick: (values) => values[below(values.length)],
  }
}

type Point = [number, number, number]

/** Points, the pairs that keep their distances, and what else holds them. */
interface Plan {
  points: Point[]
  pairs: [number, number][]
  /** Shared edge, then wings. */
  bends: number[][]
  tetrahedra: number[][]
  ropes: number[][]
  /** Diagonals, by pair. */
  across: Set<number>
}

/** Rows × columns; with no, one or both diagonals of each cell. */
function gridPlan(random: Random): Plan {
  const [columns, rows] = [2 + random.below(16), 2 + random.below(16)]
  const diagonals = random.below(3)
  const cell = random.between(0.03, 0.2)
  const at = (i: number, j: number): number => j * columns + i
  const plan: Plan = { points: [], pairs: [], bends: [], tetrahedra: [], ropes: [], across: new Set() }
  for (let j = 0; j < rows; j++) for (let i = 0; i < columns; i++) plan.points.push([i * cell, 0, j * cell])
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      if (i + 1 < columns) plan.pairs.push([at(i, j), at(i + 1, j)])
      if (j + 1 < rows) plan.pairs.push([at(i, j), at(i, j + 1)])
      if (i + 1 === columns || j + 1 === rows) continue
      for (let k = 0; k < diagonals; k++) plan.across.add(plan.pairs.length + k)
      if (diagonals > 0) plan.pairs.push([at(i, j), at(i + 1, j + 1)])
      if (diagonals > 1) plan.pairs.push([at(i + 1, j), at(i, j + 1)])
      plan.bends.push([at(i, j), at(i + 1, j + 1), at(i + 1, j), at(i, j + 1)])
    }
  }
  return plan
}

/** A grid whose points are shaken and whose cells are cut along either diagonal. */
function trianglePlan(random: Random): Plan {
  const plan: Plan = { points: [], pairs: [], bends: [], tetrahedra: [], ropes: [], across: new Set() }
  const [columns, rows] = [2 + random.below(14), 2 + random.below(14)]
  const cell = random.between(0.03, 0.2)
  const shaken = random.between(0, 0.35) * cell
  const at = (i: number, j: number): number => j * columns + i
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const off = (): number => random.between(-shaken, shaken)
      plan.points.push([i * cell + off(), 0.3 * off(), j * cell + off()])
    }
  }
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      if (i + 1 < columns) plan.pairs.push([at(i, j), at(i + 1, j)])
      if (j + 1 < rows) plan.pairs.push([at(i, j), at(i, j + 1)])
      if (i + 1 === columns || j + 1 === rows) continue
      const [a, b, c, d] = [at(i, j), at(i + 1, j + 1), at(i + 1, j), at(i, j + 1)]
      const cut = random.next() < 0.5 ? [a, b, c, d] : [c, d, a, b]
      plan.pairs.push([cut[0], cut[1]])
      plan.bends.push(cut)
    }
  }
  for (let k = plan.pairs.length - 1; k > 0; k--) {
    const other = random.below(k + 1)
    ;[plan.pairs[k], plan.pairs[other]] = [plan.pairs[other], plan.pairs[k]]
  }
  return plan
}

/** Points at random in a box, in space or in a plane, each joined to some of the nearest. */
function graphPlan(random: Random): Plan {
  const plan: Plan = { points: [], pairs: [], bends: [], tetrahedra: [], ropes: [], across: new Set() }
  const count = 4 + random.below(100)
  const size: Point = [random.between(0.2, 2), random.next() < 0.3 ? 0 : random.between(0.2, 2), random.between(0.2, 2)]
  for (let k = 0; k < count; k++) plan.points.push(size.map((s) => random.between(0, s)) as Point)
  const nearest = 2 + random.below(5)
  const known = new Set<number>()
  plan.points.forEach((p, k) => {
    const others = plan.points.map((q, l) => ({ l, d: Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) }))
    others.sort((r, s) => r.d - s.d)
    for (const { l, d } of others.slice(1, nearest + 1)) {
      const key = Math.min(k, l) * count + Math.max(k, l)
      if (known.has(key) || d < 1e-3) continue
      known.add(key)
      plan.pairs.push([k, l])
    }
  })
  return plan
}

/** A box of cubes, each cut into five tetrahedra. */
function latticePlan(random: Random): Plan {
  const plan: Plan = { points: [], pairs: [], bends: [], tetrahedra: [], ropes: [], across: new Set() }
  const [nx, ny, nz] = [2 + random.below(5), 2 + random.below(5), 2 + random.below(5)]
  const cell = random.between(0.05, 0.2)
  const at = (i: number, j: number, k: number): number => (k * ny + j) * nx + i
  for (let k = 0; k < nz; k++)
    for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) plan.points.push([i * cell, j * cell, k * cell])
  const edges = new Set<number>()
  for (let k = 0; k + 1 < nz; k++) {
    for (let j = 0; j + 1 < ny; j++) {
      for (let i = 0; i + 1 < nx; i++) {
        const c = (bits: number): number => at(i + (bits & 1), j + ((bits >> 1) & 1), k + (bits >> 2))
        const even = (i + j + k) % 2 === 0
        const five = even
          ? [
              [1, 0, 3, 5],
              [2, 0, 6, 3],
              [4, 0, 5, 6],
              [7, 3, 6, 5],
              [0, 3, 5, 6],
            ]
          : [
              [0, 1, 4, 2],
              [3, 1, 2, 7],
              [5, 1, 7, 4],
              [6, 2, 4, 7],
              [1, 2, 7, 4],
            ]
        for (const corners of five) {
          const tetrahedron = corners.map(c)
          plan.tetrahedra.push(tetrahedron)
          for (let a = 0; a < 4; a++)
            for (let b = 0; b < a; b++) {
              const [p, q] = [tetrahedron[a], tetrahedron[b]].sort((r, s) => r - s)
              edges.add(p * plan.points.length + q)
            }
        }
      }
    }
  }
  plan.pairs = [...edges]
    .sort((r, s) => r - s)
    .map((key) => [Math.floor(key / plan.points.length), key % plan.points.length])
  return plan
}

/** A chain, straight or bent, with branches. */
function ropePlan(random: Random): Plan {
  const plan: Plan = { points: [[0, 0, 0]], pairs: [], bends: [], tetrahedra: [], ropes: [], across: new Set() }
  const count = 2 + random.below(40)
  const link = random.between(0.03, 0.3)
  const bend = random.next() < 0.3 ? 0 : random.between(0, 1.5)
  const branching = random.next() < 0.3 ? 0.15 : 0
  const way: Point = [1, 0, 0]
  const rope = [0]
  for (let k = 1; k < count; k++) {
    const from = random.next() < branching ? random.below(k) : k - 1
    for (let i = 0; i < 3; i++) way[i] += random.between(-bend, bend)
    const length = Math.hypot(...way) || 1
    for (let i = 0; i < 3; i++) way[i] /= length
    const p = plan.points[from]
    plan.points.push([p[0] + link * way[0], p[1] + link * way[1], p[2] + link * way[2]])
    plan.pairs.push([from, k])
    if (from === rope[rope.length - 1]) rope.push(k)
  }
  if (random.next() < 0.5 && rope.length > 2) plan.ropes.push(rope)
  return plan
}

const PLANS: Record<NetShape, (random: Random) => Plan> = {
  grid: gridPlan,
  triangles: trianglePlan,
  graph: graphPlan,
  lattice: latticePlan,
  rope: ropePlan,
}

const G = 9.81

/** The net of a seed, of a random shape or of a given one. `options` change the world that it is in, and nothing else; `solver` how lengths are solved. */
export function randomNet(seed: number, solver: NetSolver = 'auto', options: WorldOptions = {}, only?: NetShape): Net {
  const random = randomFrom(seed)
  for (let k = 0; k < 3; k++) random.next()
  const any = random.pick(NET_SHAPES)
  const shape = only ?? any
  const plan = PLANS[shape](random)
  const substeps = random.pick([1, 2, 3, 4, 6, 8, 8, 12, 16])
  const rate = random.pick([30, 60, 60, 144])
  const falls = random.next() < 0.75
  const world = new World({ substeps, gravity: falls ? [0, -G, 0] : [0, 0, 0], ...options })

  const count = plan.points.length
  const decades = random.pick([0, 0, 1, 3])
  const heaviest = random.between(0.001, 0.1)
  const pinned = pins(random, plan)
  // Something has to move.
  if (pinned.size === count) pinned.delete(count - 1)
  const masses = plan.points.map(() => heaviest * 10 ** -random.between(0, decades))
  turnAbout(random, plan.points)
  const bodies = plan.points.map((position, k) =>
    world.addParticle({ position, mass: pinned.has(k) ? Infinity : masses[k] }),
  )

  const softness = random.pick(['rigid', 'rigid', 'soft', 'mixed'])
  const soft = 10 ** random.between(-7, -2)
  const mode = random.next() < 0.75 ? 'rigid' : 'rope'
  const across = solver === 'lines' ? random.pick<NetSolver>(['lines', 'auto']) : solver
  plan.pairs.forEach(([k, l], row) => {
    const isSoft = softness === 'soft' || (softness === 'mixed' && random.next() < 0.5)
    const def = { a: bodies[k], b: bodies[l], mode, compliance: isSoft ? soft : 0 } as const
    if ((plan.across.has(row) ? across : solver) === 'lines') world.add(lineDistance, def)
    else world.add(distance, def)
  })
  const bend = plan.bends.length > 0 ? random.pick(['none', 'none', 'isometric', 'dihedral', 'stiff']) : 'none'
  const stiffness = 10 ** random.between(-6, -2)
  for (const four of bend === 'none' ? [] : plan.bends) {
    const quad = four.map((k) => bodies[k])
    if (bend === 'isometric') world.add(isometricBend, { bodies: quad, stiffness })
    else world.add(dihedralBend, { bodies: quad, ...(bend === 'stiff' ? {} : { stiffness }) })
  }
  const volume = plan.tetrahedra.length > 0 ? random.pick(['none', 'rigid', 'soft']) : 'none'
  for (const four of volume === 'none' ? [] : plan.tetrahedra) {
    const corners = four.map((k) => bodies[k])
    world.add(tetraVolume, { bodies: corners, compliance: volume === 'soft' ? 10 ** random.between(-9, -5) : 0 })
  }
  for (const rope of plan.ropes) {
    world.add(ropeLength, { bodies: rope.map((k) => bodies[k]) })
    if (pinned.has(rope[0])) {
      for (let k = 2; k < rope.length; k++) {
        world.add(tether, { a: bodies[rope[k]], b: bodies[rope[0]], length: pathLength(plan.points, rope, k) })
      }
    }
  }

  const thrown = random.pick(['let go', 'thrown', 'thrown', 'shaken'])
  setVelocities(random, thrown, bodies, plan.points, pinned)
  const mass = masses.reduce((sum, m, k) => sum + (pinned.has(k) ? 0 : m), 0)
  const label = [
    `${seed}: ${shape} of ${count}, ${plan.pairs.length} lengths (${solver}, ${mode}, ${softness}${softness === 'rigid' ? '' : ` ${soft.toExponential(0)}`})`,
    `${pinned.size} pinned, masses to 10^${decades}, ${thrown}, g ${falls ? 1 : 0}, bend ${bend}, volume ${volume}, ropes ${plan.ropes.length}`,
    `${substeps} substeps at ${rate} Hz`,
  ].join('; ')
  return { world, bodies, rate, label, scale: mass * G * extent(plan.points) + world.energy().kinetic }
}

function pathLength(points: readonly Point[], rope: readonly number[], to: number): number {
  let length = 0
  for (let k = 1; k <= to; k++) {
    const [p, q] = [points[rope[k - 1]], points[rope[k]]]
    length += Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
  }
  return length * (1 + 1e-12)
}

/** Which points are held: none, the first, a corner or two, some at random, or both ends. */
function pins(random: Random, { points }: Plan): Set<number> {
  const last = points.length - 1
  const how = random.below(6)
  if (how === 0) return new Set()
  if (how === 1) return new Set([0])
  if (how === 2) return new Set([0, last])
  if (how === 3) {
    const ends = points.map(([x]) => x)
    const [least, most] = [Math.min(...ends), Math.max(...ends)]
    const near = 0.02 * (most - least)
    return new Set(points.flatMap(([x], k) => (x <= least + near || x >= most - near ? [k] : [])))
  }
  if (how === 4) return new Set(Array.from({ length: 1 + random.below(4) }, () => random.below(points.length)))
  const [nearest, farthest] = [points.map(([x, , z]) => x - z), points.map(([x, , z]) => x + z)]
  return new Set([nearest.indexOf(Math.max(...nearest)), farthest.indexOf(Math.max(...farthest))])
}

/** Turns a plan as a whole, or leaves it. */
function turnAbout(random: Random, points: Point[]): void {
  if (random.next() < 0.4) return
  const [a, b] = [random.between(-Math.PI, Math.PI), random.between(-Math.PI, Math.PI)]
  const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)]
  for (const p of points) {
    const [x, y, z] = [ca * p[0] - sa * p[1], sa * p[0] + ca * p[1], p[2]]
    p[0] = x
    p[1] = cb * y - sb * z
    p[2] = sb * y + cb * z
  }
}

/** At rest; all with one speed and spin; or each its own. Speeds [m/s] to 10, spins [rad/s] to 20. */
function setVelocities(
  random: Random,
  thrown: string,
  bodies: readonly Body[],
  points: readonly Point[],
  pinned: ReadonlySet<number>,
): void {
  const speed = 10 ** random.between(-1, 1)
  const vector = (size: number): Point => [
    random.between(-size, size),
    random.between(-size, size),
    random.between(-size, size),
  ]
  const v = vector(speed)
  const spin = vector(random.pick([0, 2, 20]))
  const centre = [0, 1, 2].map((i) => points.reduce((sum, p) => sum + p[i], 0) / points.length)
  bodies.forEach((body, k) => {
    const own = vector(speed)
    if (thrown === 'let go' || pinned.has(k)) return
    if (thrown === 'shaken') body.setVelocity(own)
    else {
      const r = points[k].map((x, i) => x - centre[i])
      body.setVelocity([
        v[0] + spin[1] * r[2] - spin[2] * r[1],
        v[1] + spin[2] * r[0] - spin[0] * r[2],
        v[2] + spin[0] * r[1] - spin[1] * r[0],
      ])
    }
  })
}

/** Diagonal of the box around points [m]. */
function extent(points: readonly Point[]): number {
  const sides = [0, 1, 2].map((i) => Math.max(...points.map((p) => p[i])) - Math.min(...points.map((p) => p[i])))
  return Math.hypot(...sides)
}

/** What became of a net: the most that its energy has exceeded the first, share of its scale, and when. */
export interface NetRun {
  gain: number
  /** [s] */
  at: number
  finite: boolean
}

/**
 * Kinetic and potential energy, and what rows store that give way [J]: ½ compliance f², f the force that they act with. Where a
 * sweep has met them this is ½ c²/compliance; what it leaves of c is an error, as it is of a rigid row, and no energy.
 */
export function netEnergy(world: World): number {
  const { kinetic, potential } = world.energy()
  const h = world.clock.substepLength
  let elastic = 0
  for (const { common, type, active } of h > 0 ? world.batches : []) {
    for (let k = 0; k < type.multipliers * active; k++) {
      const force = common.lambda[k] / (h * h)
      elastic += 0.5 * common.compliance[Math.floor(k / type.multipliers)] * force * force
    }
  }
  return kinetic + potential + elastic
}

/** Runs a net for `seconds`. */
export function runNet({ world, rate, scale }: Net, seconds: number): NetRun {
  const start = netEnergy(world)
  const steps = Math.round(seconds * rate)
  const run: NetRun = { gain: 0, at: 0, finite: true }
  for (let step = 1; step <= steps; step++) {
    world.step(1 / rate)
    const gain = (netEnergy(world) - start) / scale
    if (!(gain < 1e6)) return { gain: Infinity, at: step / rate, finite: false }
    if (gain <= run.gain) continue
    run.gain = gain
    run.at = step / rate
  }
  return run
}
