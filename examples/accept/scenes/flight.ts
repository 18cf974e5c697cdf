/** What flies free, without gravity: nothing may change its momenta. */

import { ragdoll, ragdollAsset } from '@tautline/assemblies'
import { axle } from '@tautline/constraints'
import { World } from '@tautline/core'
import { mannequinBones, mannequinRig } from '../../mannequin/skeleton.js'
import { worstGap } from '../joints.js'
import { atEnd, type Measure, topSpeed, worstOf } from '../measure.js'
import { momentumDrift } from '../momentum.js'
import type { AcceptScene } from '../scene.js'

/** Share of momentum that round-off may add up to in some hundred steps. */
const ROUND_OFF = 1e-9

const tumbling: AcceptScene = {
  name: 'tumbling-body',
  text: 'a body with moments 0.1, 0.5 and 0.6 kg m² tumbles about its middle axis at 5 rad/s, 8 s',
  steps: 480,
  bounds: { time: 0.2, energy: 5e-4 },
  make() {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody({
      mass: 1,
      inertia: [0.1, 0.5, 0.6],
      velocity: [1, 0.5, 0],
      angularVelocity: [0.03, 5, 0.03],
    })
    const start = world.energy().kinetic
    const off = (): number => Math.abs(world.energy().kinetic / start - 1)
    let [flips, isUp] = [0, true]
    const flipsShort: Measure = {
      ...atEnd('count', 'flips short of two', 0, () => Math.max(0, 2 - flips)),
      sample() {
        const now = body.toWorld([0, 1, 0])[1] > body.position[1]
        if (now !== isUp) flips++
        isUp = now
      },
    }
    return {
      world,
      measures: [
        ...momentumDrift(world, ROUND_OFF),
        worstOf('share', 'energy off', 5e-4, off, { absolute: 2e-4 }),
        // It turns over again and again.
        flipsShort,
      ],
    }
  },
}

const figure: AcceptScene = {
  name: 'figure-floats',
  text: 'a mannequin of 15 parts, its parts thrown by themselves, flies free without damping, 3 s',
  steps: 180,
  bounds: { time: 3, energy: 0.005, unsolved: 0, solves: 2.5 },
  make() {
    const world = new World({ gravity: [0, 0, 0] })
    // Damping by the air takes momentum, as it should.
    const still = { linearDamping: 0, angularDamping: 0 }
    const doll = ragdoll(world, ragdollAsset(mannequinRig(mannequinBones())), still)
    doll.bodies.forEach((body, k) => {
      body.setVelocity([Math.sin(k), 1, Math.cos(2 * k)])
      body.setAngularVelocity([Math.cos(k), Math.sin(3 * k), 1])
    })
    return {
      world,
      measures: [
        worstGap(world),
        ...momentumDrift(world, ROUND_OFF),
        atEnd('speed', 'speed at the end', 3, () => topSpeed(doll.bodies)),
      ],
    }
  },
}

const axleOnParticle: AcceptScene = {
  name: 'axle-on-particle',
  text: 'an axle between a free body and a particle, which has no orientation to turn, 1 s',
  steps: 60,
  bounds: { time: 1 },
  make() {
    const world = new World({ gravity: [0, 0, 0] })
    const particle = world.addBody({ mass: 0.6, position: [-1.9, -0.5, -0.9], velocity: [1, 1.5, -0.4] })
    const body = world.addBody({
      mass: 2.8,
      inertia: [0.08, 0.25, 0.24],
      position: [1, 0.4, 0.2],
      velocity: [0.6, -0.1, -0.9],
    })
    const axes = { axisA: [0.74, -0.09, -0.66], axisB: [-0.77, -0.18, -0.61] } as const
    world.add(axle, { a: body, b: particle, ...axes, compliance: 0.004, damping: 26 })
    const [linear] = momentumDrift(world, ROUND_OFF)
    return { world, measures: [linear] }
  },
}

export const flight: readonly AcceptScene[] = [tumbling, figure, axleOnParticle]
