import { describe, expect, test } from 'vitest'
import { type Body, World, type WorldOptions } from '../src/index.js'
import { link, type LinkDef, rod, rowLink } from './support/link.js'
import { randomWorld, run } from './support/random.js'

/** A loop and the reference step differ in the order of sums; some hundred of them later. */
const SAME = 1e-9
/** Of a momentum of size 1 after some hundred steps. */
const ROUND_OFF = 1e-12

/** `n` weights of 1 kg hanging in a row, 1 m apart. */
function chain(n: number, options: WorldOptions = {}, type = link): { world: World; bodies: Body[] } {
  const world = new World(options)
  const bodies = [world.addBody({ type: 'static' })]
  for (let k = 1; k <= n; k++) {
    bodies.push(world.addBody({ position: [k, 0, 0] }))
    world.add(type, { a: bodies[k - 1], b: bodies[k] })
  }
  return { world, bodies }
}

/** Largest stretch [m] seen over half a second. */
function stretch(options: WorldOptions): number {
  const { world } = chain(10, options)
  let worst = 0
  for (let k = 0; k < 30; k++) {
    world.step()
    worst = Math.max(worst, world.residual().link.linear?.max ?? NaN)
  }
  return worst
}

describe('how often it sweeps', () => {
  test('more substeps and more iterations stretch less', () => {
    const one = stretch({ substeps: 4 })
    expect(stretch({ substeps: 16 })).toBeLessThan(0.3 * one)
    expect(stretch({ substeps: 4, iterations: 8 })).toBeLessThan(0.5 * one)
  })

  test('iterations are counted', () => {
    const { world } = chain(3, { substeps: 4, iterations: 3 })
    world.step()
    expect(world.report.iterations).toBe(3)
  })

  test('a tolerance sweeps until the worst residual is below it', () => {
    const tolerance = 1e-6
    const { world } = chain(10, { substeps: 4, tolerance, maxIterations: 1000 })
    let most = 0
    for (let k = 0; k < 30; k++) {
      world.step()
      expect(world.residual().link.linear?.max).toBeLessThanOrEqual(tolerance)
      most = Math.max(most, world.report.iterations)
    }
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThan(1000)
  })

  test('at least `iterations`, at most `maxIterations`', () => {
    const easy = chain(1, { tolerance: 1, iterations: 3 }).world
    easy.step()
    expect(easy.report.iterations).toBe(3)
    const hard = chain(20, { substeps: 1, tolerance: 1e-14, maxIterations: 7 }).world
    hard.step()
    expect(hard.report.iterations).toBe(7)
  })
})

describe('where gradients are taken', () => {
  function spinning(
    jacobians: 'fresh' | 'frozen' | 'start',
    options: WorldOptions = {},
  ): { world: World; L: number[] } {
    const world = new World({ gravity: [0, 0, 0], jacobians, ...options })
    const [a, b] = [-1, 1].map((x) => world.addBody({ position: [x, 0, 0], velocity: [0, 3 * x, 0] }))
    world.add(rowLink, { a, b })
    const L = [world.momentum().angular[2]]
    run(world, 60)
    L.push(world.momentum().angular[2])
    return { world, L }
  }

  test('start keeps angular momentum, fresh and frozen lose some', () => {
    const options = { iterations: 30 }
    const [fresh, frozen, start] = (['fresh', 'frozen', 'start'] as const).map((mode) => spinning(mode, options).L)
    expect(Math.abs(start[1] - start[0])).toBeLessThan(ROUND_OFF * start[0])
    expect(fresh[1]).toBeLessThan(0.99 * fresh[0])
    expect(frozen[1]).toBeLessThan(0.99 * frozen[0])
  })

  test('all three go the same way as substeps get short', () => {
    const ends = (['fresh', 'frozen', 'start'] as const).map((jacobians) => {
      const { world, bodies } = chain(3, { substeps: 100, jacobians }, rowLink)
      run(world, 12)
      return bodies[3].position
    })
    for (const end of ends) for (let k = 0; k < 3; k++) expect(Math.abs(end[k] - ends[0][k])).toBeLessThan(0.02)
    expect(ends[0]).not.toEqual(ends[1])
    expect(ends[0]).not.toEqual(ends[2])
  })

  test('frozen with one sweep is fresh with one sweep: the gradient is that of the prediction', () => {
    const [fresh, frozen] = (['fresh', 'frozen'] as const).map((mode) => spinning(mode).world.hash())
    expect(frozen).toBe(fresh)
  })

  test('a type with a loop and one without go the same way', () => {
    const [byLoop, byRows] = [link, rowLink].map((type) => {
      const { world, bodies } = chain(4, { iterations: 2 }, type)
      run(world, 60)
      return bodies.flatMap((body) => Array.from(body.position))
    })
    byLoop.forEach((x, k) => {
      expect(Math.abs(x - byRows[k])).toBeLessThan(SAME)
    })
  })
})

