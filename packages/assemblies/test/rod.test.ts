import { describe, expect, it } from 'vitest'
import { assembliesFromJSON, rod, type RodDef, rodKind } from '@tautline/assemblies'
import { capsule, Collisions, collisionsFromJSON, plane } from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import { fromJSON, LeanWorld, World } from '@tautline/core'
import type { AnyType } from '@tautline/core/kernel'

/** Share by which twenty links are softer than a rod: its moments are summed by the trapezoidal rule, l²/2 L². */
const LINKS = 3e-3
/** What a direct solution leaves between links [m]. */
const SOLVED = 1e-8

const types = Object.values(constraints).filter(
  (type) => typeof type === 'object' && 'evaluate' in type,
) as unknown as AnyType[]

function steps(world: World, count: number): void {
  for (let k = 0; k < count; k++) world.step()
}

const WALL = { body: 'world', clamped: true } as const

/** Where the free end of a cantilever of E I = 1 N m² and 1 m comes to rest under a load at its tip [m]. */
function loaded(load: number, segments: number, def: Partial<RodDef> = {}): { x: number; y: number } {
  const world = new World({ gravity: [0, 0, 0], substeps: 4 })
  const beam = rod(world, {
    from: [0, 0, 0],
    to: [1, 0, 0],
    segments,
    bendStiffness: 1,
    mass: 0.1,
    damping: 0.05,
    linearDamping: 1,
    start: WALL,
    ...def,
  })
  const tip = beam.links[segments - 1]
  for (let k = 0; k < 600; k++) {
    tip.applyForce([0, -load, 0], tip.toWorld([0, 0.5 / segments, 0]))
    world.step()
  }
  const [x, y] = tip.toWorld([0, 0.5 / segments, 0])
  return { x, y }
}

