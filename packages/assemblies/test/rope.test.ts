import { describe, expect, it } from 'vitest'
import { assembliesFromJSON, attach, rope, type Rope, type RopeDef, ropeKind } from '@tautline/assemblies'
import * as constraints from '@tautline/constraints'
import { fromJSON, solidBox, solidSphere, World } from '@tautline/core'
import type { AnyType } from '@tautline/core/kernel'

/** Sums of a few dozen numbers near 1. */
const ROUND_OFF = 1e-12
/** What a direct solution leaves of a segment [m]. */
/** Work that is booked elsewhere than where it was done, as a share: the mean of two forces a substep is no integral. */
const HAULED = 0.01
const SOLVED = 1e-7

const types = Object.values(constraints).filter(
  (type) => typeof type === 'object' && 'evaluate' in type,
) as unknown as AnyType[]

function steps(world: World, count: number): void {
  for (let k = 0; k < count; k++) world.step()
}

function crateOn(world: World, mass: number, y: number) {
  return world.addBody({ position: [0, y, 0], mass, inertia: solidSphere(mass, 0.3) })
}

describe('rope', () => {
  it('does not stretch under a thousand times the mass of a segment', () => {
    const world = new World({ substeps: 4 })
    const ball = world.addBody({ position: [2, 0, 0], mass: 100, inertia: solidSphere(100, 0.2) })
    const line = rope(world, { from: [0, 0, 0], to: [2, 0, 0], segments: 20, mass: 2, start: 'world', end: ball })
    let worst = 0
    for (let k = 0; k < 120; k++) {
      world.step()
      worst = Math.max(worst, line.stretch)
    }
    expect(worst).toBeLessThan(SOLVED)
  })

  it('bears the weight below', () => {
    const world = new World({ substeps: 4 })
    const crate = crateOn(world, 40, -2)
    const line = rope(world, { from: [0, 0, 0], to: [0, -2, 0], segments: 10, mass: 1, start: 'world', end: crate })
    steps(world, 60)
    expect(line.tensionAt(0) / (9.81 * 40.95)).toBeCloseTo(1, 6)
    expect(line.tensionAt(1) / (9.81 * 40.05)).toBeCloseTo(1, 6)
    expect(line.tension).toBe(line.tensions[0])
  })

  it('pays out and takes in, and lifts what hangs on it', () => {
    const world = new World({ substeps: 4 })
    const crate = crateOn(world, 40, -2)
    const line = rope(world, {
      from: [0, 0, 0],
      to: [0, -2, 0],
      segments: 10,
      start: 'world',
      end: crate,
      growthRate: 1,
    })
    line.length = 3
    steps(world, 90)
    expect(line.length).toBeCloseTo(3, 9)
    expect(crate.position[1]).toBeCloseTo(-3, 6)
    expect(line.nodes.length).toBe(16)
    line.reel(-2)
    steps(world, 60)
    expect(crate.velocity[1]).toBeCloseTo(2, 6)
    line.reel(0)
    steps(world, 30)
    expect(crate.velocity[1]).toBeCloseTo(0, 6)
    expect(line.length).toBeLessThan(1.3)
    expect(Math.abs(line.stretch)).toBeLessThan(SOLVED)
  })

  it('goes to its length at growthRate after it was reeled slower or faster', () => {
    for (const rate of [0.01, -0.01, 8]) {
      const world = new World()
      const line = rope(world, { from: [0, 0, 0], to: [0, -2, 0], start: 'world', growthRate: 1 })
      line.reel(rate)
      steps(world, 12)
      line.reel(0)
      steps(world, 60)
      const held = line.length
      expect(Math.abs(held - 2)).toBeLessThan(0.25 * Math.abs(rate) + 0.01)
      line.length = held + 1
      steps(world, 90)
      expect(line.length).toBeCloseTo(held + 1, 9)
      expect(line.winch.speed).toBe(1)
    }
  })

  it('has a winch that stops at its force', () => {
    const world = new World({ substeps: 4 })
    crateOn(world, 40, -2)
    const crate = crateOn(world, 40, -2)
    const line = rope(world, { from: [0, 0, 0], to: [0, -2, 0], start: 'world', end: crate, winchForce: 300 })
    line.reel(-1)
    steps(world, 60)
    expect(crate.position[1]).toBeLessThan(-1.95)
  })

  it.each([
    [8, 600, -1],
    [8, 520, -2],
    [2, 520, -2],
  ])(
    'hauls what is lighter than its force, at %i substeps by %i N at %i m/s, and that is all there is',
    (substeps, winchForce, speed) => {
      const world = new World({ substeps, energyLedger: true })
      const crate = crateOn(world, 40, -4)
      const line = rope(world, {
        from: [0, 0, 0],
        to: [0, -4, 0],
        start: 'world',
        end: crate,
        segments: 20,
        winchForce,
      })
      steps(world, 10)
      const before = world.energy()
      line.reel(speed)
      let most = 0
      for (let k = 0; k < 120; k++) {
        world.step()
        most = Math.max(most, line.tension)
      }
      const { total, ledger } = world.energy()
      expect(crate.position[1]).toBeGreaterThan(-3)
      expect(most).toBeLessThan(winchForce)
      expect(ledger!.gained).toBeLessThan(HAULED * ledger!.drives)
      expect(ledger!.drives).toBeGreaterThan(total - before.total - HAULED * ledger!.drives)
    },
  )

  it('is cut: mass, momentum and energy are kept, and both ends go on', () => {
    const world = new World({ substeps: 4 })
    const line = rope(world, { from: [0, 0, 0], to: [2, 0, 0], velocity: [1, 2, 0], segments: 12 })
    steps(world, 20)
    const [mass, momentum, energy] = [line.mass, world.momentum(), world.energy().total]
    const piece = line.cutAt(0.3)
    expect(line.nodes.length + piece.nodes.length).toBe(14)
    expect(Math.abs(line.mass + piece.mass - mass)).toBeLessThan(ROUND_OFF)
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(world.momentum().linear[k] - momentum.linear[k])).toBeLessThan(1e-11)
      expect(Math.abs(world.momentum().angular[k] - momentum.angular[k])).toBeLessThan(1e-11)
    }
    expect(Math.abs(world.energy().total - energy)).toBeLessThan(1e-11)
    steps(world, 20)
    expect(line.join(piece)).toBeUndefined()
    expect(piece.alive).toBe(false)
    expect(line.nodes.length).toBe(14)
    steps(world, 60)
    expect(Math.abs(line.stretch)).toBeLessThan(1e-4)
  })

  it('breaks where it bears too much, and says so', () => {
    const world = new World({ substeps: 4 })
    const crate = world.addBody({ position: [1, 0, 0], mass: 40, inertia: solidSphere(40, 0.3) })
    const line = rope(world, { from: [0, 0, 0], to: [1, 0, 0], start: 'world', end: crate, breakForce: 300 })
    let torn: readonly Rope[] = []
    for (let k = 0; k < 60 && torn.length === 0; k++) {
      world.step()
      torn = line.torn
    }
    expect(torn.length).toBe(1)
    steps(world, 60)
    expect(crate.position[1]).toBeLessThan(-1.5)
  })

  it('resists bending', () => {
    const droop = (bendCompliance: number): number => {
      const world = new World({ substeps: 8 })
      const line = rope(world, {
        from: [0, 0, 0],
        to: [1, 0, 0],
        segments: 10,
        mass: 0.05,
        linearDamping: 2,
        bendCompliance,
        damping: 0.02,
      })
      line.attachStart('world')
      line.nodes[1].type = 'static'
      steps(world, 300)
      return line.nodes[10].position[1]
    }
    expect(droop(1)).toBeGreaterThan(droop(20))
    expect(droop(20)).toBeGreaterThan(droop(Infinity) + 0.1)
    expect(droop(Infinity)).toBeLessThan(-0.85)
  })

  it('hangs longer than its way, and is hung elsewhere', () => {
    const world = new World({ substeps: 4 })
    const line = rope(world, { points: [0, 0, 0, 0.5, 0, 0, 1, 0, 0], length: 2, start: 'world', end: 'world' })
    steps(world, 300)
    expect(line.length).toBeCloseTo(2, 9)
    expect(Math.min(...line.nodes.map((node) => node.position[1]))).toBeLessThan(-0.7)
    line.attachEnd(undefined)
    steps(world, 30)
    expect(line.nodes[line.nodes.length - 1].position[1]).toBeLessThan(-0.5)
  })

  it('comes back from JSON and snapshots bit for bit', () => {
    const world = new World({ substeps: 3 })
    const crate = crateOn(world, 5, -1)
    const line = rope(world, { from: [0, 0, 0], to: [0, -1, 0], start: 'world', end: crate, bendCompliance: 10 })
    line.reel(0.7)
    steps(world, 15)
    const snapshot = world.snapshot()
    const again = fromJSON(JSON.stringify(world.toJSON()), types, { assemblies: assembliesFromJSON([ropeKind]) })
    const run = (which: World): string => {
      steps(which, 40)
      return which.hash()
    }
    const hash = run(world)
    expect(run(again)).toBe(hash)
    const count = line.nodes.length
    world.restore(snapshot)
    expect(line.nodes.length).toBeLessThan(count)
    expect(run(world)).toBe(hash)
    expect(line.nodes.length).toBe(count)
  })

  it.each([
    [{ to: undefined }, /rope: from and to, or points, must be given/],
    [{ to: [0, 0, 0] }, /rope: points must be apart, got a way of 0 m/],
    [{ length: 0.5 }, /rope: length must reach along the way \(1 m\), got 0.5/],
    [{ length: -1 }, /rope: length must be > 0/],
    [{ segments: 0 }, /rope: segments must be/],
    [{ radius: 0 }, /rope: radius must be > 0/],
    [{ from: [0, NaN, 0] }, /rope: from/],
    [{ lenght: 2 }, /lenght/],
    [{ start: 'sky' }, /rope/],
    [{ end: {} }, /rope: end: body must be a body, got undefined; for the world the end itself is 'world'/],
    [{ mass: 1, density: 2 }, /rope: give mass or density, got both/],
    [{ winchEnd: 'middle' }, /rope: winchEnd must be start or end/],
  ])('refuses %o, and adds nothing', (change, message) => {
    const world = new World()
    const def = { from: [0, 0, 0], to: [1, 0, 0], ...(change as Partial<RopeDef>) } as RopeDef
    expect(() => rope(world, def)).toThrow(message)
    expect(world.bodies.all().length).toBe(0)
  })

  it('refuses shares outside of it', () => {
    const line = rope(new World(), { from: [0, 0, 0], to: [1, 0, 0] })
    expect(() => line.cutAt(1.5)).toThrow(/rope: cutAt: share must be within \[0, 1\], got 1.5/)
    expect(() => line.tensionAt(NaN)).toThrow(/share must be within \[0, 1\], got NaN/)
    expect(() => (line.length = -1)).toThrow(/rope: length must be > 0/)
    expect(() => line.join(line)).toThrow(/other must be another rope of this world/)
  })
})

