import { describe, expect, test } from 'vitest'
import { type Body, World } from '@tautline/core'
import {
  box,
  capsule,
  Collisions,
  compound,
  convexHull,
  plane,
  type Shape,
  sphere,
  taperedCapsule,
} from '../src/index.js'

const SHAPES: Readonly<Record<string, Shape>> = {
  box: box([0.2, 0.3, 0.4]),
  sphere: sphere(0.3),
  capsule: capsule(0.1, 0.4),
  taperedCapsule: taperedCapsule(0.1, 0.2, 0.4),
  hull: convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
  compound: compound([{ shape: box([0.01, 0.3, 0.01]) }, { shape: box([0.06, 0.02, 0.02]), position: [0, 0.3, 0] }]),
}
const AMOUNTS = [{}, { density: 300 }, { mass: 20 }] as const
const TURNED = { origin: [1, 2, 3], orientation: [0.48, 0, 0.36, 0.8] } as const

function matter(body: Body): number[] {
  return [body.mass, ...body.principalInertia, ...body.position, ...body.orientation]
}

describe('a body that is made static or kinematic with a shape', () => {
  for (const type of ['static', 'kinematic'] as const) {
    test.each(Object.keys(SHAPES))(`${type} %s becomes the dynamic body of the same definition`, (name) => {
      for (const amount of AMOUNTS) {
        const collisions = new Collisions(new World({ gravity: [0, 0, 0] }))
        const def = { shape: SHAPES[name], ...amount, ...TURNED }
        const dynamic = collisions.addBody(def)
        const held = collisions.addBody({ ...def, type })
        expect([held.type, held.mass, ...held.position]).toEqual([type, Infinity, ...dynamic.position])
        held.type = 'dynamic'
        expect(matter(held)).toEqual(matter(dynamic))
      }
    })
  }

  test('without a finite mass it cannot become dynamic', () => {
    const collisions = new Collisions(new World())
    const ground = collisions.addBody({ shape: plane([0, 1, 0], 0), type: 'static' })
    const wall = collisions.addBody({ shape: box([1, 1, 1]), mass: Infinity })
    for (const body of [ground, wall]) expect(() => (body.type = 'dynamic')).toThrow(/without a finite mass/)
  })
})
