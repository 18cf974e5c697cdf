/** Angles of hinges, universal joints and twists over whole turns: stops that hold, read-outs, drives, and what keeps the count. */

import fc from 'fast-check'
import { type Body, type Constraint, fromJSON, solidBox, World, type WorldOptions } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../core/test/support/runs.js'
import { angleOf, hinge, type HingeDef, swingTwist, type SwingTwistDef, twistOf, universal } from '../../src/index.js'

const DEGREE = Math.PI / 180
const TURN = 2 * Math.PI
/** How far a stop gives way under an impact that is solved by sweeps [rad]. */
const STOP = 0.02
const INERTIA = solidBox(1, [0.4, 0.3, 0.2])

type Kind = 'hinge' | 'universalA' | 'universalB' | 'twist'
type Path = 'trees' | 'general' | 'sweep'

interface Spun {
  world: World
  body: Body
  joint: Constraint
}

/** A body that spins about z, by a joint whose angle has the limits; `general` has a soft point, which the fast solution of trees does not take. */
function spun(kind: Kind, path: Path, limits: { min: number; max: number }, options: WorldOptions = {}): Spun {
  const world = new World({ gravity: [0, 0, 0], ...options })
  const body = world.addBody({ mass: 1, inertia: INERTIA })
  const common = {
    b: body,
    point: [0, 0, 0] as const,
    solver: path === 'sweep' ? ('sweep' as const) : ('direct' as const),
    ...(path === 'general' && { compliance: 1e-9 }),
  }
  const joint =
    kind === 'hinge'
      ? world.add(hinge, { ...common, axis: [0, 0, 1], limits })
      : kind === 'twist'
        ? world.add(swingTwist, { ...common, axis: [0, 0, 1], twist: limits })
        : kind === 'universalA'
          ? world.add(universal, { ...common, axisA: [0, 0, 1], axisB: [1, 0, 0], limitsA: limits })
          : world.add(universal, { ...common, axisA: [1, 0, 0], axisB: [0, 0, 1], limitsB: limits })
  return { world, body, joint: joint as Constraint }
}

describe('stops', () => {
  test('of any range stop any spin below half a turn a substep, wherever they are', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<Kind>('hinge', 'universalA', 'universalB', 'twist'),
        fc.constantFrom<Path>('trees', 'general', 'sweep'),
        fc.constantFrom(1, 2, 4, 8),
        fc.double({ min: 0.2, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 5 * TURN, noNaN: true }),
        fc.double({ min: 0.3, max: 0.95, noNaN: true }),
        fc.boolean(),
        (kind, path, substeps, width, turns, share, isBackward) => {
          const sign = isBackward ? -1 : 1
          const [low, high] = [-0.1 - width, 0.1 + width + turns]
          const limits = isBackward ? { min: -high, max: -low } : { min: low, max: high }
          const { world, body } = spun(kind, path, limits, { substeps })
          const speed = share * Math.PI * 60 * substeps
          body.setAngularVelocity([0, 0, sign * speed])
          let [turned, most] = [0, 0]
          const h = 1 / 60 / substeps
          world.onVelocities(() => {
            turned += h * body.angularVelocity[2]
            most = Math.max(most, sign * turned)
          })
          const steps = Math.ceil((60 * high) / speed) + 120
          for (let k = 0; k < steps; k++) world.step()
          expect(most).toBeLessThan(high + (path === 'trees' ? 1e-4 : Math.PI / 4))
          expect(sign * turned).toBeGreaterThan(low - STOP)
        },
      ),
      { numRuns: runs(200) },
    )
  })

  test.each(['hinge', 'twist'] as const)('of a full turn, and of one just short of it, hold a %s', (kind) => {
    for (const path of ['trees', 'general', 'sweep'] as const) {
      for (const gap of [0, 0.5, 1, 10]) {
        for (const speed of [1, 7, 30, 120]) {
          for (const [min, max] of [
            [0, 360 - gap],
            [gap / 2 - 180, 180 - gap / 2],
          ]) {
            const { world, body, joint } = spun(kind, path, { min: min * DEGREE, max: max * DEGREE })
            body.setAngularVelocity([0, 0, speed])
            for (let k = 0; k < 60 * (0.5 + 7 / speed); k++) world.step()
            const angle = kind === 'hinge' ? angleOf(joint as never) : twistOf(joint as never)
            expect(angle).toBeLessThan(max * DEGREE + STOP)
            expect(angle).toBeGreaterThan(min * DEGREE - STOP)
            expect(Math.abs(body.angularVelocity[2])).toBeLessThan(0.05 * speed)
          }
        }
      }
    }
  })
})

describe('read-outs', () => {
  test('of a free hinge and twist count every turn, also at more than a turn a substep', () => {
    for (const substeps of [1, 8]) {
      for (const speed of [1, 50, 300, 600]) {
        for (const sign of [1, -1]) {
          for (const kind of ['hinge', 'twist'] as const) {
            const { world, body, joint } = spun(kind, 'trees', { min: -Infinity, max: Infinity }, { substeps })
            body.setAngularVelocity([0, 0, sign * speed])
            for (let k = 0; k < 60; k++) world.step()
            const angle =
              kind === 'hinge'
                ? angleOf(joint as unknown as Constraint<HingeDef>)
                : twistOf(joint as unknown as Constraint<SwingTwistDef>)
            expect(angle / (sign * speed)).toBeCloseTo(1, 4)
          }
        }
      }
    }
  })

  test('twistOf refuses other joints', () => {
    const { joint } = spun('hinge', 'trees', { min: 0, max: 1 })
    expect(() => twistOf(joint as never)).toThrow('twistOf: constraint must be a swingTwist, got hinge')
  })
})

