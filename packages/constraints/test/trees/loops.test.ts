import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { ballSocket, bendTwist, fixed, hinge } from '../../src/index.js'
import { EXACT, type Chain, chain, G, run, worst } from './support.js'
import { runs } from '../../../core/test/support/runs.js'

/** A solved joint [m, rad]. */
const MET = 1e-8
/** The same where a loop is pulled straight: it gives by 1e-8 of what its pull, over the mass of a link, changes by in a visit [m, rad]. */
const TAUT = 1e-6
/** How far a hinge of a linkage is off its plane [m]. */
const BENT = 1e-4
/** Solves a step that a chain between two anchors takes in the mean. */
const FEW = 3
/** Two solutions of a step of 1/600 s [m]: each update of the sweep takes the gradients of its moment, so that its path counts. */
const AGREE = 1e-8
/** Linear momentum over a second [kg m/s]: forces are equal and opposite, up to round-off. */
const KEPT = 1e-11
/** Forces at rest, relative. */
const FORCE = 1e-5

type Kind = 'ball' | 'hinge'

/** Links of 1 m in a V between two anchors, each of 1 kg but the lowest of `load`. */
function hung(links: number, span: number, kind: Kind, load: number, options: WorldOptions = {}): Chain {
  const world = new World({ ...EXACT, gravity: [0, -G, 0], substeps: 1, solver: 'direct', ...options })
  const c = span / links
  const s = Math.sqrt(1 - c * c)
  const at = (k: number): [number, number, number] => [c * k, -s * Math.min(k, links - k), 0]
  const bodies: Body[] = []
  const joints: Constraint[] = []
  for (let k = 0; k < links; k++) {
    const [x, y] = at(k)
    const [z, w] = at(k + 1)
    const half = Math.atan2(w - y, z - x) / 2
    bodies.push(
      world.addBody({
        position: [(x + z) / 2, (y + w) / 2, 0],
        orientation: [0, 0, Math.sin(half), Math.cos(half)],
        mass: k === links >> 1 ? load : 1,
        inertia: solidBox(1, [1, 0.1, 0.1]),
      }),
    )
  }
  for (let k = 0; k <= links; k++) {
    const [a, b] = k === links ? [null, bodies[k - 1]] : [bodies[k - 1] ?? null, bodies[k]]
    const at_ = { a, b, point: at(k) }
    joints.push(
      (kind === 'ball' ? world.add(ballSocket, at_) : world.add(hinge, { ...at_, axis: [0, 0, 1] })) as Constraint,
    )
  }
  return { world, bodies, joints }
}

/** Four bars in the x-y plane, the ground one of them, on hinges about z; the last hinge is `off` the plane [m]. */
function fourBars(off: number): Chain {
  const world = new World({ ...EXACT, gravity: [0, -G, 0], substeps: 1, solver: 'direct' })
  const corners: [number, number, number][] = [
    [0, 0, 0],
    [0, 1, 0],
    [2, 1.5, 0],
    [2, 0, 0],
  ]
  const bodies = [0, 1, 2].map((k) => {
    const [x, y] = corners[k]
    const [z, w] = corners[k + 1]
    const half = Math.atan2(w - y, z - x) / 2
    const length = Math.sqrt((z - x) * (z - x) + (w - y) * (w - y))
    return world.addBody({
      position: [(x + z) / 2, (y + w) / 2, 0],
      orientation: [0, 0, Math.sin(half), Math.cos(half)],
      inertia: solidBox(1, [length, 0.1, 0.1]),
    })
  })
  const joints = corners.map((point, k) => {
    if (k < 3) return world.add(hinge, { a: bodies[k - 1] ?? null, b: bodies[k], point, axis: [0, 0, 1] }) as Constraint
    const local: [number, number, number] = [0, 0, 0]
    bodies[2].toBody(point, local)
    return world.add(hinge, {
      a: bodies[2],
      b: null,
      anchorA: local,
      anchorB: [point[0], point[1], off],
      axis: [0, 0, 1],
    }) as Constraint
  })
  return { world, bodies, joints }
}

