import { World } from '@tautline/core'
import { ballSocket } from '../../constraints/src/index.js'
import { describe, expect, it } from 'vitest'
import {
  baumgarte,
  byImpulses,
  compare,
  type ComparisonScene,
  contenders,
  convergence,
  displacement,
  softStep,
} from '../src/index.js'

/** A pendulum of three links: its error is the worst gap of its joints [m]. */
const pendulum: ComparisonScene = {
  name: 'pendulum',
  unit: 'm',
  seconds: 0.5,
  about: 'worst joint gap',
  read: 'worst',
  build(options) {
    const world = new World(options)
    let last = null
    for (let k = 0; k < 3; k++) {
      const body = world.addBody({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [k + 0.5, 0, 0] })
      world.add(ballSocket, { a: last, b: body, point: [k, 0, 0] })
      last = body
    }
    return { world, error: () => world.residual().ballSocket.linear?.max ?? 0 }
  },
}

/** The same in free space. */
const free: ComparisonScene = {
  ...pendulum,
  name: 'free',
  isolated: true,
  build(options) {
    const world = new World({ ...options, gravity: [0, 0, 0] })
    const [a, b] = [0, 1].map((k) => world.addBody({ mass: 1, inertia: [0.1, 0.1, 0.1], position: [k, 0, 0] }))
    b.setVelocity([0, 3, 0])
    world.add(ballSocket, { a, b, point: [0.5, 0, 0] })
    return { world, error: () => world.residual().ballSocket.linear?.max ?? 0 }
  },
}

const COARSE = { substeps: 1, iterations: 5 }
const FINE = { substeps: 16, iterations: 1 }
/** Round-off of positions over h, summed over the substeps of a run [kg m/s]. */
const ROUND_OFF = 1e-11

describe('compare', () => {
  it('runs every contender at every budget, the finer with less error and more cost', () => {
    const { scene, unit, rows } = compare(pendulum, contenders, [COARSE, FINE])
    expect([scene, unit]).toEqual(['pendulum', 'm'])
    expect(rows.map(({ contender, budget }) => [contender, budget])).toEqual(
      contenders.flatMap(({ name }) => [
        [name, COARSE],
        [name, FINE],
      ]),
    )
    for (let k = 0; k < rows.length; k += 2) {
      expect(rows[k + 1].error, rows[k].contender).toBeLessThan(rows[k].error)
      expect(rows[k + 1].updates, rows[k].contender).toBeGreaterThan(rows[k].updates)
      expect(rows[k].worst).toBeGreaterThanOrEqual(rows[k].rms)
      expect(rows[k].microseconds).toBeUndefined()
    }
  })

  it('counts rows times sweeps for both schools', () => {
    const { rows } = compare(pendulum, [displacement, baumgarte], [COARSE])
    expect(rows.map(({ updates }) => updates)).toEqual([9 * 5, 9 * 5])
  })

  it('times steps with the clock that it is given', () => {
    let now = 0
    const { rows } = compare(pendulum, [displacement], [COARSE], { clock: () => (now += 2) })
    expect(rows[0].microseconds).toBe(2000)
  })

  it('tells momentum of isolated scenes alone, and finds it kept', () => {
    expect(compare(pendulum, [displacement], [COARSE]).rows[0].momentumChange).toBeUndefined()
    for (const row of compare(free, contenders, [FINE]).rows) {
      expect(row.momentumChange, row.contender).toBeLessThan(ROUND_OFF)
      expect(row.angularChange).toBeGreaterThanOrEqual(0)
    }
  })

  it('calls an error that is not finite infinite', () => {
    const lost: ComparisonScene = {
      ...pendulum,
      build: (options) => ({ ...pendulum.build(options), error: () => NaN }),
    }
    expect(compare(lost, [displacement], [COARSE]).rows[0].error).toBe(Infinity)
  })

  it('takes the last error where a scene asks for it, and calls what comes before each step', () => {
    let calls = 0
    let left = 100
    const counted: ComparisonScene = {
      ...pendulum,
      read: 'last',
      build: (options) => ({ world: pendulum.build(options).world, error: () => left--, beforeStep: () => calls++ }),
    }
    const [row] = compare(counted, [displacement], [COARSE]).rows
    expect(calls).toBe(30)
    expect([row.error, row.worst]).toEqual([71, 100])
  })

  it('lets a contender’s options depend on its budget', () => {
    const seen: number[] = []
    const spy = byImpulses('spy', ({ substeps }) => {
      seen.push(substeps)
      return { stabilization: 'none' }
    })
    compare(pendulum, [spy, softStep], [COARSE, FINE])
    expect(seen).toEqual([1, 16])
  })
})

describe('convergence', () => {
  it('falls with sweeps from the same state, to nothing', () => {
    for (const contender of [displacement, baumgarte]) {
      const [few, some, many] = convergence(pendulum, contender, [1, 8, 64], 0.2).map(({ distance }) => distance)
      expect(some, contender.name).toBeLessThan(few)
      expect(many, contender.name).toBeLessThan(some / 100)
    }
  })
})