describe('warm start', () => {
  test('a chain at rest starts with half its tension and stretches less', () => {
    const hang = (warmStart: number): number => {
      const world = new World({ substeps: 1, iterations: 2, warmStart })
      let above: Body | null = null
      for (let k = 0; k < 10; k++) {
        const body: Body = world.addBody({ position: [0, -1 - k, 0] })
        world.add(link, { a: above, b: body })
        above = body
      }
      run(world, 200)
      return world.residual().link.linear?.max ?? NaN
    }
    expect(hang(0.5)).toBeLessThan(0.8 * hang(0))
  })

  test('multipliers are rescaled to the new length of the substep: force stays', () => {
    const world = new World({ substeps: 1, warmStart: 0.5, relaxation: 1e-9 })
    const body = world.addBody({ position: [0, -1, 0], mass: 2 })
    const joint = world.add(link, { a: null, b: body, relaxation: 1 })
    run(world, 3)
    const before = joint.force
    expect(before).toBeCloseTo(2 * 9.81, 6)
    joint.set({ relaxation: 1e-12 })
    // With next to no repair, what acts is what was kept.
    world.step(1 / 240)
    expect(joint.force).toBeCloseTo(0.5 * before, 6)
  })

  test('is none along kept gradients, of rows whose own change, and with a relaxation above 1', () => {
    const bent = { ...link, name: 'bent', traits: { ...link.traits, isCurved: true } }
    const hashes = ([options, type]: [WorldOptions, typeof link]): string[] =>
      [0, 0.5].map((warmStart) => {
        const { world } = chain(3, { ...options, warmStart }, type)
        run(world, 5)
        return world.bodies
          .all()
          .map(({ position }) => Array.from(position).join())
          .join()
      })
    const none: [WorldOptions, typeof link][] = [
      [{ jacobians: 'start' }, link],
      [{ jacobians: 'frozen' }, link],
      [{ iterations: 2, relaxation: 1.2 }, link],
      [{}, bent],
    ]
    for (const [without, withHalf] of none.map(hashes)) expect(withHalf).toBe(without)
    const [without, withHalf] = hashes([{ iterations: 2 }, link])
    expect(withHalf).not.toBe(without)
  })

  test('the share is the share', () => {
    const world = new World({ substeps: 1, warmStart: 0.5, gravity: [0, 0, 0] })
    const [a, b] = [0, 1].map((x) => world.addBody({ position: [x, 0, 0] }))
    const joint = world.add(link, { a, b, length: 2, relaxation: 1 })
    world.step()
    const [first] = joint.multipliers
    joint.set({ length: 2, relaxation: 1e-12 })
    world.step()
    expect(joint.multipliers[0]).toBeCloseTo(0.5 * first, 9)
  })
})

