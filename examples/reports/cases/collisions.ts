/** Rows on colliders, contacts and the character mover. */

import { box, type Collider, Collisions, onTrigger, plane, sphere } from '@tautline/collision'
import { World } from '@tautline/core'
import type { Measured, ReportRow } from '../report.js'

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

export const collisionRows: readonly ReportRow[] = [
  {
    id: '10',
    claim: 'Events of colliders that are removed while events are read, and calls of triggers whose handlers remove',
    asked: 'name, user data, shape and body readable; `removed` says so; no enter of what is gone',
    scene: '8 balls on a plane in two sensors, 20 steps',
    measure: removedInEvents,
  },
]
