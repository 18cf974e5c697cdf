/** What rests on the ground pushes its tree a little in every substep: solved by the factors that are there, as exactly as by a pass of its own. */

import { describe, expect, it } from 'vitest'
import { type Body, type Constraint, solidBox, World } from '@tautline/core'
import { fixed, hinge, swingTwist } from '../../constraints/src/index.js'
import { box, Collisions, plane } from '../src/index.js'

const G = 9.81
/** Steps until contacts have come to rest. */
const SETTLE = 240
/** Forces of joints whose bodies contacts push by micrometres, relative. */
const FORCE = 1e-4
/** The same of a swing's couple, which reads 0.4 % low. */
const SWING = 5e-3
/** Newton’s solves a pass of a chain that lies: without factors that are used again it is 0.93 and more. */
const SOLVES = 0.9
/** A gap of a joint [m, rad]: Newton's method ends at half of it. */
const GAP = 2e-9
const LENGTH = 0.5

type Join = (world: World, a: Body, b: Body, point: [number, number, number]) => Constraint

/** A crate of 20 kg on a floor, from which an arm of two rods of 1 kg is held out to a side; its joints, from the crate on. */
function crate(join: Join): { world: World; joints: Constraint[] } {
  const world = new World({ gravity: [0, -G, 0] })
  const collisions = new Collisions(world, { sleeping: false })
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const base = world.addBody({ position: [0, 0.5, 0], mass: 20, inertia: solidBox(20, [1, 1, 1]) })
  collisions.addCollider(base, { shape: box([0.5, 0.5, 0.5]) })
  const inertia = solidBox(1, [LENGTH, 0.1, 0.1])
  const rods = [0, 1].map((k) => world.addBody({ position: [0.75 + LENGTH * k, 0.8, 0], inertia }))
  const joints = rods.map((rod, k) => join(world, rods[k - 1] ?? base, rod, [0.5 + LENGTH * k, 0.8, 0]))
  for (let k = 0; k < SETTLE; k++) world.step()
  return { world, joints }
}

const ARMS: Record<string, Join> = {
  'fixed joints': (world, a, b, point) => world.add(fixed, { a, b, point }),
  'limits of hinges': (world, a, b, point) =>
    world.add(hinge, { a, b, point, axis: [0, 0, 1], limits: { min: 0, max: 1 } }),
  'limits of swing and twist': (world, a, b, point) =>
    world.add(swingTwist, {
      a,
      b,
      point,
      axis: [1, 0, 0],
      swing: { y: { min: -0.2, max: 0.2 }, z: { min: 0, max: 1 } },
      twist: { min: -0.2, max: 0.2 },
    }),
}

describe('an arm of a crate on the ground', () => {
  it.each(Object.keys(ARMS))('is held by %s: forces and couples of statics', (name) => {
    const { world, joints } = crate(ARMS[name])
    for (let k = 0; k < 60; k++) {
      world.step()
      joints.forEach((joint, at) => {
        const rods = 2 - at
        expect(joint.error).toBeLessThan(GAP)
        expect(Math.abs(joint.force / (rods * G) - 1)).toBeLessThan(FORCE)
        const couple = (rods * rods * LENGTH * G) / 2
        expect(Math.abs(joint.torque / couple - 1)).toBeLessThan(joint.typeName === 'swingTwist' ? SWING : FORCE)
      })
    }
  })
})

/** Thick links of 1 kg that lie on a floor, and between each two a thin one of 3 kg that they carry. */
function chain(join: Join): World {
  const world = new World({ gravity: [0, -G, 0] })
  const collisions = new Collisions(world, { sleeping: false })
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const links = Array.from({ length: 8 }, (_, k) => {
    const isThick = k % 2 === 0
    const inertia = solidBox(isThick ? 1 : 3, [LENGTH, 0.2, 0.2])
    const body = world.addBody({ position: [LENGTH * k, 0.1, 0], inertia })
    collisions.addCollider(body, { shape: box([0.24, isThick ? 0.1 : 0.05, 0.1]) })
    return body
  })
  for (let k = 1; k < 8; k++) join(world, links[k - 1], links[k], [LENGTH * (k - 0.5), 0.1, 0])
  for (let k = 0; k < SETTLE; k++) world.step()
  return world
}

describe('a chain that lies on the ground', () => {
  it.each(Object.keys(ARMS))('of %s takes less than a solve a pass', (name) => {
    const world = chain(ARMS[name])
    let solves = 0
    let passes = 0
    for (let k = 0; k < 60; k++) {
      world.step()
      solves += world.report.direct.solves
      passes += world.report.direct.passes
    }
    // One first pass and one more in each substep, at least.
    expect(passes).toBeGreaterThan(60 * 4 * 2)
    expect(solves / passes).toBeLessThan(SOLVES)
  })
})