describe('relaxation', () => {
  test('above 1 is for particles: refused of what rotates, where a constraint names it, and not taken there from the world', () => {
    const world = new World({ iterations: 2, relaxation: 1.5 })
    const [particle, box] = [undefined, 1].map((inertia) =>
      world.addBody({ position: [0, -1, 0], ...(inertia && { inertia }) }),
    )
    expect(() => world.add(link, { a: null, b: box, relaxation: 1.2 })).toThrow(
      /link: relaxation must be <= 1 where bodies rotate, got 1.2/,
    )
    const joint = world.add(link, { a: null, b: box })
    expect(() => {
      joint.set({ relaxation: 1.2 })
    }).toThrow(RangeError)
    world.add(link, { a: null, b: particle })
    const relaxations = world.batches.flatMap(({ common, count }) => Array.from(common.relaxation.subarray(0, count)))
    expect(relaxations).toEqual([1, 1.5])
  })

  test('above 1 goes as far as sweeps take it, along straight errors and gradients of the moment alone', () => {
    expect(() => new World({ iterations: 2, relaxation: 1.51 })).toThrow(
      /World: relaxation must be lower with 2 iterations .*got 1.51/,
    )
    expect(new World({ iterations: 2, relaxation: 1.5 }).settings.relaxation).toBe(1.5)
    expect(new World({ iterations: 5, relaxation: 1.757 }).settings.relaxation).toBe(1.757)
    const kept = { iterations: 2, jacobians: 'start' } as const
    expect(() => new World({ ...kept, relaxation: 1.2 })).toThrow(
      /relaxation must be <= 1 with gradients that are kept/,
    )
    const start = new World(kept)
    const [a, b] = [0, 1].map((x) => start.addBody({ position: [x, 0, 0] }))
    expect(() => start.add(link, { a, b, relaxation: 1.2 })).toThrow(/link: relaxation must be <= 1 with gradients/)
    const world = new World({ iterations: 2, relaxation: 1.5 })
    const bent = { ...link, name: 'bent', traits: { ...link.traits, isCurved: true } }
    const [c, d] = [0, 1].map((x) => world.addBody({ position: [x, 0, 0] }))
    expect(() => world.add(bent, { a: c, b: d, relaxation: 1.2 })).toThrow(/bent: relaxation must be <= 1 .*bent/)
    world.add(bent, { a: c, b: d })
    expect(world.batches[0].common.relaxation[0]).toBe(1)
  })

  test('repairs that share of the error a sweep', () => {
    for (const relaxation of [0.25, 0.5, 1]) {
      const world = new World({ substeps: 1, gravity: [0, 0, 0], relaxation })
      // What is violated at the start is repaired as a whole; here one metre comes from the motion of the substep.
      const [a, b] = [0, 1].map((x) => world.addBody({ position: [2 * x, 0, 0], velocity: [60 * x, 0, 0] }))
      const joint = world.add(link, { a, b, length: 2 })
      world.step()
      expect(joint.error).toBeCloseTo(1 - relaxation, 12)
    }
  })

  test('above 1 with one iteration is refused, for the world and for a constraint', () => {
    expect(() => new World({ relaxation: 1.2 })).toThrow(/World: relaxation must be <= 1 with one iteration.*got 1.2/)
    const world = new World({ iterations: 2, relaxation: 1.2 })
    const body = world.addBody({ position: [0, -1, 0] })
    world.add(link, { a: null, b: body, relaxation: 1.5 })
    expect(() => world.configure({ iterations: 1 })).toThrow(RangeError)
    // The world's own is fine now; that of the constraint is not.
    expect(() => world.configure({ iterations: 1, relaxation: 1 })).toThrow(/link.*got 1.5/)
    expect(world.settings.iterations).toBe(2)
    const single = new World()
    const other = single.addBody({ position: [0, -1, 0] })
    expect(() => single.add(link, { a: null, b: other, relaxation: 1.5 })).toThrow(
      /link: relaxation must be <= 1 with one/,
    )
    expect(() => single.add(link, { a: null, b: other, relaxation: 2 })).toThrow(/link: relaxation must be < 2, got 2/)
  })
})

describe('regularisation', () => {
  test('stands beside w: two rows on one body share the error', () => {
    const world = new World({ substeps: 1, iterations: 200, gravity: [0, 0, 0], regularization: 0.5 })
    const body = world.addBody({ position: [2, 0, 0], velocity: [-60, 0, 0], mass: 1 })
    const joints = [2, 2].map((length) => world.add(link, { a: null, b: body, length }))
    world.step()
    // Both: c + αλ = 0 with x − 1 = −(λ₁ + λ₂), so λ₁ = λ₂ = 1/(2 + α)… negative, for a is the world.
    for (const joint of joints) expect(joint.multipliers[0]).toBeCloseTo(1 / 2.5, 9)
  })
})