/** A ring of `count` links on ball joints that turns freely. */
function ring(count: number): Chain {
  const world = new World({ ...EXACT, gravity: [0, 0, 0], substeps: 1, solver: 'direct' })
  const radius = 0.5 / Math.tan(Math.PI / count)
  const bodies = Array.from({ length: count }, (_, k) => {
    const angle = (2 * Math.PI * k) / count
    const half = (angle + Math.PI / 2) / 2
    return world.addBody({
      position: [radius * Math.cos(angle), radius * Math.sin(angle), 0],
      orientation: [0, 0, Math.sin(half), Math.cos(half)],
      mass: 1 + (k % 3),
      inertia: solidBox(1 + (k % 3), [1, 0.1, 0.1]),
      velocity: [Math.sin(k), Math.cos(3 * k), 0.5 * Math.sin(2 * k)],
    })
  })
  const joints = bodies.map(
    (a, k) =>
      world.add(ballSocket, {
        a,
        b: bodies[(k + 1) % count],
        anchorA: [0.5, 0, 0],
        anchorB: [-0.5, 0, 0],
      }) as Constraint,
  )
  return { world, bodies, joints }
}

describe('a chain between two anchors', () => {
  for (const kind of ['ball', 'hinge'] as const) {
    test(`of ${kind} joints does not stretch, with a weight in its middle`, () => {
      const { world, joints } = hung(20, 16, kind, 1e4)
      let solves = 0
      for (let step = 0; step < 300; step++) {
        run(world, 1)
        solves += world.report.direct.solves
        expect(worst(joints)).toBeLessThan(MET)
      }
      expect(world.report.direct).toMatchObject({ trees: 2, joints: 21, unsolved: 0, cuts: [] })
      expect(world.report.direct.loops).toHaveLength(1)
      expect(solves / 300).toBeLessThan(FEW)
    })
  }

  test('bears what a V of two links bears', () => {
    const { world, joints } = hung(2, 1.6, 'ball', 1)
    run(world, 60)
    // Each anchor has the weight of one link; level with the joint, the sum of moments about an anchor gives the pull.
    const pull = (G * 0.4) / 0.6
    for (const joint of [joints[0], joints[2]]) {
      expect(joint.force / Math.sqrt(G * G + pull * pull)).toBeCloseTo(1, -Math.log10(FORCE) - 1)
    }
    expect(joints[1].force / pull).toBeCloseTo(1, -Math.log10(FORCE) - 1)
  })

  test('agrees with Gauss–Seidel where that has converged', () => {
    const swept = hung(6, 4, 'ball', 3, { solver: 'sweep', tolerance: 1e-12, maxIterations: 200_000 })
    const solved = hung(6, 4, 'ball', 3)
    for (const { world } of [swept, solved]) world.step(1 / 600)
    solved.bodies.forEach((body, k) => {
      for (let c = 0; c < 3; c++) expect(Math.abs(body.position[c] - swept.bodies[k].position[c])).toBeLessThan(AGREE)
    })
  })

  test('holds on as two trees when it breaks', () => {
    const { world, joints } = hung(8, 6, 'ball', 1)
    run(world, 5)
    joints[4].enabled = false
    run(world, 60)
    expect(world.report.direct).toMatchObject({ trees: 2, joints: 8, loops: [] })
    expect(worst(joints.filter((joint) => joint.enabled))).toBeLessThan(MET)
  })
})

