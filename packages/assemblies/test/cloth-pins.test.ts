import { describe, expect, it } from 'vitest'
import { cloth } from '@tautline/assemblies'
import { box, capsule, Collisions, sphere } from '@tautline/collision'
import { World } from '@tautline/core'
import { sheet } from './support/meshes.js'

/** Numbers near 1 are right to this [m]. */
const ROUND_OFF = 1e-9
const THICKNESS = 0.01
/** Where the wall begins [m]: x. */
const WALL = 0.6

/** A sheet of 0.5 m held by the edge at x = 0.5 on a body that is led, before a wall. */
function atWall(type: 'static' | 'kinematic') {
  const world = new World({ gravity: [0, 0, 0] })
  const collisions = new Collisions(world)
  const wall = world.addBody({ type, position: [WALL + 0.5, 0, 0] })
  collisions.addCollider(wall, { shape: box([0.5, 2, 2]) })
  const holder = world.addBody({ type: 'kinematic' })
  const edge = Array.from({ length: 9 }, (_, j) => 9 * j + 8)
  const sail = cloth(world, { ...sheet(9, 9, 0.5), pins: [{ vertices: edge, body: holder }], thickness: THICKNESS })
  return { world, holder, sail, edge }
}

describe('pins that are led', () => {
  it('stop at a static collider, slide along it, and come back to their places', () => {
    const { world, holder, sail, edge } = atWall('static')
    const lead = (x: number, z: number): void => {
      holder.setTarget([x, 0, z])
      world.step()
      expect(sail.measure().stretch.max).toBeLessThan(0.05)
      for (const v of edge) expect(sail.vertices[v].position[0]).toBeLessThan(WALL - THICKNESS + ROUND_OFF)
    }
    for (let k = 1; k <= 60; k++) lead(0.25 * (k / 60), 0)
    expect(sail.measure().pinOffset).toBeCloseTo(0.25 - (WALL - 0.5 - THICKNESS), 9)
    for (let k = 1; k <= 60; k++) lead(0.25, 0.2 * (k / 60))
    expect(sail.vertices[edge[0]].position[2]).toBeCloseTo(0.2, 9)
    for (let k = 59; k >= 0; k--) lead(0.25 * (k / 60), 0.2)
    expect(sail.measure().pinOffset).toBeLessThan(ROUND_OFF)
  })

  it('stop at a thin wall within one step', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: box([0.005, 2, 2]), position: [WALL, 0, 0] })
    const sail = cloth(world, { ...sheet(9, 9, 0.5), pins: [44], thickness: THICKNESS })
    sail.movePin(44, [1.5, 0, 0.25])
    world.step()
    expect(sail.vertices[44].position[0]).toBeCloseTo(WALL - 0.005 - THICKNESS, 4)
  })

  it('go where they are led through kinematic colliders', () => {
    const { world, holder, sail } = atWall('kinematic')
    for (let k = 1; k <= 60; k++) {
      holder.setTarget([0.25 * (k / 60), 0, 0])
      world.step()
    }
    expect(sail.measure().pinOffset).toBeLessThan(ROUND_OFF)
  })

  it('give way to a static collider that they begin in, on a holder that stands still', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: box([0.5, 2, 2]), position: [WALL + 0.5 - 0.15, 0, 0] })
    const holder = world.addBody({ type: 'kinematic' })
    const edge = Array.from({ length: 9 }, (_, j) => 9 * j + 8)
    const sail = cloth(world, { ...sheet(9, 9, 0.5), pins: [{ vertices: edge, body: holder }], thickness: THICKNESS })
    for (let k = 0; k < 60; k++) world.step()
    expect(sail.measure().pinOffset).toBeCloseTo(0.5 - (WALL - 0.15 - THICKNESS), 4)
    expect(sail.measure().stretch.max).toBeLessThan(0.05)
  })

  it('stay in a static collider where they are not led', () => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: sphere(0.3) })
    const sail = cloth(world, { ...sheet(9, 9, 0.5), pins: [0] })
    for (let k = 0; k < 20; k++) world.step()
    expect(Array.from(sail.vertices[0].position)).toEqual([0, 0, 0])
  })

  it('name the collider that cloth is caught on, and nothing where it hangs free', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const collisions = new Collisions(world)
    const post = collisions.addCollider(null, {
      shape: capsule(0.05, 1),
      position: [0.25, 0.15, 0.25],
      orientation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
    })
    const holder = world.addBody({ type: 'kinematic' })
    const edges = Array.from({ length: 18 }, (_, k) => 9 * (k >> 1) + 8 * (k & 1))
    const pins = [{ vertices: edges, body: holder }]
    const sail = cloth(world, { ...sheet(9, 9, 0.5), pins, thickness: THICKNESS })
    const [free, caught] = [0.05, 0.4].map((height) => {
      for (let k = 0; k < 60; k++) {
        holder.setTarget([0, height * ((k + 1) / 60), 0])
        world.step()
      }
      return sail.measure()
    })
    expect(free.caughtOn).toEqual([])
    expect(caught.stretch.max).toBeGreaterThan(0.05)
    expect(caught.caughtOn).toEqual([post])
  })
})
