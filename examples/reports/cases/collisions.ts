/** Rows on colliders, contacts and the character mover. */

import {
  box,
  type Collider,
  Collisions,
  createCharacter,
  findOverlaps,
  heightfield,
  moveCharacter,
  onTrigger,
  plane,
  type Shape,
  sphere,
  triangleMesh,
} from '@tautline/collision'
import { ragdoll, type RagdollBone } from '@tautline/assemblies'
import { World } from '@tautline/core'
import { randomNumbers } from '../../lib/random.js'
import { figure, figures, type Measured, type ReportRow } from '../report.js'

/** Removes bodies while the events that name them are read, and removes what enters the first of two sensors from its handler. */
function removedInEvents(): Measured {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]), name: 'floor' })
  const gates = [0, 1].map(() => collisions.addCollider(null, { shape: box([9, 0.5, 9]), sensor: true }))
  let told = 0
  let gone = 0
  const note = (other: Collider): void => {
    told++
    if (!other.alive) gone++
  }
  gates.forEach((gate, k) => {
    onTrigger(collisions, gate, {
      enter(other) {
        note(other)
        if (k === 0 && other.body?.name === 'coin') other.body.remove()
      },
      stay: note,
    })
  })
  for (let k = 0; k < 8; k++) {
    const body = collisions.addBody({ shape: sphere(0.2), position: [k, 0.2, 0], name: k % 2 === 0 ? 'coin' : 'ball' })
    collisions.collidersOf(body)[0].userData = { number: k }
  }
  let read = 0
  let threw = 0
  let silent = 0
  for (let step = 0; step < 20; step++) {
    world.step()
    for (const event of collisions.events) {
      try {
        const parts = [event.a, event.b].map(({ name, shape, body, userData }) => [name, shape.name, body, userData])
        read += parts.length / 2
        if (event.removed !== (!event.a.alive || !event.b.alive)) silent++
      } catch {
        threw++
      }
      if (step === 5 && event.a.body?.alive === true) event.a.body.remove()
      if (step === 5 && event.b.body?.alive === true) event.b.body.remove()
    }
  }
  return {
    figures: `${threw} of ${read + threw} events threw, ${silent} wrong on \`removed\`; ${gone} of ${told} calls of enter and stay with a removed collider`,
    holds: threw === 0 && silent === 0 && gone === 0 && read > 0,
  }
}

/** Floors at a height of 0: a shape, and where its origin is [m]. */
const FLOORS: readonly (() => readonly [Shape, number])[] = [
  () => [plane([0, 1, 0]), 0],
  () => [box([10, 0.5, 10]), -0.5],
  () => [box([10, 0.1, 10]), -0.1],
  () => [triangleMesh([-9, 0, -9, 9, 0, -9, 9, 0, 9, -9, 0, 9], [0, 2, 1, 0, 3, 2]), 0],
  () => [heightfield({ heights: new Float64Array(25), columns: 5, rows: 5, cellX: 4, cellZ: 4 }), 0],
]
/** Middle of a character that stands, a skin above the floor [m]. */
const STANDING = 0.92
const SKIN = 0.02

/** Presses a character of 1.8 m flat and lets go: how far it left its place on the floor, and how often it was not told. */
function pressed(): Measured {
  let off = 0
  let untold = 0
  let runs = 0
  for (const make of FLOORS) {
    for (const low of [1.6, 1.2, 0.8, 0.3]) {
      const world = new World()
      const collisions = new Collisions(world)
      const [shape, y] = make()
      collisions.addCollider(null, { shape, position: [0, y, 0] })
      const press = world.addBody({ type: 'kinematic', position: [0, 3, 0] })
      const plate = collisions.addCollider(press, { shape: box([3, 0.2, 3]) })
      const hero = createCharacter({ position: [0, STANDING, 0] })
      runs++
      for (let k = 0; k < 440; k++) {
        press.setTarget([0, 0.2 + (k < 200 ? Math.max(2.8 - k / 60, low) : low + (k - 200) / 60), 0])
        world.step()
        const [vx, vy, vz] = hero.velocity
        moveCharacter(collisions, hero, hero.grounded ? [0, 0, 0] : [vx, vy - 9.81 / 60, vz], 1 / 60)
        off = Math.max(off, Math.abs(hero.position[1] - STANDING))
        if (k === 199 && hero.crushedBy !== plate) untold++
      }
      if (!hero.grounded || hero.crushedBy !== null) untold++
    }
  }
  return {
    figures: `at most ${figure(off)} m from where it stood in ${runs} runs, ${untold} not told`,
    holds: off <= SKIN && untold === 0,
  }
}