describe('linkages', () => {
  test('four bars on hinges swing in their plane; the rows that hold it twice are named', () => {
    const { world, bodies, joints } = fourBars(0)
    bodies[0].applyImpulse([1, 0, 0])
    for (let step = 0; step < 300; step++) {
      run(world, 1)
      expect(worst(joints)).toBeLessThan(MET)
      for (const body of bodies) expect(Math.abs(body.position[2])).toBeLessThan(MET)
    }
    const { loops, singular } = world.report.direct
    expect(singular.map(({ typeName }) => typeName)).toEqual(loops.map(({ typeName }) => typeName))
  })

  test('one that is not quite plane, which its hinges cannot mend, bears its weight and no more', () => {
    const [plane, bent] = [fourBars(0), fourBars(BENT)]
    for (const { world } of [plane, bent]) run(world, 60)
    expect(bent.world.report.direct).toMatchObject({ unsolved: 0 })
    bent.joints.forEach((joint, k) => expect(joint.force / plane.joints[k].force).toBeCloseTo(1, 3))
  })

  test('a free ring keeps its linear momentum', () => {
    const { world, joints } = ring(12)
    const before = world.momentum()
    run(world, 60)
    const after = world.momentum()
    expect(world.report.direct).toMatchObject({ trees: 1, joints: 12, unsolved: 0 })
    expect(worst(joints)).toBeLessThan(MET)
    for (let c = 0; c < 3; c++) {
      expect(Math.abs(after.linear[c] - before.linear[c])).toBeLessThan(KEPT)
    }
  })
})

/** Inside of the direct solution: scratch, a component each. */
function treesOf(world: World): readonly object[] {
  return (world.solvers[0] as unknown as { gathering: { trees: readonly object[] } }).gathering.trees
}

describe('an edit', () => {
  test('leaves the trees that it does not touch, with their scratch', () => {
    const { world } = chain({ links: 4 })
    const other = chain({ links: 5 })
    const bodies = other.bodies.map(({ position }) =>
      world.addBody({ position: [position[0], position[1], 5], inertia: solidBox(1, [0.5, 0.1, 0.1]) }),
    )
    const joints = bodies.map((b, k) => world.add(ballSocket, { a: bodies[k - 1] ?? null, b, point: [0.5 * k, 0, 5] }))
    run(world, 1)
    const [first, second] = treesOf(world)
    joints[4].remove()
    run(world, 1)
    expect(treesOf(world)[0]).toBe(first)
    expect(treesOf(world)[1]).not.toBe(second)
    expect(world.report.direct).toMatchObject({ trees: 2, joints: 8 })
  })

  test('after a restored snapshot takes the new joint, not the one that had its number before', () => {
    const { world, bodies } = chain({ links: 4 })
    const snapshot = world.snapshot()
    const end = world.addBody({ position: [2.25, 0, 0], inertia: solidBox(1, [0.5, 0.1, 0.1]) })
    world.add(ballSocket, { a: bodies[3], b: end, point: [2, 0, 0] })
    run(world, 1)
    world.restore(snapshot)
    const other = world.addBody({ position: [2.25, 0, 0], inertia: solidBox(1, [0.5, 0.1, 0.1]) })
    const joint = world.add(hinge, { a: bodies[3], b: other, point: [2, 0, 0], axis: [0, 0, 1] }) as Constraint
    run(world, 30)
    expect(world.report.direct).toMatchObject({ joints: 5, unsolved: 0 })
    expect(joint.batch.common.direct[joint.row()]).toBe(1)
    expect(joint.error).toBeLessThan(MET)
  })
})

