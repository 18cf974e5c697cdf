/** Goals on the bodies of a world with things in the way: they go round what they can, stop at what they cannot, push what gives way. */

import { box, capsule, Collisions, plane } from '@tautline/collision'
import { ballSocket } from '@tautline/constraints'
import { type Body, World } from '@tautline/core'
import { worldGoals } from '@tautline/ik/ragdoll'
import { describe, expect, it } from 'vitest'

type Triple = [number, number, number]

/** What a projection leaves of joints and contacts [m]. */
const MET = 1e-7
/** Thickness of links, and half their length [m]. */
const [THIN, HALF] = [0.03, 0.12]

/** An arm of links along x from a post at the origin, in a world without gravity. */
function arm(links = 3): { world: World; collisions: Collisions; parts: Body[]; tip: Triple } {
  const world = new World({ gravity: [0, 0, 0] })
  const collisions = new Collisions(world)
  const shape = capsule(THIN, HALF - THIN)
  const parts = Array.from({ length: links }, (_, k) => {
    const orientation = [0, 0, -Math.SQRT1_2, Math.SQRT1_2] as const
    const body = collisions.addBody({ shape, position: [HALF * (2 * k + 1), 1, 0], orientation, mass: 1 })
    return body
  })
  parts.forEach((b, k) => world.add(ballSocket, { a: k === 0 ? null : parts[k - 1], b, point: [2 * HALF * k, 1, 0] }))
  return { world, collisions, parts, tip: [0, HALF, 0] }
}

/** Whether nothing overlaps and no joint is open. */
function isMet(world: World): boolean {
  return world.project({ iterations: 1, tolerance: MET }).violation <= MET
}

describe('goals among obstacles', () => {
  it('goes round a pillar, again from where it is, the same each time', () => {
    const solve = (): number[] => {
      const { world, collisions, parts, tip } = arm()
      collisions.addCollider(null, { shape: capsule(0.1, 1), position: [0.35, 1, 0.2] })
      const goals = worldGoals(world)
      const hand = goals.position(parts[2], tip, [0.3, 1, 0.45])
      expect(goals.solve().converged).toBe(true)
      expect(hand.error).toBeLessThan(MET)
      expect(isMet(world)).toBe(true)
      hand.target.set([0.32, 1.02, 0.45])
      expect(goals.solve()).toMatchObject({ converged: true, detours: 0 })
      return Array.from(world.bodies.columns.position)
    }
    expect(solve()).toEqual(solve())
  })

  it('starts anew only where something touches the limb and no step is asked for', () => {
    const far: Triple = [2, 1, 0]
    const { world, parts, tip } = arm()
    const goals = worldGoals(world)
    goals.position(parts[2], tip, far)
    expect(goals.solve()).toMatchObject({ converged: false, detours: 0 })

    const walled = arm()
    walled.collisions.addCollider(null, { shape: box([0.5, 1, 0.02]), position: [0.5, 1, 0.06] })
    const inside: Triple = [0.5, 1, 0.06]
    const through = worldGoals(walled.world, { detours: 5 })
    through.position(walled.parts[2], walled.tip, inside)
    expect(through.solve()).toMatchObject({ converged: false, detours: 5 })
    expect(isMet(walled.world)).toBe(true)
    through.release()
    const stepped = worldGoals(walled.world, { maxStep: 0.02 })
    stepped.position(walled.parts[2], walled.tip, inside)
    expect(stepped.solve()).toMatchObject({ converged: false, detours: 0 })
  })

  it('comes down onto the ground, and no deeper', () => {
    const { world, collisions, parts, tip } = arm()
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0.8) })
    const goals = worldGoals(world, { detours: 0 })
    goals.position(parts[2], tip, [0.5, 0.7, 0])
    const { converged, share } = goals.solve()
    expect(converged).toBe(false)
    expect(share).toBeGreaterThan(0.5)
    const lowest = parts[2].toWorld(tip)[1]
    expect(lowest).toBeGreaterThan(0.8 - MET)
    expect(lowest).toBeLessThan(0.8 + THIN)
    expect(isMet(world)).toBe(true)
  })

  it('moves what gives way', () => {
    const { world, collisions, parts, tip } = arm()
    const crate = collisions.addBody({ shape: box([0.05, 0.05, 0.05]), position: [0.5, 1, 0.25], mass: 0.1 })
    const goals = worldGoals(world, { maxStep: 0.03, maxProjections: 200 })
    goals.position(parts[2], tip, [0.5, 1, 0.3])
    expect(goals.solve().converged).toBe(true)
    expect(crate.position[2]).toBeGreaterThan(0.3)
    expect(isMet(world)).toBe(true)
  })

  it('goes round with a figure that hangs on nothing', () => {
    const { world, collisions, parts, tip } = arm(4)
    world.constraints()[0].remove()
    collisions.addCollider(null, { shape: capsule(0.05, 1), position: [0.85, 1, 0.1] })
    const goals = worldGoals(world)
    const hand = goals.position(parts[3], tip, [0.85, 1, 0.2])
    expect(goals.solve().converged).toBe(true)
    expect(hand.error).toBeLessThan(MET)
    expect(isMet(world)).toBe(true)
  })

  it('refuses a bad count', () => {
    const { world } = arm()
    expect(() => worldGoals(world, { detours: -1 })).toThrow(/detours/)
    expect(() => worldGoals(world, { detours: 1.5 })).toThrow(RangeError)
  })
})

describe('contacts of a projection', () => {
  it('go with the pose that they were found at', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: box([0.5, 0.5, 0.5]) })
    const ball = collisions.addBody({ shape: capsule(0.1, 0.1), position: [0, 0.5, 0], mass: 1 })
    world.project()
    expect(ball.position[1]).toBeGreaterThan(0.69)
    // Beside the box, whose top no longer has a say.
    ball.setPosition([0.65, 0, 0])
    expect(world.project({ iterations: 1 }).violation).toBe(0)
    expect(ball.position[1]).toBe(0)
  })
})