/** A figure of 1.6 m without drives. */
function figureBones(): RagdollBone[] {
  const side = (s: number, name: string): RagdollBone[] => [
    { name: `${name}UpperArm`, parent: 'chest', position: [0.18 * s, 0.22, 0] },
    { name: `${name}LowerArm`, parent: `${name}UpperArm`, position: [0.28 * s, 0, 0] },
    { name: `${name}Hand`, parent: `${name}LowerArm`, position: [0.26 * s, 0, 0] },
    { name: `${name}UpperLeg`, parent: 'hips', position: [0.09 * s, -0.04, 0] },
    { name: `${name}LowerLeg`, parent: `${name}UpperLeg`, position: [0, -0.41, 0] },
    { name: `${name}Foot`, parent: `${name}LowerLeg`, position: [0, -0.42, 0] },
  ]
  return [
    { name: 'hips', parent: null, position: [0, 0.95, 0] },
    { name: 'chest', parent: 'hips', position: [0, 0.25, 0] },
    { name: 'head', parent: 'chest', position: [0, 0.35, 0] },
    ...side(1, 'left'),
    ...side(-1, 'right'),
  ]
}

const LYING = 0.5
const SUNK = 0.01
const RESTING = 1e-3

/** How high heads are, and how deep the deepest contact is, where figures sleep that were made in the floor. */
function sunkFigures(): Measured {
  let highest = 0
  let deepest = 0
  let awake = 0
  for (const floor of FLOORS.slice(0, 2)) {
    for (const depth of [0.3, 0.4, 0.6, 0.8]) {
      const world = new World()
      const collisions = new Collisions(world)
      const [shape, y] = floor()
      collisions.addCollider(null, { shape, position: [0, y, 0] })
      const head = ragdoll(world, figureBones(), { position: [0, -depth, 0] }).body('head')
      for (let k = 0; k < 600 && !head.asleep; k++) world.step()
      if (!head.asleep) awake++
      highest = Math.max(highest, head.position[1])
      for (const { points } of collisions.events) {
        for (const { separation } of points) deepest = Math.max(deepest, -separation)
      }
    }
  }
  return {
    figures: `heads at most ${figure(highest)} m high, contacts ${figure(1e3 * deepest)} mm deep, ${awake} of 8 awake`,
    holds: highest < LYING && deepest < SUNK && awake === 0,
  }
}

/** How deep a box of 1 m lies 5 s after one long step. */
function longStep(): Measured {
  const depths = [0.25, 0.5, 1].map((dt) => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const crate = collisions.addBody({ shape: box([0.5, 0.5, 0.5]), position: [0, 0.5, 0] })
    world.step(dt)
    for (let k = 0; k < 300; k++) world.step()
    return Math.abs(0.5 - crate.position[1])
  })
  return {
    figures: `${figures(depths.map((depth) => 1e3 * depth))} mm deep 5 s after steps of 0.25, 0.5 and 1 s`,
    holds: depths.every((depth) => depth < RESTING),
  }
}

const SHEETS = 20
const DIRECTIONS = 12

