/** Ragdolls: falling, in a pile, thrown at a wall, on stairs, half inside the floor, getting up. */

import {
  type Ragdoll,
  ragdoll,
  type RagdollAsset,
  ragdollAsset,
  type RagdollBone,
  updateGetUp,
  widenLimits,
} from '@tautline/assemblies'
import { box, Collisions, plane } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { mannequinBones, mannequinRig } from '../../mannequin/skeleton.js'
import { mannequin, tumble } from '../../reports/ragdolls/tumbles.js'
import { ragdollPile } from '../../scenes/ragdoll-pile.js'
import { worstGap } from '../joints.js'
import { atEnd, largest, type Measure, speedAtRest, timeUntilRest, topSpeed, worstOf } from '../measure.js'
import type { AcceptScene } from '../scene.js'

const DT = 1 / 60
const DEGREE = Math.PI / 180

/** Largest violation of a limit of some figures [rad]. */
function overLimits(dolls: readonly Ragdoll[]): Measure {
  const over = (doll: Ragdoll): number =>
    largest(doll.validate(), ({ value, min, max }) => Math.max(min - value, value - max))
  return worstOf('angle', 'over limits', 3 * DEGREE, () => largest(dolls, over), { absolute: 0.5 * DEGREE })
}

function pile(count: number, seconds: number, bounds: AcceptScene['bounds']): AcceptScene {
  const steps = seconds / DT
  return {
    name: count === 1 ? 'figure-falls' : `figures-pile-${count}`,
    text: `${count} mannequin${count > 1 ? 's' : ''} of 11 parts, dropped flat on a floor, ${seconds} s`,
    steps,
    bounds,
    make() {
      const { world, collisions, bodies } = ragdollPile(count, {})
      const rest = [timeUntilRest(bodies, 4, DT, { relative: 0.5 }), speedAtRest(bodies, 0.05, steps - 30)]
      return { world, collisions, measures: [worstGap(world), ...rest] }
    },
  }
}

/** A floor, and a wall across z at a distance [m]. */
function roomWithWall(at: number): { world: World; collisions: Collisions } {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  collisions.addCollider(null, { shape: box([4, 2, 0.1]), position: [0, 2, at] })
  return { world, collisions }
}

/** Distance of the wall [m], and the face that the figures must stay before. */
const WALL = 2

const thrownAtWall: AcceptScene = {
  name: 'figures-wall',
  text: `three mannequins of 15 parts thrown at a wall at 5, 7 and 9 m/s, 2.5 s`,
  steps: 150,
  bounds: { time: 2.5, energy: 0.01, penetration: 0.02, unsolved: 0, solves: 2, guarded: 10 },
  make() {
    const { world, collisions } = roomWithWall(WALL)
    const asset = ragdollAsset(mannequinRig(mannequinBones()))
    const dolls = [5, 7, 9].map((speed, k) => {
      const turned = (k - 1) * 0.6
      const orientation = [Math.sin(turned / 2), 0, 0, Math.cos(turned / 2)] as const
      const doll = ragdoll(world, asset, { position: [1.6 * (k - 1), 0.4, 0], orientation })
      for (const body of doll.bodies) body.setVelocity([0, 1, speed])
      return doll
    })
    const bodies = dolls.flatMap((doll) => doll.bodies)
    const beyond = worstOf('depth', 'through the wall', 0, () => largest(bodies, ({ position }) => position[2] - WALL))
    return {
      world,
      collisions,
      measures: [worstGap(world), overLimits(dolls), { ...beyond, value: () => Math.max(0, beyond.value()) }],
    }
  },
}

const onStairs: AcceptScene = {
  name: 'figure-stairs',
  text: 'the mannequin of 15 parts falls down seven stairs from a moment of its walk, 4 s',
  steps: 240,
  bounds: { time: 1, energy: 0.01, penetration: 0.02, unsolved: 0, solves: 2 },
  async make() {
    const man = await mannequin()
    // Get-up wants clips; this one stays limp.
    const { world, collisions, doll } = tumble(man, [man.clip(CLIPS[0])], 'stairs', 5, world8())
    const rest = [timeUntilRest(doll.bodies, 4, DT, { relative: 0.5 })]
    return { world, collisions, measures: [worstGap(world), overLimits([doll]), ...rest] }
  },
}

/** Substeps of a world at defaults. */
function world8(): number {
  return new World().settings.substeps
}

