import { type Constraint, solidBox, World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { ballSocket, distance } from '../../src/index.js'
import { EXACT, chain, G, particles, run, worst } from './support.js'

/** A solved joint [m, rad]. */
const MET = 1e-8

/** Joints in trees after a step. */
function joints(world: World): number {
  run(world, 1)
  return world.report.direct.joints
}

describe('which joints are gathered', () => {
  test('all are solved together, also one alone', () => {
    expect(joints(chain({ links: 1 }).world)).toBe(1)
    expect(joints(chain({ links: 3 }).world)).toBe(3)
    expect(joints(chain({ links: 9, options: { solver: 'sweep' } }).world)).toBe(0)
  })

  test('a joint that is to be swept parts a chain in two', () => {
    const { world, joints } = chain({ links: 9 })
    joints[4].set({ solver: 'sweep' })
    run(world, 1)
    expect(world.report.direct).toMatchObject({ trees: 2, joints: 8 })
  })

  test('one that asks by name brings its component along', () => {
    const { world, joints } = chain({ links: 2 })
    joints[0].set({ solver: 'direct' })
    run(world, 1)
    expect(world.report.direct).toMatchObject({ trees: 1, joints: 2 })
  })

  test('static bodies hold no tree to another', () => {
    const world = new World({ ...EXACT, substeps: 1, solver: 'direct' })
    const post = world.addBody({ type: 'static', position: [0, 0, 0] })
    for (const side of [-1, 1]) {
      let above = post
      for (let k = 1; k <= 4; k++) {
        const b = world.addParticle({ position: [side * k, 0, 0] })
        world.add(distance, { a: above, b })
        above = b
      }
    }
    run(world, 1)
    expect(world.report.direct).toMatchObject({ trees: 2, joints: 8, cuts: [] })
  })

  /** A net of particles: rows of `n`. */
  function net(n: number, options = {}): World {
    const world = new World({ ...EXACT, substeps: 1, ...options })
    const nodes = Array.from({ length: n * n }, (_, k) =>
      world.addParticle({ position: [k % n, 0, Math.floor(k / n)] }),
    )
    nodes.forEach((b, k) => {
      if (k % n > 0) world.add(distance, { a: nodes[k - 1], b })
      if (k >= n) world.add(distance, { a: nodes[k - n], b })
    })
    return world
  }

  test('loops are left to the sweep, unless asked: then they are closed with their trees', () => {
    expect(joints(net(5))).toBe(0)
    const asked = net(5, { solver: 'direct' })
    expect(joints(asked)).toBe(40)
    expect(asked.report.direct).toMatchObject({ trees: 1, cuts: [] })
    expect(asked.report.direct.loops).toHaveLength(16)
  })

  test('loops beyond what one border takes are cut and named', () => {
    const asked = net(15, { solver: 'direct' })
    expect(joints(asked)).toBe(224)
    expect(asked.report.direct.loops).toHaveLength(0)
    expect(asked.report.direct.cuts).toHaveLength(196)
  })

  test('a ring marked direct is closed by one joint', () => {
    const world = new World({ ...EXACT, gravity: [0, -G, 0], substeps: 1 })
    const ring = [0, 1, 2, 3].map((k) => world.addParticle({ position: [k & 1, 0, k >> 1] }))
    const around = [0, 1, 3, 2]
    around.forEach((i, k) => {
      world.add(distance, { a: ring[i], b: ring[around[(k + 1) % 4]], length: 1, solver: 'direct' })
    })
    run(world, 10)
    expect(world.report.direct.loops).toHaveLength(1)
    expect(world.report.direct.cuts).toHaveLength(0)
    expect(world.report.nonFinite).toHaveLength(0)
  })
})

describe('edits in mid-run', () => {
  test('links are added, joints switched off, mended and removed, bodies taken out', () => {
    const { world, bodies, joints: all } = chain({ links: 8 })
    expect(joints(world)).toBe(8)
    const inertia = solidBox(1, [0.5, 0.1, 0.1])
    const [x, y, z] = bodies[7].toWorld([0.25, 0, 0])
    const b = world.addBody({ position: [x + 0.25, y, z], inertia })
    all.push(world.add(ballSocket, { a: bodies[7], b, point: [x, y, z] }) as Constraint)
    expect(joints(world)).toBe(9)
    all[4].enabled = false
    run(world, 1)
    expect(world.report.direct).toMatchObject({ trees: 2, joints: 8 })
    all[4].enabled = true
    run(world, 30)
    expect(world.report.direct).toMatchObject({ trees: 1, joints: 9 })
    all[8].remove()
    expect(joints(world)).toBe(8)
    bodies[7].remove()
    expect(joints(world)).toBe(7)
    run(world, 60)
    expect(worst(all.slice(0, 7))).toBeLessThan(MET)
  })

  test('an edit leaves the same world as one that was made so', () => {
    const [made, edited] = [chain({ links: 5 }), chain({ links: 6 })]
    edited.joints[5].remove()
    edited.bodies[5].remove()
    for (const { world } of [made, edited]) run(world, 30)
    edited.bodies.slice(0, 5).forEach((body, k) => expect([...body.position]).toEqual([...made.bodies[k].position]))
  })

  test('a joint that breaks leaves two trees that hold on', () => {
    const { world, joints: all } = chain({ links: 8 })
    all[3].set({ breakForce: 1 })
    run(world, 2)
    expect(all[3].broken).toBe(true)
    expect(world.report.direct).toMatchObject({ trees: 2, joints: 7 })
    run(world, 60)
    expect(worst(all.filter((joint) => joint !== all[3]))).toBeLessThan(MET)
  })
})

describe('bodies that do not move', () => {
  test('a chain that sleeps stays, and wakes whole', () => {
    const { world, bodies, joints: all } = chain({ links: 5 })
    run(world, 5)
    for (const body of bodies) body.sleep()
    const before = bodies.map((body) => [...body.position])
    run(world, 5)
    expect(bodies.map((body) => [...body.position])).toEqual(before)
    for (const body of bodies) body.wake()
    run(world, 5)
    expect(bodies[4].position[1]).toBeLessThan(before[4][1])
    expect(worst(all)).toBeLessThan(MET)
  })

  test('a body that became non-finite stands still, and the world goes on', () => {
    const { world, bodies } = chain({ links: 5 })
    run(world, 5)
    bodies[2].applyForce([1e300, 0, 0])
    run(world, 20)
    expect(world.hash()).toBe(world.hash())
    for (const body of bodies) expect([...body.position].every(Number.isFinite)).toBe(true)
  })

  test('bodies that become static or kinematic hold what hangs on them', () => {
    const world = new World({ ...EXACT, gravity: [0, -G, 0], substeps: 1 })
    const hook = world.addBody({ type: 'kinematic', position: [0, 0, 0], velocity: [1, 0, 0], inertia: 1 })
    const { joints: all, bodies } = particles(world, 5)
    all[0].remove()
    all[0] = world.add(distance, { a: hook, b: bodies[0], length: 0.2 }) as Constraint
    for (let step = 0; step < 60; step++) {
      run(world, 1)
      expect(worst(all)).toBeLessThan(MET)
    }
    expect(hook.position[0]).toBeCloseTo(1, 12)
  })
})
