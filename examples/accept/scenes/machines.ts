/** A car, a character on a lift and under a press, and goals of inverse kinematics on a ragdoll. */

import { ragdoll, ragdollAsset } from '@tautline/assemblies'
import { box, Collisions, createCharacter, moveCharacter, plane } from '@tautline/collision'
import { ballSocket } from '@tautline/constraints'
import { World } from '@tautline/core'
import { worldGoals } from '@tautline/ik/ragdoll'
import { mannequinBones, mannequinRig } from '../../mannequin/skeleton.js'
import { makeCar } from '../../scenes/games/car.js'
import { worstGap } from '../joints.js'
import { atEnd, largest, worstOf } from '../measure.js'
import type { AcceptScene } from '../scene.js'

const DT = 1 / 60

const car: AcceptScene = {
  name: 'car',
  text: 'a car of 1.1 t drives over a ramp and bumps, through boxes, 6 s',
  steps: 360,
  bounds: { time: 5, energy: 0.01, penetration: 0.03, unsolved: 0 },
  hasWork: true,
  make() {
    const { world, collisions, before, car: driven } = makeCar()
    const upright = (): number => driven.chassis.toWorld([0, 1, 0])[1] - driven.chassis.position[1]
    const wheels = (): number =>
      largest(driven.wheels, ({ body, radius }) => Math.max(0, 0.5 * radius - body.position[1]))
    return {
      world,
      collisions,
      before,
      measures: [
        worstGap(world),
        worstOf('length', 'wheels in the ground', 0, wheels),
        worstOf('share', 'lean', 0.3, () => 1 - upright(), { absolute: 0.05 }),
        atEnd('speed', 'speed short of 6 m/s', 1, () => Math.max(0, 6 - driven.speed), { absolute: 0.5 }),
      ],
    }
  },
}

/** Half the height of a character at defaults [m], and how it falls [m/s²]. */
const [HALF, GRAVITY] = [0.9, 9.81]

/** A character on its own at defaults: `move` is called after a step of the world. */
function characterIn(collisions: Collisions, height: number) {
  const hero = createCharacter({ position: [0, height, 0] })
  const move = (): void => {
    const [x, y, z] = hero.velocity
    moveCharacter(collisions, hero, hero.grounded ? [0, 0, 0] : [x, y - GRAVITY * DT, z], DT)
  }
  return { hero, move }
}

/** How high the lift goes [m], and its rate [rad/s]. */
const [LIFT, RATE] = [1, 1.5]

const onLift: AcceptScene = {
  name: 'character-lift',
  text: `a character stands on a lift that goes ${2 * LIFT} m up and down, 5 s`,
  steps: 300,
  bounds: { time: 1 },
  make() {
    const world = new World()
    const collisions = new Collisions(world)
    const lift = world.addBody({ type: 'kinematic', position: [0, -0.1, 0] })
    collisions.addCollider(lift, { shape: box([1, 0.1, 1]) })
    const { hero, move } = characterIn(collisions, HALF + 0.02)
    let time = 0
    const feet = (): number => hero.position[1] - HALF - (lift.position[1] + 0.1)
    return {
      world,
      before() {
        time += DT
        lift.setTarget([0, LIFT * (1 - Math.cos(RATE * time)) - 0.1, 0])
      },
      advance() {
        world.step()
        move()
      },
      measures: [
        worstOf('length', 'feet above the lift', 0.05, () => Math.max(0, feet()), { from: 5 }),
        worstOf('depth', 'feet in the lift', 0.005, () => Math.max(0, -feet())),
        worstOf('count', 'in the air', 0, () => (hero.grounded ? 0 : 1), { from: 5 }),
      ],
    }
  },
}

const underPress: AcceptScene = {
  name: 'character-press',
  text: 'a press comes down to 1.2 m on a character on a floor of 0.2 m, and goes up again, 6 s',
  steps: 360,
  bounds: { time: 1 },
  make() {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: box([10, 0.1, 10]), position: [0, -0.1, 0] })
    const press = world.addBody({ type: 'kinematic', position: [0, 3, 0] })
    collisions.addCollider(press, { shape: box([3, 0.2, 3]) })
    const { hero, move } = characterIn(collisions, HALF + 0.02)
    let step = 0
    return {
      world,
      before() {
        const down = Math.max(3 - step / 60, 1.4)
        press.setTarget([0, step < 180 ? down : 1.4 + (step - 180) / 60, 0])
        step++
      },
      advance() {
        world.step()
        move()
      },
      measures: [
        worstOf('length', 'feet below the floor', 0.05, () => Math.max(0, HALF - hero.position[1]), { absolute: 0.05 }),
        atEnd('length', 'feet off the floor at the end', 0.05, () => Math.abs(hero.position[1] - HALF)),
      ],
    }
  },
}

const goalsOnRagdoll: AcceptScene = {
  name: 'ik-goals',
  text: 'hands and feet of a mannequin of 15 parts go to eight sets of goals within reach by `worldGoals`, hips held; a step after each',
  steps: 48,
  bounds: { time: 25 },
  make() {
    const world = new World({ gravity: [0, 0, 0] })
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], -0.2) })
    const doll = ragdoll(world, ragdollAsset(mannequinRig(mannequinBones())))
    const hips = doll.body('hips')
    world.add(ballSocket, { a: null, b: hips, point: hips.position })
    const goals = worldGoals(world)
    const names = ['leftHand', 'rightHand', 'leftFoot', 'rightFoot']
    const starts = names.map((name) => [...doll.body(name).position])
    const all = names.map((name, k) =>
      goals.position(doll.body(name), [0, 0, 0], starts[k] as [number, number, number]),
    )
    let set = 0
    let missed = 0
    return {
      world,
      collisions,
      advance() {
        all.forEach((goal, k) => {
          const inward = k % 2 === 0 ? -1 : 1
          const share = 0.5 + 0.5 * Math.sin(1 + 2.1 * set + k)
          const arm = k < 2
          goal.target[0] = starts[k][0] + inward * (arm ? 0.35 : -0.1) * share
          goal.target[1] = starts[k][1] + (arm ? -0.2 + 0.4 * share : 0.25 * share)
          goal.target[2] = starts[k][2] + (arm ? 0.3 : 0.25) * share
        })
        set++
        if (!goals.solve().converged) missed++
        world.step()
      },
      measures: [
        worstGap(world),
        worstOf('length', 'goal off', 1e-3, () => largest(all, ({ error }) => error)),
        atEnd('count', 'sets missed', 0, () => missed),
      ],
    }
  },
}

export const machines: readonly AcceptScene[] = [car, onLift, underPress, goalsOnRagdoll]
