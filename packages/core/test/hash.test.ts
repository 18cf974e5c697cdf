import { describe, expect, test } from 'vitest'
import { World } from '../src/index.js'
import { link } from './support/link.js'
import { randomWorld, run } from './support/random.js'

function flipLastBit(column: Float64Array, k: number): void {
  const bits = new BigUint64Array(column.buffer, column.byteOffset + 8 * k, 1)
  bits[0] ^= 1n
}

describe('hash', () => {
  test('16 hexadecimal digits, the same when asked again', () => {
    const { world } = randomWorld(2)
    run(world, 3)
    expect(world.hash()).toMatch(/^[0-9a-f]{16}$/)
    expect(world.hash()).toBe(world.hash())
  })

  test('one bit of pose, velocity or multiplier changes it', () => {
    const { world } = randomWorld(2)
    run(world, 3)
    const before = world.hash()
    const { position, orientation, velocity, angularVelocity } = world.bodies.columns
    for (const [column, stride] of [
      [position, 4],
      [orientation, 4],
      [velocity, 3],
      [angularVelocity, 3],
    ] as const) {
      for (let k = 0; k < stride; k++) {
        const at = stride * 5 + k
        flipLastBit(column, at)
        expect(world.hash()).not.toBe(before)
        flipLastBit(column, at)
      }
    }
    const batch = world.batches.find((b) => b.active > 0)
    flipLastBit(batch?.common.lambda as Float64Array, 0)
    expect(world.hash()).not.toBe(before)
    flipLastBit(batch?.common.lambda as Float64Array, 0)
    expect(world.hash()).toBe(before)
  })

  test('two numbers that change places change it', () => {
    const hashes = [
      [1, 2],
      [2, 1],
    ].map(([x, y]) => {
      const world = new World()
      world.addBody({ position: [x, y, 0] })
      return world.hash()
    })
    expect(hashes[0]).not.toBe(hashes[1])
  })

  test('+0 and −0 are the same', () => {
    const [plus, minus] = [0, -0].map((zero) => {
      const world = new World()
      world.addBody({ position: [zero, 1, zero], velocity: [zero, zero, zero] })
      return world.hash()
    })
    expect(plus).toBe(minus)
  })

  test('switching a constraint off changes it; what was removed leaves no trace', () => {
    const world = new World()
    const [a, b] = [0, 1].map((x) => world.addBody({ position: [x, 0, 0] }))
    const bare = world.hash()
    const joint = world.add(link, { a, b })
    const on = world.hash()
    expect(on).not.toBe(bare)
    joint.enabled = false
    expect(world.hash()).not.toBe(on)
    joint.remove()
    world.addBody({}).remove()
    expect(world.hash()).toBe(bare)
  })
})
