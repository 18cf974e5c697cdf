/** Stacks, a pyramid and a heap, for seconds, with numbers. Measured values stand beside the bounds, which leave room. */

import type { Body } from '@tautline/core'
import { expect, test } from 'vitest'
import { box, plane, sphere } from '../../src/index.js'
import { fastest, run, scene, type Scene } from '../support/scene.js'

/** How far bodies are from where they were put [m]. */
function drift(bodies: readonly Body[], places: readonly (readonly number[])[]): number {
  return Math.max(...bodies.map(({ position }, k) => Math.hypot(...places[k].map((x, i) => x - position[i]))))
}

/** Cosine of the largest lean. */
function upright(bodies: readonly Body[]): number {
  return Math.min(...bodies.map(({ orientation: [x, , z] }) => 1 - 2 * (x * x + z * z)))
}

function crates(s: Scene, places: readonly [number, number, number][], half: number): Body[] {
  s.collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0.6 })
  const shape = box([half, half, half])
  return places.map((position) => s.collisions.addBody({ shape, position, friction: 0.6 }))
}

test('a stack of ten stands for five seconds', () => {
  const s = scene()
  const places = Array.from({ length: 10 }, (_, k): [number, number, number] => [0, 0.5 + k, 0])
  const bodies = crates(s, places, 0.5)
  run(s, 300)
  expect(drift(bodies, places)).toBeLessThan(0.02)
  expect(upright(bodies)).toBeGreaterThan(1 - 1e-6)
  expect(fastest(s)).toBeLessThan(1e-6)
})

test('a pyramid with a base of six stands and comes to rest', () => {
  const s = scene()
  const places: [number, number, number][] = []
  for (let row = 0; row < 6; row++) {
    for (let i = 0; i < 6 - row; i++) places.push([1.1 * (i - (5 - row) / 2), 0.5 + row, 0])
  }
  const bodies = crates(s, places, 0.5)
  run(s, 300)
  expect(drift(bodies, places)).toBeLessThan(0.02)
  expect(upright(bodies)).toBeGreaterThan(1 - 1e-5)
  expect(fastest(s)).toBeLessThan(1e-3)
})

test('boxes that overlap are pushed apart without being thrown', () => {
  const s = scene()
  const places = Array.from({ length: 27 }, (_, k): [number, number, number] => [
    0.6 * (k % 3),
    0.5 + 0.6 * (Math.floor(k / 3) % 3),
    0.6 * Math.floor(k / 9),
  ])
  const bodies = crates(s, places, 0.5)
  let fast = 0
  let highest = 0
  for (let k = 0; k < 240; k++) {
    run(s, 1)
    for (const body of bodies) {
      fast = Math.max(fast, Math.hypot(...(body.velocity as [number, number, number])))
      highest = Math.max(highest, body.position[1])
    }
  }
  // Faster than a fall from the height of the heap it has no reason to be.
  expect(fast).toBeLessThan(8)
  expect(highest).toBeLessThan(5)
  for (const body of bodies) expect(body.position[1]).toBeGreaterThan(0.45)
  for (const event of s.collisions.events) {
    for (const { separation } of event.points) expect(separation).toBeGreaterThan(-0.03)
  }
})

test('a heavy crate on light ones, a hundred to one', () => {
  const s = scene()
  const places: [number, number, number][] = [
    [0, 0.5, 0],
    [0, 1.5, 0],
    [0, 2.5, 0],
  ]
  const bodies = crates(s, places, 0.5)
  bodies[2].setMass(100_000, 100_000 / 6)
  run(s, 300)
  expect(drift(bodies, places)).toBeLessThan(0.1)
  expect(upright(bodies)).toBeGreaterThan(1 - 1e-4)
})

test('balls poured into a box come to rest in it, and sleep', () => {
  const s = scene({}, { sleeping: {} })
  s.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  for (const [x, z] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ])
    s.collisions.addCollider(null, { shape: plane([-x, 0, -z], -1.2) })
  const shape = sphere(0.25)
  const bodies = Array.from({ length: 60 }, (_, k) =>
    s.collisions.addBody({
      shape,
      position: [
        0.55 * ((k % 4) - 1.5) + 0.01 * (k % 7),
        0.4 + 0.55 * Math.floor(k / 16),
        0.55 * (Math.floor(k / 4) % 4) - 0.8,
      ],
      rollingFriction: 0.02,
    }),
  )
  run(s, 420)
  for (const { position } of bodies) {
    expect(position[1]).toBeGreaterThan(0.24)
    expect(Math.abs(position[0])).toBeLessThan(0.96)
    expect(Math.abs(position[2])).toBeLessThan(0.96)
  }
  expect(bodies.every(({ asleep }) => asleep)).toBe(true)
})