describe('attach', () => {
  it('holds a point of a triangle to a box in flight, and momentum is kept', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 4 })
    const box = world.addBody({
      position: [0.3, 0.3, -0.2],
      mass: 2,
      inertia: solidSphere(2, 0.2),
      angularVelocity: [1, 2, 3],
    })
    const corners = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ].map((position) => world.addParticle({ position: position as [number, number, number], mass: 0.1 }))
    for (let k = 0; k < 3; k++) world.add(constraints.distance, { a: corners[k], b: corners[(k + 1) % 3] })
    const tie = attach(world, { bodies: corners, weights: [1, 1, 2] }, { body: box })
    expect(tie.error).toBeLessThan(ROUND_OFF)
    corners[2].setVelocity([0, 0, 5])
    const before = world.momentum().linear
    steps(world, 120)
    world.momentum().linear.forEach((p, k) => expect(Math.abs(p - before[k])).toBeLessThan(1e-12))
    expect(tie.error).toBeLessThan(1e-3)
    expect(tie.force).toBeGreaterThan(0)
  })

  it('holds particles at their distance, bodies at a point, edges to the world, and breaks', () => {
    const world = new World({ substeps: 4 })
    const [p, q] = [0, 1].map((x) => world.addParticle({ position: [x, 0, 0], mass: 1 }))
    expect(attach(world, p, q).typeName).toBe('distance')
    const tie = attach(world, { bodies: [p, q] }, { point: [0.5, 0, 0] }, { breakForce: 30 })
    steps(world, 30)
    // On each of the two, half of it.
    expect(tie.force).toBeCloseTo(9.81, 3)
    p.applyForce([0, -80, 0])
    steps(world, 2)
    expect(tie.broken).toBe(true)
    const box = world.addBody({ inertia: 1 })
    expect(attach(world, { body: box, point: [0, 1, 0] }, { point: [0, 1, 0] }).typeName).toBe('ballSocket')
  })

  it('stays one rope as it is reeled in: a node that it takes in is not one that was lost', () => {
    const world = new World({ substeps: 4 })
    const crate = crateOn(world, 40, -3)
    const line = rope(world, {
      from: [0, 0, 0],
      to: [0, -3, 0],
      segments: 15,
      start: 'world',
      end: crate,
      growthRate: 2,
    })
    line.length = 1
    steps(world, 120)
    expect(line.bodies.length).toBeLessThan(16)
    expect(line.length).toBeCloseTo(1, 9)
    expect(crate.position[1]).toBeGreaterThan(-1.2)
  })

  it('holds a particle at the end of a rope without a solve too many', () => {
    const world = new World({ substeps: 4 })
    const load = world.addParticle({ position: [0, -1, 0], mass: 50 })
    const line = rope(world, { from: [0, 0, 0], to: [0, -1, 0], segments: 20, mass: 0.1, start: 'world', end: load })
    const joint = world.constraints().filter(({ typeName }) => typeName === 'ballSocket')
    expect(joint).toHaveLength(1)
    load.setVelocity([3, 0, 0])
    for (let k = 0; k < 120; k++) {
      world.step()
      expect(world.report.direct?.halved).toBe(0)
      expect(line.stretch).toBeLessThan(SOLVED)
    }
  })

  it('is at the point of either side, and refuses two that are apart', () => {
    const world = new World({ gravity: [0, -9.81, 0] })
    const box = world.addBody({ position: [1, 0, 0], mass: 1, inertia: solidBox(1, [1, 1, 1]) })
    const hook = attach(world, box, { point: [1, 2, 0] })
    for (let k = 0; k < 60; k++) world.step()
    // It hangs by an arm of 2 m from the point.
    expect(Math.hypot(box.position[0] - 1, box.position[1] - 2)).toBeCloseTo(2, 6)
    hook.remove()
    expect(() => attach(world, { body: box, point: [1, 0, 0] }, { point: [1, 2, 0] })).toThrow(
      /attach: point of both sides must be the same, got \[1, 0, 0\] and \[1, 2, 0\]/,
    )
    expect(() => attach(world, world.addParticle({ mass: 1 }), { point: [1, 2, 0] })).toThrow(/point of both sides/)
  })

  it('refuses a point beside a particle, which has no lever arm', () => {
    const world = new World()
    const body = world.addParticle({ position: [1, 0, 0], mass: 1 })
    expect(() => attach(world, { body, point: [1, 0.1, 0] }, { point: [0, 0, 0] })).toThrow(
      /attach: a: body: point must be where the particle is, which has no lever arm, \[1, 0, 0\], got \[1, 0.1, 0\]/,
    )
    expect(world.constraints()).toHaveLength(0)
    expect(attach(world, { body, point: [1, 0, 0] }, { point: [1, 0, 0] }).alive).toBe(true)
    const ends = { from: [0, 0, 0], to: [1, 0.1, 0] } as const
    expect(() => rope(world, { ...ends, end: { body, point: [1, 0, 0] } })).toThrow(
      /rope: end: point must be where the rope ends, \[1, 0.1, 0\], got \[1, 0, 0\]/,
    )
    expect(world.constraints()).toHaveLength(1)
    expect(rope(world, { ...ends, end: body }).alive).toBe(true)
  })

  it.each([
    [{ point: [0, 0, 0] }, { point: [1, 0, 0] }, /attach: a or b must have a body, got two points of the world/],
    [{ bodies: [] }, { point: [0, 0, 0] }, /attach: a: bodies must be one to four, got 0/],
    [{ body: 1 }, { point: [0, 0, 0] }, /attach: a: body must be a body, got 1/],
    [{ point: [0, 0] }, { point: [0, 0, 0] }, /attach: a: point/],
    [{ point: [0, 0, 0] }, 'world', /attach: b must be a body, .* or \{ point \}, got "world"/],
    [{ point: [0, 0, 0] }, null, /attach: b must be a body, .*, got null/],
    [{ point: [0, 0, 0] }, { world: new World(), bodies: [] }, /attach: b must be a body, .*, got an object/],
  ])('refuses %o and %o', (a, b, message) => {
    expect(() => attach(new World(), a as never, b as never)).toThrow(message)
  })
})
