import { describe, expect, it } from 'vitest'
import { assembliesFromJSON, pulleys, pulleysKind, type PulleysDef } from '@tautline/assemblies'
import * as constraints from '@tautline/constraints'
import { type Body, fromJSON, solidBox, World } from '@tautline/core'
import type { AnyType } from '@tautline/core/kernel'
import type { vec3 } from 'gl-matrix'

/** What one row leaves of a balance that it solves by itself, in shares of it. */
const BALANCED = 1e-6
const G = 9.81

const types = Object.values(constraints).filter(
  (type) => typeof type === 'object' && 'evaluate' in type,
) as unknown as AnyType[]

function steps(world: World, count: number): void {
  for (let k = 0; k < count; k++) world.step()
}

function crate(world: World, mass: number, position: vec3): Body {
  return world.addBody({ position, mass, inertia: solidBox(mass, [1, 1, 1]) })
}

/** A load on three falls of a rope: up from it, down to it, up and over to the weight. */
function tackle(world: World, load: number, weight: number): { load: Body; weight: Body; def: PulleysDef } {
  const a = crate(world, load, [0, 0, 0])
  const b = crate(world, weight, [4, 0, 0])
  // All falls hang upright over the middle of the load.
  const points = [{ body: a, point: [0, 0.5, 0] }, { point: [0, 6, 0] }, { body: a, point: [0, 0.5, 0] }] as const
  return { load: a, weight: b, def: { points: [...points, { point: [0, 6, 0] }, { point: [4, 6, 0] }, b] } }
}

describe('pulleys', () => {
  it('three falls lift three times their weight', () => {
    const world = new World({ substeps: 4 })
    const { load, weight, def } = tackle(world, 30, 10)
    const rope = pulleys(world, def)
    steps(world, 120)
    expect(Math.abs(rope.tension / (10 * G) - 1)).toBeLessThan(BALANCED)
    expect(Math.abs(load.velocity[1])).toBeLessThan(1e-6)
    expect(Math.abs(weight.velocity[1])).toBeLessThan(1e-6)
  })

  it('accelerates by the masses that it joins: a = g (3 m − M)/(M + 9 m)', () => {
    const world = new World({ substeps: 4 })
    const { load, def } = tackle(world, 20, 10)
    pulleys(world, def)
    steps(world, 30)
    const acceleration = (G * (3 * 10 - 20)) / (20 + 9 * 10)
    expect(Math.abs(load.velocity[1] / (0.5 * acceleration) - 1)).toBeLessThan(1e-3)
  })

  it('takes in and pays out, and stops where it should', () => {
    const world = new World({ substeps: 4 })
    const load = crate(world, 20, [0, 0, 0])
    const rope = pulleys(world, { points: [{ point: [1, 5, 0] }, { point: [0, 5, 0] }, load] })
    rope.length -= 2
    steps(world, 180)
    expect(load.position[1]).toBeCloseTo(2, 6)
    rope.reel(1)
    steps(world, 60)
    expect(load.velocity[1]).toBeCloseTo(-1, 6)
  })

  it('keeps the length of a swinging, turning load, and gains nothing', () => {
    const world = new World({ substeps: 4 })
    const load = crate(world, 5, [1, -2, 0.4])
    load.setAngularVelocity([1, 4, 2])
    const other = crate(world, 8, [4, -2, 0])
    pulleys(world, {
      points: [{ body: load, point: [1.3, -1.5, 0.2] }, { point: [0, 2, 0] }, { point: [3, 2, 0] }, other],
    })
    const start = world.energy()
    let most = -Infinity
    for (let k = 0; k < 600; k++) {
      world.step()
      most = Math.max(most, world.energy().total - start.total)
    }
    expect(most).toBeLessThan(0.01 * start.kinetic)
  })

  it('breaks, hangs slack, and is saved, read and restored to the bit', () => {
    const world = new World({ substeps: 2 })
    const { def } = tackle(world, 30, 12)
    pulleys(world, { points: def.points, name: 'other', length: 50 })
    const rope = pulleys(world, { ...def, name: 'tackle', breakForce: 1e4, winchForce: 500 })
    rope.reel(-0.2)
    steps(world, 10)
    const again = fromJSON(JSON.stringify(world), types as never, { assemblies: assembliesFromJSON([pulleysKind]) })
    const snapshot = world.snapshot()
    steps(world, 60)
    steps(again, 60)
    expect(again.hash()).toBe(world.hash())
    const hash = world.hash()
    world.restore(snapshot)
    steps(world, 60)
    expect(world.hash()).toBe(hash)
    const weak = new World()
    const load = crate(weak, 10, [0, 0, 0])
    const thread = pulleys(weak, { points: [{ point: [0, 3, 0] }, load], breakForce: 50 })
    steps(weak, 10)
    expect(thread.broken).toBe(true)
  })

  it('says what is wrong, and adds nothing', () => {
    const world = new World()
    const body = crate(world, 1, [0, 0, 0])
    const wrong: [unknown, RegExp][] = [
      [{ points: [body] }, /points must be 2 to 16, got 1/],
      [{ points: [{ point: [0, 1, 0] }, { point: [0, 2, 0] }] }, /the world alone/],
      [{ points: [body, {}] }, /must have a body or a point/],
      [{ points: [body, { point: [0, NaN, 0] }] }, /points\[1\]: point/],
      [{ points: [body, { point: [0, 1, 0] }], length: 0 }, /length must be > 0/],
      [{ points: [body, { point: [0, 1, 0] }], friction: 1 }, /friction/],
    ]
    for (const [def, message] of wrong) expect(() => pulleys(world, def as PulleysDef)).toThrow(message)
    expect(world.constraints()).toHaveLength(0)
  })
})

it('what has lost a body is saved and read all the same', () => {
  const world = new World()
  const load = crate(world, 10, [0, 0, 0])
  const rope = pulleys(world, { points: [{ point: [0, 3, 0] }, load], breakForce: 500 })
  load.remove()
  steps(world, 2)
  expect([rope.broken, rope.length, rope.tension]).toEqual([true, 0, 0])
  const again = fromJSON(JSON.stringify(world), types as never, { assemblies: assembliesFromJSON([pulleysKind]) })
  steps(world, 5)
  steps(again, 5)
  expect(again.hash()).toBe(world.hash())
})
