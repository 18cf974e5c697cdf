import { ballSocket } from '../../constraints/src/index.js'
import { World } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import { box, Collisions, compound, findOverlaps, plane, setPairCollision, sphere } from '../src/index.js'

const HALF = [0.5, 0.5, 0.5] as const

function scene() {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]), name: 'floor' })
  const crates = [0.5, 1.4, 2.5].map((y, k) =>
    collisions.addBody({ shape: box([...HALF]), position: [0, y, 0], name: `crate ${k}` }),
  )
  const found = (options = {}): [string | undefined, string | undefined, number][] =>
    findOverlaps(collisions, options).map(({ a, b, depth }) => [a.name, b.name, Number(depth.toFixed(9))])
  return { world, collisions, crates, found }
}

describe('findOverlaps', () => {
  it('names pairs that overlap as they were added, deepest first', () => {
    const { collisions, found } = scene()
    collisions.addBody({ shape: sphere(0.5), position: [0.75, 0.3, 0], name: 'ball' })
    // The ball is 0.2 m in the floor and 0.25 m in the lowest crate.
    expect(found()).toEqual([
      ['crate 0', 'ball', 0.25],
      ['floor', 'ball', 0.2],
      ['crate 0', 'crate 1', 0.1],
    ])
    expect(found({ tolerance: 0.15 })).toHaveLength(2)
  })

  it('gives the normal and depth by which the first one leaves the other', () => {
    const { collisions, crates } = scene()
    const [{ a, depth, normal }] = findOverlaps(collisions)
    expect(a.body).toBe(crates[0])
    const [x, y, z] = crates[0].position
    crates[0].setPosition([x + 1.001 * depth * normal[0], y + 1.001 * depth * normal[1], z + 1.001 * depth * normal[2]])
    expect(findOverlaps(collisions, { body: crates[1] })).toEqual([])
  })

  it('takes the pairs of one body', () => {
    const { collisions, crates } = scene()
    const all = findOverlaps(collisions, { tolerance: 0 }).length
    const late = collisions.addBody({ shape: compound([{ shape: sphere(0.3) }]), position: [0, 2.9, 0] })
    expect(findOverlaps(collisions, { body: late }).map(({ a, b }) => [a.body, b.body])).toEqual([[crates[2], late]])
    expect(findOverlaps(collisions, { tolerance: 0 })).toHaveLength(all + 1)
  })

  it('leaves out what does not meet, and sensors', () => {
    const { world, collisions, crates, found } = scene()
    collisions.addCollider(null, { shape: box([9, 9, 9]), sensor: true })
    expect(found()).toEqual([['crate 0', 'crate 1', 0.1]])
    setPairCollision(collisions, crates[0], crates[1], false)
    expect(found()).toEqual([])
    setPairCollision(collisions, crates[0], crates[1], true)
    world.add(ballSocket, { a: crates[0], b: crates[1], point: [0, 1, 0] })
    expect(found()).toEqual([])
  })

  it('finds nothing in a stack that has come to rest', () => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    for (let k = 0; k < 10; k++) collisions.addBody({ shape: box([...HALF]), position: [0, 0.5 + k, 0] })
    for (let step = 0; step < 120; step++) world.step()
    expect(findOverlaps(collisions)).toEqual([])
  })

  it('refuses bad arguments by name', () => {
    const { collisions, crates } = scene()
    expect(() => findOverlaps(collisions, { tolerance: -1 })).toThrow(/findOverlaps: tolerance must be/)
    expect(() => findOverlaps(collisions, { tolerence: 1 } as never)).toThrow(/tolerence/)
    expect(() => findOverlaps(collisions, { body: 1 as never })).toThrow(/findOverlaps: body must be a body, got 1/)
    crates[0].remove()
    expect(() => findOverlaps(collisions, { body: crates[0] })).toThrow(/findOverlaps: body/)
  })
})
