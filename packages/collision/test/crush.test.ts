/** A press against a character: it is crushed against what is behind it, and passes through nothing. */

import { World } from '@tautline/core'
import { describe, expect, test } from 'vitest'
import {
  box,
  capsule,
  type Character,
  Collisions,
  compound,
  createCharacter,
  cylinder,
  heightfield,
  moveCharacter,
  plane,
  type Shape,
  sphere,
  triangleMesh,
} from '../src/index.js'
import { Random } from '../../core/test/support/random.js'

const DT = 1 / 60
const GRAVITY = 9.81

/** Floors at a height of 0. */
const FLOORS = {
  plane: () => ({ shape: plane([0, 1, 0]), y: 0 }),
  'thick box': () => ({ shape: box([10, 0.5, 10]), y: -0.5 }),
  'thin box': () => ({ shape: box([10, 0.02, 10]), y: -0.02 }),
  mesh: () => ({ shape: triangleMesh([-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9], [0, 2, 1, 0, 3, 2]), y: 0 }),
  field: () => ({
    shape: heightfield({ heights: new Float64Array(100), columns: 10, rows: 10, cellX: 2, cellZ: 2 }),
    y: 0,
  }),
} satisfies Record<string, () => { shape: Shape; y: number }>

function fall(collisions: Collisions, hero: Character, shape: Shape, x = 0, jump = 0, z = 0): void {
  const { velocity } = hero
  const wanted = hero.grounded ? [x, jump, z] : [velocity[0], velocity[1] - GRAVITY * DT, velocity[2]]
  moveCharacter(collisions, hero, wanted as [number, number, number], DT, { shape })
}

describe('a press', () => {
  for (const [name, make] of Object.entries(FLOORS)) {
    for (const low of [1.6, 0.8, 0.3]) {
      test(`down to ${low} m on a ${name} crushes a character of 1.8 m, and lets it stand when it is gone`, () => {
        const world = new World()
        const collisions = new Collisions(world)
        const { shape, y } = make()
        collisions.addCollider(null, { shape, position: [0, y, 0] })
        const press = world.addBody({ type: 'kinematic', position: [0, 3, 0] })
        const plate = collisions.addCollider(press, { shape: box([3, 0.2, 3]) })
        const hero = createCharacter({ position: [0, 0.92, 0] })
        const body = capsule(0.3, 0.6)
        for (let k = 0; k < 440; k++) {
          const height = k < 200 ? Math.max(3 - k * DT, low + 0.2) : low + 0.2 + (k - 200) * DT
          press.setTarget([0, height, 0])
          world.step()
          fall(collisions, hero, body)
          expect(hero.position[1]).toBeGreaterThan(0.9)
          expect(hero.position[1]).toBeLessThan(0.93)
          if (k === 199) {
            expect(hero.crushedBy === plate).toBe(true)
            expect(hero.crushNormal[1]).toBeCloseTo(-1, 6)
            expect(hero.penetration).toBeGreaterThan(0.1)
          }
        }
        expect([hero.crushedBy, hero.penetration, hero.grounded]).toEqual([null, 0, true])
        expect([...hero.crushNormal]).toEqual([0, 0, 0])
      })
    }
  }

  test('from any side, in random rooms, on random shapes that walk and jump, lets none out of the room', () => {
    const random = new Random(11)
    const shapes = [
      capsule(0.3, 0.6),
      sphere(0.4),
      box([0.3, 0.8, 0.3]),
      cylinder(0.35, 0.7),
      compound([
        { shape: sphere(0.3), position: [0, 0.5, 0] },
        { shape: box([0.2, 0.4, 0.2]), position: [0, -0.4, 0] },
      ]),
    ]
    let crushed = 0
    for (let run = 0; run < 100; run++) {
      const world = new World()
      const collisions = new Collisions(world)
      const thickness = random.between(0.02, 0.5)
      // A closed room of 4 m.
      for (let axis = 0; axis < 3; axis++) {
        for (const side of [-1, 1]) {
          const half = [0, 1, 2].map((k) => (k === axis ? thickness : 4)) as [number, number, number]
          const position = [0, 2, 0]
          position[axis] += side * (2 + thickness)
          collisions.addCollider(null, { shape: box(half), position: position as [number, number, number] })
        }
      }
      const axis = random.below(3)
      const side = random.chance(0.5) ? 1 : -1
      const half = [0, 1, 2].map((k) => (k === axis ? random.between(0.1, 0.5) : random.between(0.3, 1.9)))
      const place = (along: number): [number, number, number] => {
        const position: [number, number, number] = [0, 2, 0]
        position[axis] += side * along
        return position
      }
      const press = world.addBody({ type: 'kinematic', position: place(2) })
      collisions.addCollider(press, { shape: box(half as [number, number, number]) })
      const shape = shapes[random.below(shapes.length)]
      const hero = createCharacter({ position: [random.between(-0.3, 0.3), 1.2, random.between(-0.3, 0.3)] })
      const speed = random.between(0.5, 4)
      const deep = random.between(-2 + half[axis], 0)
      let walk = random.direction()
      for (let k = 0; k < 300; k++) {
        press.setTarget(place(k < 150 ? Math.max(deep, 2 - speed * k * DT) : Math.min(3, deep + 4 * (k - 150) * DT)))
        world.step()
        const jump = random.chance(0.02) ? 5 : 0
        if (random.chance(0.02)) walk = random.direction()
        fall(collisions, hero, shape, 3 * walk[0], jump, 3 * walk[2])
        for (let i = 0; i < 3; i++) expect(Math.abs(hero.position[i] - (i === 1 ? 2 : 0))).toBeLessThan(2)
        expect(hero.crushedBy !== null).toBe(hero.penetration > 0)
        if (hero.crushedBy !== null) crushed++
      }
      expect(hero.crushedBy === null).toBe(true)
    }
    expect(crushed).toBeGreaterThan(1000)
  })
})