describe('any loops', () => {
  property.prop(
    [
      fc.array(fc.record({ a: fc.nat(9), b: fc.nat(9), along: fc.double({ min: 0, max: 1, noNaN: true }) }), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.array(fc.double({ min: -3, max: 3, noNaN: true }), { minLength: 3, maxLength: 3 }),
    ],
    { numRuns: runs(40) },
  )('joints across a chain leave it finite, and met, or say so', (across, velocity) => {
    const { world, bodies, joints } = chain({ links: 10, options: { solver: 'direct' } })
    bodies.forEach((body, k) =>
      body.setVelocity(velocity.map((v, c) => v * Math.sin(k + c)) as [number, number, number]),
    )
    for (const { a, b, along } of across) {
      if (a === b) continue
      const [p, q] = [bodies[a].position, bodies[b].position]
      const point = [0, 1, 2].map((c) => p[c] + along * (q[c] - p[c])) as [number, number, number]
      joints.push(world.add(ballSocket, { a: bodies[a], b: bodies[b], point }) as Constraint)
    }
    for (let step = 0; step < 10; step++) {
      run(world, 1)
      const { unsolved } = world.report.direct
      if (unsolved === 0) expect(worst(joints)).toBeLessThan(TAUT)
    }
    expect(world.report.nonFinite).toHaveLength(0)
  })
})

describe('springs of a rod that close a ring', () => {
  test('are solved directly by default, and gain nothing', () => {
    const world = new World({ ...EXACT, gravity: [0, 0, 0], substeps: 1 })
    const bodies = [0, 1, 2, 3].map((k) =>
      world.addBody({
        position: [k % 2, k >> 1, 0],
        mass: 0.5,
        inertia: [0.06, 0.07, 0.08],
        angularVelocity: [4 * Math.sin(k), 4 * Math.cos(2 * k), 3 * Math.sin(3 * k)],
      }),
    )
    // Underrelaxed, as a sweep they came to twice their energy.
    const rod = { bendStiffness: 380, twistStiffness: 1, bendDamping: 5, relaxation: 0.5 }
    for (const [a, b] of [
      [0, 1],
      [1, 3],
      [3, 2],
      [2, 0],
    ])
      world.add(bendTwist, { a: bodies[a], b: bodies[b], ...rod })
    const start = world.energy().total
    for (let step = 0; step < 90; step++) {
      run(world, 1)
      expect(world.report.direct.joints).toBe(4)
      expect(world.energy().total).toBeLessThan(1.001 * start)
    }
  })
})

describe('a straight chain between two anchors that are pulled apart', () => {
  const SPEED = 0.5
  const cases = (['hinge', 'ball'] as const).flatMap((kind) => [2, 4].map((count) => [kind, count] as const))

  test.each(cases)('its %ss and %i links move no faster than the anchor', (kind, count) => {
    const world = new World()
    const length = 2 / count
    const [first, last] = [-1, 1].map((x) => world.addBody({ type: 'kinematic', position: [x, 2, 0] }))
    const links = Array.from({ length: count }, (_, k) =>
      world.addBody({
        position: [length * (k + 0.5) - 1, 2, 0],
        mass: 0.5,
        inertia: solidBox(0.5, [length, 0.05, 0.05]),
      }),
    )
    const all = [first, ...links, last]
    for (let k = 0; k <= count; k++) {
      const def = { a: all[k], b: all[k + 1], point: [length * k - 1, 2, 0] as const }
      if (kind === 'hinge') world.add(hinge, { ...def, axis: [0, 0, 1] })
      else world.add(ballSocket, def)
    }
    for (let step = 1; step <= 6; step++) {
      last.setTarget([1 + (SPEED * step) / 60, 2, 0])
      world.step()
      expect(world.report.guard.components).toBe(0)
      for (const { velocity } of links) expect(Math.hypot(...velocity)).toBeLessThan(1.1 * SPEED)
    }
  })
})

test('a net of soft joints sags as far at 2 as at 8 substeps', () => {
  const SIZE = 4
  const sag = (substeps: number): number => {
    const world = new World({ substeps })
    const at = Array.from({ length: SIZE }, (_, i) =>
      Array.from({ length: SIZE }, (__, j) => {
        const isHeld = i === 0 && (j === 0 || j === SIZE - 1)
        if (isHeld) return world.addBody({ type: 'static', position: [i, 0, j] })
        return world.addBody({ position: [i, 0, j], mass: 1, inertia: solidBox(1, [0.8, 0.1, 0.8]) })
      }),
    )
    for (let i = 0; i < SIZE; i++) {
      for (let j = 0; j < SIZE; j++) {
        const soft = { a: at[i][j], compliance: 1e-4, damping: 300 }
        if (i + 1 < SIZE) world.add(fixed, { ...soft, b: at[i + 1][j], point: [i + 0.5, 0, j] })
        if (j + 1 < SIZE) world.add(fixed, { ...soft, b: at[i][j + 1], point: [i, 0, j + 0.5] })
      }
    }
    run(world, 240)
    return -at[SIZE - 1][SIZE >> 1].position[1]
  }
  const right = sag(8)
  expect(right).toBeGreaterThan(1e-3)
  expect(sag(2) / right).toBeCloseTo(1, 2)
})