describe('a drive', () => {
  test('of a hinge with limits goes to a target over several turns, and back', () => {
    for (const solver of ['direct', 'sweep'] as const) {
      const world = new World({ gravity: [0, 0, 0] })
      const b = world.addBody({ mass: 1, inertia: INERTIA })
      const drive = { stiffness: 2, damping: 0.3, positionTarget: 3 * TURN }
      const limits = { min: -4 * Math.PI, max: 8 * Math.PI }
      const joint = world.add(hinge, { b, point: [0, 0, 0], axis: [0, 0, 1], limits, drive, solver })
      for (let k = 0; k < 600; k++) world.step()
      expect(angleOf(joint)).toBeCloseTo(3 * TURN, 3)
      joint.set({ drive: { positionTarget: -TURN } })
      for (let k = 0; k < 600; k++) world.step()
      expect(angleOf(joint)).toBeCloseTo(-TURN, 3)
    }
  })
})

describe('the count', () => {
  /** Turned by 2.5 turns, with a stop at 3. */
  function wound(): Spun & { joint: Constraint<HingeDef> } {
    const made = spun('hinge', 'trees', { min: -1, max: 3 * TURN })
    made.body.setAngularVelocity([0, 0, 2.5 * TURN])
    for (let k = 0; k < 60; k++) made.world.step()
    return made as never
  }

  test('is in snapshots and in JSON', () => {
    const { world, joint } = wound()
    const saved = world.snapshot()
    const text = JSON.stringify(world)
    for (let k = 0; k < 120; k++) world.step()
    const end = [world.hash(), angleOf(joint)]
    expect(end[1]).toBeCloseTo(3 * TURN, 2)
    world.restore(saved)
    expect(angleOf(joint)).toBeCloseTo(2.5 * TURN, 9)
    for (let k = 0; k < 120; k++) world.step()
    expect([world.hash(), angleOf(joint)]).toEqual(end)
    const copy = fromJSON(text, [hinge])
    for (let k = 0; k < 120; k++) copy.step()
    expect([copy.hash(), angleOf(copy.constraints()[0] as never)]).toEqual(end)
  })

  test('is not lost when limits are changed, and changes by whole turns when they exclude it', () => {
    const { joint } = wound()
    joint.set({ limits: { min: 0, max: 5 * TURN } })
    expect(angleOf(joint)).toBeCloseTo(2.5 * TURN, 9)
    joint.set({ limits: { min: 0, max: TURN } })
    expect(angleOf(joint)).toBeCloseTo(0.5 * TURN, 9)
  })

  test('starts within the limits, nearest to the reference', () => {
    for (const [start, min, max, expected] of [
      [0, 0, 2 * TURN, 0],
      [0, TURN, 3 * TURN, TURN],
      [170, -200 * DEGREE, -185 * DEGREE, -190 * DEGREE],
      [150, -200 * DEGREE, -185 * DEGREE, -210 * DEGREE],
    ]) {
      const { world, body, joint } = spun('hinge', 'trees', { min, max })
      const half = 0.5 * start * DEGREE
      body.setOrientation([0, 0, Math.sin(half), Math.cos(half)])
      expect(angleOf(joint as never)).toBeCloseTo(expected, 9)
      for (let k = 0; k < 10; k++) world.step()
      expect(angleOf(joint as never)).toBeCloseTo(Math.max(expected, min), 4)
    }
  })

  test('of a body that is set elsewhere is one within the limits', () => {
    const { world, body, joint } = spun('hinge', 'trees', { min: 0, max: 359 * DEGREE })
    body.setOrientation([0, 0, Math.sin(175 * DEGREE), Math.cos(175 * DEGREE)])
    for (let k = 0; k < 5; k++) world.step()
    expect(angleOf(joint as never)).toBeCloseTo(350 * DEGREE, 9)
    body.setOrientation([0, 0, Math.sin(5 * DEGREE), Math.cos(5 * DEGREE)])
    for (let k = 0; k < 5; k++) world.step()
    expect(angleOf(joint as never)).toBeCloseTo(10 * DEGREE, 9)
  })

  test('of a joint that was off is one within the limits', () => {
    const { world, body, joint } = spun('hinge', 'trees', { min: 0, max: 359 * DEGREE })
    body.setAngularVelocity([0, 0, 350 * DEGREE])
    for (let k = 0; k < 60; k++) world.step()
    joint.set({ enabled: false })
    for (let k = 0; k < 4; k++) world.step()
    joint.set({ enabled: true })
    body.setAngularVelocity([0, 0, 0])
    for (let k = 0; k < 5; k++) world.step()
    expect(angleOf(joint as never)).toBeCloseTo((350 + (350 * 4) / 60 - 360) * DEGREE, 6)
  })

  test('of a twist does not grow where the body swings over', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const b = world.addBody({ mass: 1, inertia: INERTIA, angularVelocity: [0.3, 11, 0.1] })
    const joint = world.add(swingTwist, { b, point: [0, 0, 0], axis: [0, 0, 1], twist: { min: -1, max: 1 } })
    for (let k = 0; k < 600; k++) {
      world.step()
      expect(Math.abs(twistOf(joint))).toBeLessThan(TURN)
    }
  })
})
