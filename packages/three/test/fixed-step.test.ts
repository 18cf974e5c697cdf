/** Steps of constant length under frames of any. */

import { fc, test } from '@fast-check/vitest'
import { World } from '@tautline/core'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { SEED } from '../../core/test/support/seed.js'
import { Bindings, FixedStep } from '../src/index.js'

function falling(): World {
  const world = new World({ maxSteps: 1000 })
  world.addBody({ velocity: [1, 2, 3], angularVelocity: [1, 0, 2], inertia: [1, 2, 3] })
  return world
}

describe(`FixedStep (seed ${SEED})`, () => {
  test.prop([fc.array(fc.double({ min: 0, max: 0.1, noNaN: true }), { maxLength: 30 })], { seed: SEED })(
    'runs through the same states as world.advance, for any frames',
    (frames) => {
      const [world, other] = [falling(), falling()]
      const stepper = new FixedStep(world)
      for (const frame of frames) {
        const made = other.advance(frame)
        const alpha = stepper.advance(frame)
        expect(stepper.steps).toBe(made)
        expect(alpha).toBe(other.alpha)
        expect(alpha).toBeLessThan(1)
        expect(world.hash()).toBe(other.hash())
      }
    },
  )

  it('slows down, stops, goes on by single steps', () => {
    const world = falling()
    const stepper = new FixedStep(world, { timeScale: 0.5 })
    for (let k = 0; k < 60; k++) stepper.advance(1 / 60)
    expect(world.clock.steps).toBeGreaterThanOrEqual(29)
    expect(world.clock.steps).toBeLessThanOrEqual(30)
    stepper.paused = true
    const { steps } = world.clock
    const alpha = stepper.alpha
    expect(stepper.advance(1)).toBe(alpha)
    expect(world.clock.steps).toBe(steps)
    expect(stepper.stepOnce()).toBe(alpha)
    expect(world.clock.steps).toBe(steps + 1)
    stepper.paused = false
    stepper.timeScale = 0
    stepper.advance(1)
    expect(world.clock.steps).toBe(steps + 1)
  })

  it('drops what it can not make up for, and says so', () => {
    const stepper = new FixedStep(falling(), { maxSteps: 3 })
    stepper.advance(1)
    expect(stepper.steps).toBe(3)
    expect(stepper.dropped).toBeCloseTo(1 - 3 / 60, 9)
    expect(stepper.alpha).toBe(0)
    stepper.maxSteps = 10
    stepper.advance(5.5 / 60)
    expect(stepper.steps).toBe(5)
    expect(stepper.dropped).toBe(0)
    stepper.reset()
    expect(stepper.alpha).toBe(0)
  })

  it('calls before and after each step, and leads driven bodies evenly', () => {
    const world = new World()
    const bindings = new Bindings(world)
    const object = new THREE.Object3D()
    const body = world.addBody({ type: 'kinematic', inertia: 1 })
    bindings.drive(body, object)
    const calls: string[] = []
    const places: number[] = []
    const stepper = new FixedStep(world, {
      bindings,
      beforeStep: (k, n) => calls.push(`before ${k} of ${n}`),
      afterStep: (k, n) => {
        calls.push(`after ${k} of ${n}`)
        places.push(body.position[0])
      },
    })
    object.position.x = 3
    stepper.advance(3.5 / 60)
    expect(calls).toEqual([0, 1, 2].flatMap((k) => [`before ${k} of 3`, `after ${k} of 3`]))
    places.forEach((x, k) => expect(x).toBeCloseTo(k + 1, 9))
  })

  it('takes a stamp older than the last as no time', () => {
    const world = falling()
    const stepper = new FixedStep(world)
    stepper.advance(-1)
    expect(stepper.steps).toBe(0)
    expect(world.clock.accumulator).toBe(0)
  })

  it('refuses what it can not use', () => {
    const world = falling()
    expect(() => new FixedStep(null as unknown as World)).toThrow('FixedStep: world must be a World, got null')
    expect(() => new FixedStep(world, { maxSteps: 0 })).toThrow('FixedStep: maxSteps must be an integer >= 1, got 0')
    expect(() => new FixedStep(world, { timeScale: -1 })).toThrow('FixedStep: timeScale must be >= 0, got -1')
    expect(() => new FixedStep(world, { timeScale: Infinity })).toThrow('FixedStep: timeScale must be finite')
    expect(() => new FixedStep(world, { beforeStep: 1 as never })).toThrow('beforeStep must be a function, got 1')
    expect(() => new FixedStep(world, { speed: 1 } as object)).toThrow('got speed')
    expect(() => new FixedStep(world, { bindings: new Bindings(new World()) })).toThrow("got another's")
    const stepper = new FixedStep(world)
    expect(() => stepper.advance(NaN)).toThrow('advance: frameTime must be finite, got NaN')
    expect(() => stepper.advance(Infinity)).toThrow('advance: frameTime must be finite, got Infinity')
    expect(() => (stepper.timeScale = NaN)).toThrow(RangeError)
    expect(() => (stepper.maxSteps = 1.5)).toThrow('maxSteps must be an integer >= 1, got 1.5')
    expect(world.clock.steps).toBe(0)
  })
})
