import { World } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import { box, type Collider, Collisions, onTrigger, overlapping, plane, sphere } from '../src/index.js'

function scene() {
  const world = new World({ gravity: [0, 0, 0] })
  const collisions = new Collisions(world)
  const gate = collisions.addCollider(null, { shape: box([1, 1, 1]), sensor: true, name: 'gate' })
  const ball = collisions.addBody({ shape: sphere(0.2), position: [-2, 0, 0], velocity: [4, 0, 0], name: 'ball' })
  return { world, collisions, gate, ball, own: collisions.collidersOf(ball)[0] }
}

describe('onTrigger', () => {
  it('tells who came, stays and left, each once a step, also where a frame has several steps', () => {
    const { world, collisions, gate, own } = scene()
    const seen: string[] = []
    const note = (word: string) => (other: Collider, sensor: Collider) => {
      expect([other, sensor]).toEqual([own, gate])
      seen.push(word)
    }
    onTrigger(collisions, gate, { enter: note('enter'), stay: note('stay'), leave: note('leave') })
    for (let frame = 0; frame < 15; frame++) world.advance(0.1)
    expect(seen[0]).toBe('enter')
    expect(seen.at(-1)).toBe('leave')
    // 2.4 m at 4 m/s are 36 steps.
    expect(seen.length).toBeGreaterThan(35)
    expect(seen.slice(1, -1).every((word) => word === 'stay')).toBe(true)
  })

  it('may add, change and remove, the sensor itself too', () => {
    const { world, collisions, gate, ball } = scene()
    let left = 0
    onTrigger(collisions, gate, {
      enter(other, sensor) {
        collisions.addBody({ shape: sphere(0.1), position: [9, 0, 0] })
        other.set({ friction: 0.1 })
        ball.setVelocity([0, 0, 0])
        sensor.remove()
      },
      leave: () => left++,
    })
    for (let k = 0; k < 60; k++) world.step()
    expect(gate.alive).toBe(false)
    expect(left).toBe(1)
    expect(world.bodies.all().length).toBe(2)
  })

  it('tells of what was removed within it', () => {
    const { world, collisions, gate, ball } = scene()
    const left: boolean[] = []
    onTrigger(collisions, gate, { enter: () => ball.remove(), leave: (other) => left.push(other.alive) })
    for (let k = 0; k < 60; k++) world.step()
    expect(left).toEqual([false])
  })

  it('ends, and throws what a handler throws when all have been told', () => {
    const { world, collisions, gate } = scene()
    let calls = 0
    const end = onTrigger(collisions, gate, { stay: () => calls++ })
    onTrigger(collisions, gate, {
      enter() {
        throw new RangeError('mine')
      },
    })
    let thrown = 0
    for (let k = 0; k < 30; k++) {
      try {
        world.step()
      } catch (error) {
        expect(error).toEqual(new RangeError('mine'))
        thrown++
      }
    }
    expect(thrown).toBe(1)
    expect(calls).toBeGreaterThan(0)
    const before = calls
    end()
    world.step()
    expect(calls).toBe(before)
  })

  it('changes no bit of the world, and goes on after restore', () => {
    const plain = scene()
    const watched = scene()
    let entered = 0
    onTrigger(watched.collisions, watched.gate, { enter: () => entered++ })
    const start = watched.world.snapshot()
    for (const { world } of [plain, watched]) for (let k = 0; k < 40; k++) world.step()
    expect(watched.world.hash()).toBe(plain.world.hash())
    watched.world.restore(start)
    for (let k = 0; k < 40; k++) watched.world.step()
    expect(entered).toBe(2)
  })

  it('refuses what is no sensor, and unknown handlers', () => {
    const { collisions, gate, own } = scene()
    expect(() => onTrigger(collisions, own, {})).toThrow(/sensor must be one/)
    expect(() => onTrigger(collisions, gate, { exit: () => 0 } as never)).toThrow(/exit/)
    expect(() => onTrigger(collisions, gate, { enter: 3 as never })).toThrow(/enter/)
    expect(() => onTrigger(scene().collisions, gate, {})).toThrow(/another's/)
    gate.remove()
    expect(() => onTrigger(collisions, gate, {})).toThrow(RangeError)
  })
})

describe('overlapping', () => {
  it('has what is in a sensor, and what touches, by number', () => {
    const { world, collisions, gate, ball, own } = scene()
    expect(overlapping(collisions, gate)).toEqual([])
    const floor = collisions.addCollider(null, { shape: plane([0, 1, 0], -0.2) })
    for (let k = 0; k < 30; k++) {
      ball.applyForce([0, -5, 0])
      world.step()
    }
    expect(overlapping(collisions, gate)).toEqual([own])
    expect(overlapping(collisions, own)).toEqual([gate, floor])
  })
})
