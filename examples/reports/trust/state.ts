/** Rows 1.1 to 1.4: what keeps a world whole, from step to step and across edits and restores. */

import { type Body, type Constraint, custom, fromJSON, solidBox, World, type WorldOptions } from '@tautline/core'
import { type AnyType } from '@tautline/core/kernel'
import {
  angularDrive,
  axle,
  ballSocket,
  cone,
  pointContact,
  distance,
  lineDistance,
  fixed,
  hinge,
  isometricBend,
  ropeLength,
  slider,
  spring,
  swingTwist,
  tetraVolume,
  universal,
} from '@tautline/constraints'
import { box, Collisions } from '@tautline/collision'
import { ImpulseSolver } from '@tautline/impulse-compat'
import { realMoments } from '../../lib/moments.js'
import { type Measured, type ReportRow } from '../report.js'

type Triple = [number, number, number]

const TYPES = [
  angularDrive,
  axle,
  ballSocket,
  cone,
  pointContact,
  distance,
  fixed,
  hinge,
  isometricBend,
  ropeLength,
  slider,
  spring,
  swingTwist,
  tetraVolume,
  universal,
] as unknown as AnyType[]

/** Numbers in [0, 1), the same for the same seed. */
function random(seed: number): () => number {
  let state = (seed * 7919 + 13) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const pick = <T>(r: () => number, list: readonly T[]): T => list[Math.floor(r() * list.length)]

/** Finite numbers that overflow in products, and such that vanish in them. */
const EXTREME = [1e200, -1e200, 1e308, -1e308, 1e154, 1e100, -1e50, 1e30, 1e-200, 1e-307]
const COLUMNS = { position: 4, orientation: 4, velocity: 3, angularVelocity: 3, inverseInertia: 9 } as const
const STEPS = 12

interface Tally {
  scenes: number
  constraints: number
  steps: number
  /** Steps that left something not finite, that moved what does not move, or that threw. */
  notFinite: number
  moved: number
  thrown: number
  /** Rows named as skipped, and those switched off, after the last step. */
  skipped: number
  off: number
  frozen: number
}

/** A body or a constraint of random kind, a share of its numbers extreme; nothing where the library refuses it. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined
    throw error
  }
}

function attack(seed: number, tally: Tally): void {
  const r = random(seed)
  const share = pick(r, [0.02, 0.1, 0.3])
  const number = (): number => (r() < share ? pick(r, EXTREME) : 2 * r() - 1)
  const size = (): number => Math.abs(number()) + 1e-3
  const vector = (): Triple => [number(), number(), number()]
  const options: WorldOptions = {
    jacobians: pick(r, ['fresh', 'fresh', 'frozen', 'start']),
    solver: pick(r, ['auto', 'auto', 'direct', 'sweep']),
    warmStart: pick(r, [0, 0, 0.5]),
    substeps: pick(r, [1, 4, 8]),
  }
  const world = new World(options)
  const bodies: Body[] = []
  for (let k = 0; k < 10; k++) {
    const type = pick(r, ['dynamic', 'dynamic', 'dynamic', 'static', 'kinematic'] as const)
    const def = { type, position: [3 * r(), 3 * r(), 3 * r()] as Triple, mass: size(), velocity: vector() }
    const body = attempt(() =>
      world.addBody(r() < 0.7 ? { ...def, inertia: realMoments([size(), size(), size()]) } : def),
    )
    if (body !== undefined) bodies.push(body)
  }
  let asked = 0
  const wrong = 1 + Math.floor(400 * r())
  const forGood = r() < 0.3
  const lost = custom({
    name: 'lost',
    bodies: 2,
    error: ([a, b]) => (++asked === wrong || (forGood && asked > wrong) ? NaN : a.position[0] - b.position[0] - 1),
  })
  for (let k = 0; k < 14; k++) {
    const a = pick(r, bodies)
    const b = r() < 0.25 ? null : pick(r, bodies)
    if (a === b) continue
    const four = [...bodies].sort(() => r() - 0.5).slice(0, 4)
    const point = vector()
    const makers: (() => Constraint | unknown)[] = [
      () => world.add(ballSocket, { a, b, anchorA: vector(), anchorB: point }),
      () => world.add(ballSocket, { a, b, anchorB: point, form: 'scalar' }),
      () => world.add(distance, { a, b, anchorA: point, length: size() }),
      () => world.add(lineDistance, { a, b, length: size() }),
      () => world.add(spring, { a, b, length: size(), stiffness: size(), damping: size() }),
      () => world.add(fixed, { a, b, point }),
      () => world.add(hinge, { a, b, point, axis: [0, 1, 0], limits: { min: -0.5, max: 0.5 } }),
      () => world.add(slider, { a, b, point, axis: [1, 0, 0] }),
      () => world.add(swingTwist, { a, b, point, axis: [1, 0, 0] }),
      () => world.add(universal, { a, b, point, axisA: [1, 0, 0], axisB: [0, 1, 0] }),
      () => world.add(axle, { a, b, axis: [1, 0, 0] }),
      () => world.add(angularDrive, { a, b, stiffness: size(), damping: size() }),
      () => world.add(ropeLength, { bodies: four, length: size() }),
      () => world.add(tetraVolume, { bodies: four, volume: number() }),
      () => world.add(isometricBend, { bodies: four }),
      () => world.add(pointContact, { a, b, anchorA: vector(), anchorB: vector(), normal: [0, 1, 0] }),
      () => world.add(lost, { bodies: [a, b ?? pick(r, bodies)] }),
    ]
    if (attempt(pick(r, makers)) !== undefined) tally.constraints++
  }
  if (r() < 0.4) {
    const collisions = new Collisions(world)
    for (const body of bodies) attempt(() => collisions.addCollider(body, { shape: box([0.5, 0.5, 0.5]) }))
  }
  const solver = r() < 0.3 ? new ImpulseSolver(world) : undefined
  const still = bodies.filter(({ type }) => type === 'static')
  const c = world.bodies.columns
  const places = (): number[] => [
    ...c.position.slice(0, 3),
    ...c.orientation.slice(0, 4),
    ...still.flatMap(({ position, orientation }) => [...position, ...orientation]),
  ]
  const before = places()
  tally.scenes++
  for (let k = 0; k < STEPS; k++) {
    const dt = r() < 0.05 ? pick(r, [1e-300, 1e-10, 100]) : 1 / 60
    tally.steps++
    try {
      if (solver === undefined) world.step(dt)
      else solver.step(dt)
    } catch {
      tally.thrown++
      return
    }
    const isFinite =
      Object.entries(COLUMNS).every(([name, n]) =>
        c[name as keyof typeof COLUMNS].subarray(0, n * world.bodies.count).every((x) => x - x === 0),
      ) && world.constraints().every(({ multipliers }) => multipliers.every((x) => x - x === 0))
    if (!isFinite) tally.notFinite++
    if (places().some((x, n) => x !== before[n])) tally.moved++
  }
  const { skipped, nonFinite } = world.report
  tally.skipped += skipped.length
  tally.off += skipped.filter(({ enabled }) => !enabled).length
  tally.frozen += nonFinite.length
}

function measureFinite(scenes: number): Measured {
  const tally: Tally = {
    scenes: 0,
    constraints: 0,
    steps: 0,
    notFinite: 0,
    moved: 0,
    thrown: 0,
    skipped: 0,
    off: 0,
    frozen: 0,
  }
  for (let seed = 1; seed <= scenes; seed++) attack(seed, tally)
  const { notFinite, moved, thrown } = tally
  return {
    figures:
      `${notFinite} steps with NaN or ∞, ${moved} that moved what does not move, ${thrown} thrown; ` +
      `${tally.scenes} scenes, ${tally.constraints} constraints, ${tally.steps} steps; ${tally.skipped} rows named, ` +
      `${tally.off} of them off, ${tally.frozen} bodies stopped`,
    holds: notFinite + moved + thrown === 0 && tally.skipped > 0 && tally.frozen > 0,
  }
}

/** Worlds whose rows come and go between substeps: friction about the normal, and a length at which there is no direction. */
function measureKept(): Measured {
  let differ = 0
  let worlds = 0
  for (const jacobians of ['frozen', 'start'] as const) {
    for (let seed = 1; seed <= 20; seed++) {
      const r = random(seed)
      const world = new World({ jacobians, warmStart: 0.5 * (seed % 2) })
      const collisions = new Collisions(world)
      collisions.addCollider(null, { shape: box([5, 0.5, 5]), position: [0, -0.5, 0] })
      for (let k = 0; k < 4; k++) {
        const shape = box([0.3, 0.3, 0.3])
        collisions.addBody({ shape, position: [r(), 1 + k, r()], angularVelocity: [r(), 9 * r(), r()] })
      }
      const [p, q] = [0, 1].map(() => world.addParticle({ position: [3, 1, 0] }))
      world.add(distance, { a: p, b: q, length: 0.2, solver: 'sweep' })
      for (let k = 0; k < 20; k++) world.step()
      const snapshot = world.snapshot()
      const hashes = [0, 1].map(() => {
        world.restore(snapshot)
        for (let k = 0; k < 30; k++) {
          if (k === 10) p.setPosition(q.position)
          world.step()
        }
        return world.hash()
      })
      worlds++
      if (hashes[0] !== hashes[1]) differ++
    }
  }
  return { figures: `${differ} of ${worlds} worlds go on otherwise`, holds: differ === 0 }
}

/** Random edits, snapshots and restores: whether every handle is alive exactly where it should be. */
function measureHandles(): Measured {
  let looks = 0
  let wrong = 0
  for (let seed = 1; seed <= 60; seed++) {
    const r = random(seed)
    const world = new World()
    const collisions = new Collisions(world)
    interface Entry {
      handles: readonly { readonly alive: boolean }[]
      body: Body
    }
    const all: Entry[] = []
    let alive: Entry[] = []
    const saved: { snapshot: ReturnType<World['snapshot']>; alive: Entry[] }[] = []
    for (let k = 0; k < 60; k++) {
      const what = Math.floor(6 * r())
      if (what <= 1) {
        const body = world.addBody({ position: [all.length, 0, 0], inertia: 1 })
        const joint = world.add(distance, { a: body, b: null })
        const collider = collisions.addCollider(body, { shape: box([0.1, 0.1, 0.1]) })
        const entry = { handles: [body, joint, collider], body }
        all.push(entry)
        alive = [...alive, entry]
      } else if (what === 2 && alive.length > 0) {
        const gone = pick(r, alive)
        gone.body.remove()
        alive = alive.filter((entry) => entry !== gone)
      } else if (what === 3) saved.push({ snapshot: world.snapshot(), alive })
      else if (what === 4 && saved.length > 0) {
        const back = pick(r, saved)
        world.restore(back.snapshot)
        alive = back.alive
      } else if (what === 5) world.step()
      for (const entry of all) {
        for (const handle of entry.handles) {
          looks++
          if (handle.alive !== alive.includes(entry)) wrong++
        }
      }
    }
  }
  return {
    figures: `${wrong} of ${looks} looks at a handle of a body, constraint or collider wrong`,
    holds: wrong === 0,
  }
}

/** Joints whose bodies have lost their inertia, skipped rows, masses next to nothing: written, read, and stepped beside each other. */
function measureJson(): Measured {
  const point: Triple = [0.5, 0, 0]
  const makers: ((world: World, a: Body, b: Body) => unknown)[] = [
    (w, a, b) => w.add(hinge, { a, b, point, axis: [0, 1, 0] }),
    (w, a, b) => w.add(fixed, { a, b, point }),
    (w, a, b) => w.add(universal, { a, b, point, axisA: [1, 0, 0], axisB: [0, 1, 0] }),
    (w, a, b) => w.add(slider, { a, b, point, axis: [1, 0, 0] }),
    (w, a, b) => w.add(swingTwist, { a, b, point, axis: [1, 0, 0] }),
    (w, a, b) => w.add(axle, { a, b, axis: [1, 0, 0] }),
    (w, a, b) => w.add(angularDrive, { a, b, stiffness: 1 }),
  ]
  let same = 0
  let refused = 0
  const inertia = solidBox(1, [0.2, 0.2, 0.2])
  for (const make of makers) {
    const world = new World()
    const [a, b] = [0, 1].map((x) => world.addBody({ inertia, position: [x, 0, 0] }))
    make(world, a, b)
    world.step()
    a.setMass(2)
    b.setMass(3)
    try {
      const copy = fromJSON(JSON.stringify(world), TYPES)
      for (const w of [world, copy]) for (let k = 0; k < 5; k++) w.step()
      if (copy.hash() === world.hash()) same++
    } catch {
      refused++
    }
  }
  const tiny = [1e-320, 1e-308].map(
    (mass) =>
      attempt(() => {
        const world = new World()
        world.addBody({ mass })
        return fromJSON(JSON.stringify(world), TYPES).hash() === world.hash()
      }) ?? 'refused',
  )
  return {
    figures: `${same} of ${makers.length} go on the same, ${refused} refused; mass 1e-320 ${tiny[0]}, 1e-308 read: ${tiny[1]}`,
    holds: same === makers.length && tiny[0] === 'refused' && tiny[1] === true,
  }
}

export const state: readonly ReportRow[] = [
  {
    id: '1.1',
    claim: 'Nothing becomes NaN and what does not move is never written, whatever finite numbers a scene is made of',
    asked: '0 steps with NaN, 0 with a static body or the world frame moved, 0 thrown',
    scene: `25 random scenes (seeds 1 to 25) of 10 bodies and 14 constraints, 2 to 30 % of their numbers of 1e-307 to 1e308, errors that are NaN; fresh, frozen and start gradients, trees, lines, sweeps, contacts, impulses; ${STEPS} steps`,
    measure: () => measureFinite(25),
  },
  {
    id: '1.1.full',
    claim: 'The same, more of them',
    asked: '0 steps with NaN, 0 with a static body or the world frame moved, 0 thrown',
    scene: `1000 random scenes (seeds 1 to 1000), ${STEPS} steps`,
    slow: true,
    measure: () => measureFinite(1000),
  },
  {
    id: '1.2',
    claim: 'Kept gradients: a restored world goes on the same bit for bit',
    asked: '0 of 40 differ',
    scene:
      'frozen and start, 4 boxes that fall on a floor spinning, two particles that meet; restored after 20 steps, 30 more; seeds 1 to 20',
    measure: measureKept,
  },
  {
    id: '1.3',
    claim: 'A handle is alive exactly while its body, constraint or collider exists, across restores',
    asked: '0 wrong',
    scene: '60 worlds (seeds 1 to 60), 60 random adds, removals, snapshots, restores and steps each',
    measure: measureHandles,
  },
  {
    id: '1.4',
    claim: 'The library reads what it wrote',
    asked: 'All read, and on the same bit for bit; what could not be read is refused when it is made',
    scene: 'seven joints on two bodies that lost their inertia by setMass, 5 steps; masses of 1e-320 and 1e-308 kg',
    measure: measureJson,
  },
]