describe('rod', () => {
  it('bends as the elastica', () => {
    // Bisshopp and Drucker (1945), load P L²/E I of 2: 0.4935 L down, 0.1606 L nearer.
    const { x, y } = loaded(2, 20)
    expect(Math.abs(-y / 0.4935 - 1)).toBeLessThan(LINKS)
    expect(Math.abs((1 - x) / 0.1606 - 1)).toBeLessThan(2 * LINKS)
  })

  it('is as stiff at any number of links, to the second order of their length', { tags: ['thorough'] }, () => {
    const [few, more, many] = [loaded(1, 8), loaded(1, 16), loaded(1, 32)]
    expect(Math.abs(few.y / many.y - 1)).toBeLessThan(0.015)
    expect((few.y - many.y) / (more.y - many.y)).toBeGreaterThan(3.5)
  })

  it('takes its stiffness from the material: E π r⁴/4 and G π r⁴/2', () => {
    const world = new World()
    const { settings } = rod(world, { from: [0, 0, 0], to: [1, 0, 0], radius: 0.01, youngsModulus: 2e9 })
    expect(settings.bendStiffness).toBeCloseTo(2e9 * Math.PI * 1e-8 * 0.25, 9)
    expect(settings.twistStiffness / settings.bendStiffness).toBeCloseTo(2 / 3, 12)
    expect(rod(world, { from: [0, 0, 0], to: [1, 0, 0], mass: 3 }).mass).toBeCloseTo(3, 12)
  })

  it('twists by a couple: Φ = M L/G J', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 4 })
    const def = { segments: 10, bendStiffness: 1, twistStiffness: 2, mass: 0.1, radius: 0.05, damping: 0.05 }
    const shaft = rod(world, { from: [0, 0, 0], to: [1, 0, 0], start: WALL, linearDamping: 2, ...def })
    const tip = shaft.links[9]
    for (let k = 0; k < 600; k++) {
      tip.applyTorque([0.5, 0, 0])
      world.step()
    }
    // The couple acts in the middle of the last link.
    const twist = shaft.strains.reduce((sum, strain) => sum + strain, 0)
    expect(Math.abs(twist / (0.25 * 0.9) - 1)).toBeLessThan(1e-3)
  })

  it('goes back to a helix', { tags: ['thorough'] }, () => {
    const [curvature, twist] = [4, 3]
    const world = new World({ gravity: [0, 0, 0], substeps: 4 })
    const spring = rod(world, {
      from: [0, 0, 0],
      to: [3, 0, 0],
      segments: 60,
      bendStiffness: 1,
      mass: 0.3,
      rest: { curvature, twist },
      damping: 0.2,
      linearDamping: 1,
    })
    steps(world, 900)
    expect(Math.max(...spring.strains)).toBeLessThan(1e-3)
    // A helix of angular rate k = √(κ² + τ²) has radius κ/k² and rises 2π τ/k² a turn.
    const k2 = curvature * curvature + twist * twist
    const turns = (3 * Math.sqrt(k2)) / (2 * Math.PI)
    const { nodes } = spring
    const [a, b] = [nodes[0], nodes[nodes.length - 1]].map(({ body, point }) => body.toWorld(point))
    const rise = (2 * Math.PI * twist * turns) / k2
    const chord = 2 * (curvature / k2) * Math.abs(Math.sin(Math.PI * turns))
    const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
    expect(Math.abs(distance / Math.hypot(rise, chord) - 1)).toBeLessThan(1e-3)
  })

  it('stays bent beyond its yield, and gains nothing by it', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 4 })
    const wire = rod(world, {
      from: [0, 0, 0],
      to: [1, 0, 0],
      segments: 20,
      bendStiffness: 1,
      mass: 0.1,
      yieldCurvature: 0.5,
      start: WALL,
      linearDamping: 1,
    })
    const tip = wire.links[19]
    for (let k = 0; k < 240; k++) {
      tip.applyForce([0, -2, 0])
      world.step()
    }
    let energy = world.energy().total
    for (let k = 0; k < 480; k++) {
      world.step()
      const now = world.energy().total
      expect(now).toBeLessThan(energy + 1e-9)
      energy = now
    }
    // Straight again but for what it has yielded, most of it at the wall.
    expect(tip.position[1]).toBeLessThan(-0.1)
    expect(Math.max(...wire.strains)).toBeLessThan(0.01)
  })

  it('without stiffness it is a chain of rigid links', () => {
    const world = new World({ substeps: 4, jointTolerance: 1e-9 })
    const chain = rod(world, { from: [0, 0, 0], to: [2, 0, 0], bendStiffness: 0, start: 'world', segments: 10 })
    expect(chain.constraints).toHaveLength(10)
    steps(world, 120)
    for (const { error } of chain.constraints) expect(error).toBeLessThan(SOLVED)
    expect(chain.centre[1]).toBeLessThan(-0.3)
  })

  it('lies on the floor by its shape', () => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const cable = rod(world, { from: [0, 0.5, 0], to: [1, 0.7, 0], shape: capsule, radius: 0.03 })
    steps(world, 240)
    for (const link of cable.links) expect(link.position[1]).toBeGreaterThan(0.025)
    expect(cable.centre[1]).toBeLessThan(0.05)
    expect(cable.asleep).toBe(true)
  })

  it('is saved, read and restored to the bit', () => {
    const make = (): World => {
      const world = new World({ substeps: 2 })
      const collisions = new Collisions(world)
      collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
      const holder = world.addBody({ position: [0, 1, 0], type: 'kinematic', velocity: [0.5, 0, 0] })
      rod(world, {
        from: [0, 1, 0],
        to: [1, 1, 0],
        start: { body: holder, clamped: true },
        shape: capsule,
        yieldCurvature: 0.2,
        name: 'cable',
      })
      steps(world, 20)
      return world
    }
    const world = make()
    const readers = { collisions: collisionsFromJSON, assemblies: assembliesFromJSON([rodKind]) }
    const again = fromJSON(JSON.stringify(world), types as never, readers)
    const snapshot = world.snapshot()
    steps(world, 60)
    steps(again, 60)
    expect(again.hash()).toBe(world.hash())
    const hash = world.hash()
    world.restore(snapshot)
    steps(world, 60)
    expect(world.hash()).toBe(hash)
  })

  it('a joint that was taken out of it by hand is missing, and it is saved and read all the same', () => {
    const world = new World()
    const line = rod(world, { from: [0, 0, 0], to: [1, 0, 0], segments: 5, start: WALL })
    line.constraints[0].remove()
    steps(world, 2)
    const again = fromJSON(JSON.stringify(world), types as never, { assemblies: assembliesFromJSON([rodKind]) })
    steps(world, 5)
    steps(again, 5)
    expect(again.hash()).toBe(world.hash())
  })

  it('lets go, hangs on something else, and is removed', () => {
    const world = new World({ substeps: 2 })
    const count = world.bodies.all().length
    const crate = world.addBody({ position: [1, 1, 0], mass: 5, inertia: 1, type: 'static' })
    const pole = rod(world, { from: [0, 0, 0], to: [0, 1, 0], start: WALL })
    pole.attachEnd({ body: crate, point: [0, 1, 0] })
    steps(world, 10)
    pole.attachStart(undefined)
    steps(world, 120)
    expect(pole.centre[1]).toBeLessThan(0.9)
    pole.remove()
    expect(pole.alive).toBe(false)
    expect(world.bodies.all()).toHaveLength(count + 1)
    expect(world.constraints()).toHaveLength(0)
  })

  it('says what is wrong, and adds nothing', () => {
    const world = new World()
    const mote = world.addParticle({ mass: 1 })
    const { count } = world.bodies
    const good = { from: [0, 0, 0], to: [1, 0, 0] } as const
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ to: undefined }, /from and to, or points/],
      [{ to: [0, 0, 0] }, /points must be apart/],
      [{ radius: 0 }, /radius must be > 0/],
      [{ segments: 1.5 }, /segments must be/],
      [{ youngsModulus: 1, bendStiffness: 1 }, /youngsModulus or bendStiffness, got both/],
      [{ bendStiffness: -1 }, /bendStiffness must be >= 0/],
      [{ rest: 'bent' }, /rest must be/],
      [{ rest: { curvature: NaN, twist: 0 } }, /curvature must be/],
      [{ start: { body: 3 } }, /body must be a body or 'world', got 3/],
      [{ end: { body: 'world', clamped: 1 } }, /clamped must be/],
      [{ end: { body: mote, clamped: true } }, /clamped needs a body that turns/],
      [{ shape: 'capsule' }, /shape must be a function/],
      [{ stiffness: 1 }, /stiffness/],
    ]
    for (const [fields, message] of wrong) expect(() => rod(world, { ...good, ...fields } as RodDef)).toThrow(message)
    expect(world.bodies.count).toBe(count)
  })

  it('is refused by its own name in a world without joint trees, and adds nothing', () => {
    const world = new LeanWorld()
    expect(() => rod(world, { from: [0, 0, 0], to: [1, 0, 0] })).toThrow(
      new RangeError('rod: world must have jointTrees among its parts, got one without'),
    )
    expect(world.bodies.count).toBe(new LeanWorld().bodies.count)
  })
})