/** Throws a ball of 10 cm through sheets of 2 cm at 60 m/s: which sheets told that it came and went, each once. */
function crossed(): Measured {
  let seen = 0
  for (let direction = 0; direction < DIRECTIONS; direction++) {
    const angle = (Math.PI * direction) / (2 * DIRECTIONS)
    const [x, y] = [Math.cos(angle), Math.sin(angle)]
    const world = new World({ gravity: [0, 0, 0] })
    const collisions = new Collisions(world)
    const half = 0.5 * angle
    const words = Array.from({ length: SHEETS }, (_, k) => {
      const at = 0.3 + 0.37 * k
      const gate = collisions.addCollider(null, {
        shape: box([0.01, 1, 1]),
        position: [at * x, at * y, 0],
        orientation: [0, 0, Math.sin(half), Math.cos(half)],
        sensor: true,
        continuous: true,
      })
      const told: string[] = []
      onTrigger(collisions, gate, { enter: () => told.push('enter'), leave: () => told.push('leave') })
      return told
    })
    collisions.addBody({ shape: sphere(0.05), velocity: [60 * x, 60 * y, 0] })
    for (let step = 0; step < 20; step++) world.step()
    seen += words.filter((told) => told.join() === 'enter,leave').length
  }
  return {
    figures: `${seen} of ${SHEETS * DIRECTIONS} sheets`,
    holds: seen === SHEETS * DIRECTIONS,
  }
}

const BALLS = 400
const LEAST = 0.001

/** Adds balls at random: pairs that are named, beside those whose centres are too near, and the largest error of a depth. */
function overlapping(): Measured {
  const collisions = new Collisions(new World())
  const next = randomNumbers(14)
  const balls = Array.from({ length: BALLS }, (_, k) => {
    const at: [number, number, number] = [3 * next(), 3 * next(), 3 * next()]
    const radius = 0.2 + 0.1 * next()
    collisions.addBody({ shape: sphere(radius), position: at, name: `${k}` })
    return { at, radius }
  })
  const named = new Map(findOverlaps(collisions).map(({ a, b, depth }) => [`${a.name} ${b.name}`, depth]))
  let pairs = 0
  let missing = 0
  let off = 0
  for (let i = 0; i < BALLS; i++) {
    for (let j = i + 1; j < BALLS; j++) {
      const [{ at: p, radius: r }, { at: q, radius: s }] = [balls[i], balls[j]]
      const depth = r + s - Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
      if (depth <= LEAST) continue
      pairs++
      const found = named.get(`${i} ${j}`)
      if (found === undefined) missing++
      else off = Math.max(off, Math.abs(found - depth))
    }
  }
  return {
    figures: `${named.size} of ${pairs} pairs named, ${missing} missing; depth off by at most ${figure(off)} m`,
    holds: missing === 0 && named.size === pairs && off < 1e-9,
  }
}

export const collisionRows: readonly ReportRow[] = [
  {
    id: '6.1',
    claim: 'Limp figures that are made 0.3 to 0.8 m within the floor, when they sleep',
    asked: `lying (heads below ${LYING} m), no contact deeper than ${1e3 * SUNK} mm`,
    scene: 'ragdoll of 15 parts; plane and box of 1 m; 10 s',
    measure: sunkFigures,
  },
  {
    id: '6.2',
    claim: 'A box of 1 m on a plane after one step of 0.25, 0.5 and 1 s',
    asked: `less than ${1e3 * RESTING} mm deep 5 s later`,
    scene: 'steps of 1/60 s after the long one',
    measure: longStep,
  },
  {
    id: '10',
    claim: 'Events of colliders that are removed while events are read, and calls of triggers whose handlers remove',
    asked: 'name, user data, shape and body readable; `removed` says so; no enter of what is gone',
    scene: '8 balls on a plane in two sensors, 20 steps',
    measure: removedInEvents,
  },
  {
    id: '11',
    claim: 'A press comes down on a character to 1.6, 1.2, 0.8 and 0.3 m, and goes up again',
    asked: `crushed against the floor (≤ ${SKIN} m from where it stood) and told so by \`crushedBy\``,
    scene: 'character of 1.8 m; plane, boxes of 1 and 0.2 m, mesh, heightfield',
    measure: pressed,
  },
  {
    id: '12',
    claim: 'Thin sensors with `continuous: true` that tell a fast ball came and went',
    asked: 'all of them, each once',
    scene: `ball of 10 cm at 60 m/s, ${SHEETS} sheets of 2 cm, ${DIRECTIONS} directions`,
    measure: crossed,
  },
  {
    id: '14',
    claim: 'Pairs that overlap by more than 1 mm when they are added, named by `findOverlaps`',
    asked: 'exactly those, with their depths',
    scene: `${BALLS} balls of 0.1 to 0.3 m at random in 6 m`,
    measure: overlapping,
  },
]