describe('steps', () => {
  test('dt and time', () => {
    const world = new World({ dt: 0.02 })
    world.step()
    world.step(0.01)
    expect(world.time).toBeCloseTo(0.03, 15)
    expect(world.clock.steps).toBe(2)
    expect(world.clock.substepLength).toBe(0.01 / 8)
  })

  test('the hook runs once a substep and may change velocities', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 4, dt: 0.1 })
    const body = world.addBody({})
    const lengths: number[] = []
    world.onVelocities((w, h) => {
      expect(w).toBe(world)
      lengths.push(h)
      body.setVelocity([lengths.length, 0, 0])
    })
    world.step()
    expect(lengths).toEqual([0.025, 0.025, 0.025, 0.025])
    expect(body.velocity[0]).toBe(4)
    expect(body.position[0]).toBeCloseTo(0.025 * (1 + 2 + 3), 12)
    world.onVelocities(undefined)
    world.step()
    expect(lengths).toHaveLength(4)
  })

  test('configure changes options, keeps the rest, and refuses what cannot be', () => {
    const world = new World({ substeps: 3, gravity: [1, 2, 3] })
    world.configure({ iterations: 2 })
    expect(world.settings.substeps).toBe(3)
    expect(world.settings.iterations).toBe(2)
    expect(Array.from(world.settings.gravity)).toEqual([1, 2, 3])
    expect(() => world.configure({ jacobians: 'frozen' })).toThrow(/configure: jacobians must stay fresh.*got frozen/)
    const frozen = new World({ jacobians: 'frozen' })
    frozen.configure({ jacobians: 'start' })
    expect(frozen.settings.jacobians).toBe('start')
  })

  test('a disabled constraint does nothing and shows no force', () => {
    const build = (joined: boolean): World => {
      const world = new World()
      const [a, b] = [0, 1].map((x) => world.addBody({ position: [x, 0, 0], velocity: [x, 0, 0], inertia: 1 }))
      if (joined) world.add(link, { a, b, enabled: false })
      if (joined) world.add(rod, { bodies: [a, b], params: { p: [0, 0, 1], q: [1, 0, 0], length: 9 }, enabled: false })
      run(world, 10)
      return world
    }
    const [free, joined] = [build(false), build(true)]
    const state = (world: World): unknown => world.bodies.all().map((b) => [b.position, b.orientation, b.velocity])
    expect(state(joined)).toEqual(state(free))
    for (const joint of joined.constraints()) expect([joint.force, joint.torque]).toEqual([0, 0])
    expect(joined.residual()).toEqual({ link: {}, rod: {} })
  })

  test('before the first step errors and frequencies are those of the bodies that are joined', () => {
    const world = new World()
    const bodies = [0, 1, 3, 6].map((x) => world.addBody({ position: [x, 0, 0], mass: 2 }))
    const joints = bodies.slice(1).map((b, k) => world.add(link, { a: bodies[k], b, length: 0, frequency: 1 }))
    expect(joints.map((joint) => joint.error)).toEqual([1, 2, 3])
    for (const joint of joints) expect((joint.def as LinkDef).compliance).toBeCloseTo(1 / (4 * Math.PI ** 2), 12)
    joints[0].remove()
    expect([joints[1].error, joints[2].error]).toEqual([2, 3])
  })

  test('the same input gives the same bits', () => {
    for (const options of [
      {},
      { iterations: 3, warmStart: 0.5 },
      { jacobians: 'start' },
      { order: 'alternating' },
    ] as WorldOptions[]) {
      const [a, b] = [0, 1].map(() => {
        const { world } = randomWorld(11, options)
        run(world, 20)
        return world.hash()
      })
      expect(a).toBe(b)
    }
  })

  test('momentum of free bodies that are joined is kept', () => {
    const world = new World({ gravity: [0, 0, 0], iterations: 2 })
    const bodies = [0, 1, 2, 3].map((k) =>
      world.addBody({ position: [k, k % 2, 0], velocity: [0, k, -k], mass: 1 + k }),
    )
    bodies.slice(1).forEach((b, k) => world.add(link, { a: bodies[k], b, compliance: k * 1e-3 }))
    const before = world.momentum().linear
    run(world, 60)
    const after = world.momentum().linear
    after.forEach((p, k) => {
      expect(Math.abs(p - before[k])).toBeLessThan(20 * ROUND_OFF)
    })
  })
})