function side(sign: number, name: string): RagdollBone[] {
  return [
    { name: `${name}UpperArm`, parent: 'chest', position: [0.18 * sign, 0.22, 0] },
    { name: `${name}LowerArm`, parent: `${name}UpperArm`, position: [0.28 * sign, 0, 0] },
    { name: `${name}Hand`, parent: `${name}LowerArm`, position: [0.26 * sign, 0, 0] },
    { name: `${name}UpperLeg`, parent: 'hips', position: [0.09 * sign, -0.04, 0] },
    { name: `${name}LowerLeg`, parent: `${name}UpperLeg`, position: [0, -0.41, 0] },
    { name: `${name}Foot`, parent: `${name}LowerLeg`, position: [0, -0.42, 0] },
  ]
}

const BONES: readonly RagdollBone[] = [
  { name: 'hips', parent: null, position: [0, 0.95, 0] },
  { name: 'chest', parent: 'hips', position: [0, 0.25, 0] },
  { name: 'head', parent: 'chest', position: [0, 0.35, 0] },
  ...side(1, 'left'),
  ...side(-1, 'right'),
]

/** Where the figure starts: 0.4 m of it are inside the floor. */
const SUNK = -0.4

const insideFloor: AcceptScene = {
  name: 'figure-in-floor',
  text: 'a limp figure that starts 0.4 m inside a floor of 1 m, 5 s: it must come out and lie down',
  steps: 300,
  bounds: { time: 15, unsolved: 0 },
  make() {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: box([20, 0.5, 20]), position: [0, -0.5, 0] })
    const doll = ragdoll(world, [...BONES], { position: [0, SUNK, 0] })
    const lowest = (): number => largest(doll.bodies, ({ position }) => -position[1])
    return {
      world,
      collisions,
      measures: [
        worstGap(world),
        // Middles of parts lie above the floor by a radius of a centimetre at least.
        atEnd('depth', 'depth of the lowest part at the end', 0, () => Math.max(0, lowest())),
        // It falls over: a head that stays above a metre stands in the floor.
        atEnd('length', 'height of the head at the end', 0.6, () => doll.body('head').position[1]),
        worstOf('speed', 'top speed', 6, () => topSpeed(doll.bodies), { relative: 0.5 }),
      ],
    }
  },
}

const CLIPS = ['getUpFront', 'getUpBack', 'getUpLeft', 'getUpRight'] as const

const getsUp: AcceptScene = {
  name: 'figure-gets-up',
  text: 'the mannequin of 15 parts is blown away and gets up from where it lies, 8 s',
  steps: 480,
  bounds: { time: 1, unsolved: 0, solves: 2.5 },
  async make() {
    const read = await mannequin()
    const clips = CLIPS.map((name) => read.clip(name))
    const poses = clips.flatMap((clip) => clip.poses)
    const asset: RagdollAsset = widenLimits(read.asset, poses)
    const { world, collisions, doll, getUp } = tumble({ ...read, asset }, clips, 'explosion', 1, world8())
    let [stands, fastest] = [Infinity, 0]
    const upright = (): number => doll.body('hips').position[1] - feet(doll)
    return {
      world,
      collisions,
      before(step) {
        const state = updateGetUp(getUp)
        if (state === 'animated') stands = Math.min(stands, step * DT)
        if (state === 'gettingUp' || state === 'standing') fastest = Math.max(fastest, topSpeed(doll.bodies))
      },
      measures: [
        worstGap(world),
        atEnd('seconds', 'time until it stands', 7.9, () => stands, { absolute: 2 }),
        atEnd('length', 'hips below upright', 0.2, () => Math.max(0, UPRIGHT - upright()), { absolute: 0.05 }),
        atEnd('speed', 'fastest part while it gets up', 8, () => fastest),
      ],
    }
  },
}

/** Of the hips above the feet of a figure that stands at ease [m]. */
const UPRIGHT = 0.94

function feet(doll: Ragdoll): number {
  return Math.max(...['leftFoot', 'rightFoot'].map((name) => (doll.body(name) as Body).position[1]))
}

export const ragdolls: readonly AcceptScene[] = [
  pile(1, 3, { time: 0.5, energy: 0.01, penetration: 0.01, unsolved: 0, solves: 2 }),
  pile(10, 3.5, { time: 5, energy: 0.01, penetration: 0.02, unsolved: 0, solves: 2 }),
  thrownAtWall,
  onStairs,
  insideFloor,
  getsUp,
]
