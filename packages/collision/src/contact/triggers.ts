/** Sensors that call: who came, who stays, who left, step by step, also where `world.advance` makes several. */

import type { Stage, LeanWorld } from '@tautline/core'
import { callable, instance, knownFields, object } from '@tautline/core/kernel'
import { LeanCollisions } from '../lean-collisions.js'
import { Collider } from '../state/collider-handle.js'

/** What {@link onTrigger} calls, each with the other collider and the sensor. Each may be left out. */
export interface TriggerHandlers {
  /** In the first step in which it is in the sensor. */
  enter?: (other: Collider, sensor: Collider) => void
  /** In each further one. */
  stay?: (other: Collider, sensor: Collider) => void
  /** In the first in which it is not; it may have been removed: `other.alive` tells. */
  leave?: (other: Collider, sensor: Collider) => void
}

const HANDLERS: readonly (keyof TriggerHandlers)[] = ['enter', 'stay', 'leave']
const WORD = { begin: 'enter', persist: 'stay', end: 'leave' } as const

interface Watch {
  readonly sensor: Collider
  readonly handlers: TriggerHandlers
}

/** Calls what watches the sensors of a world, after each step. Comes with the first {@link onTrigger}. */
class Triggers implements Stage {
  readonly name = 'triggers'
  private readonly collisions: LeanCollisions
  private readonly world: LeanWorld
  private watches: readonly Watch[] = []

  constructor(collisions: LeanCollisions) {
    this.collisions = collisions
    this.world = collisions.world
    this.world.use(this)
  }

  add(watch: Watch): () => void {
    this.watches = [...this.watches, watch]
    return () => (this.watches = this.watches.filter((other) => other !== watch))
  }

  afterStep(): void {
    if (this.watches.length === 0) return
    for (const { type, a, b } of this.collisions.sensorEvents) {
      for (const { sensor, handlers } of this.watches) {
        if (sensor !== a && sensor !== b) continue
        const handler = handlers[WORD[type]]
        if (handler !== undefined) this.call(handler, sensor === a ? b : a, sensor)
      }
    }
    // Who was in it has been told.
    if (this.watches.some(({ sensor }) => !sensor.alive)) {
      this.watches = this.watches.filter(({ sensor }) => sensor.alive)
    }
  }

  /** Runs it when the step is over, so that it may do anything; what it throws is thrown then, after all others. */
  private call(handler: (other: Collider, sensor: Collider) => void, other: Collider, sensor: Collider): void {
    const { callbacks } = this.world.bodies
    callbacks.begin()
    callbacks.defer(() => {
      try {
        handler(other, sensor)
      } catch (error) {
        callbacks.keep(error)
      }
    })
    callbacks.end()
  }
}

/**
 * Has a sensor call: `onTrigger(collisions, gate, { enter: (other) => … })`. Returns a function that ends it. Handlers run at the end of each step, in the
 * order of colliders' numbers, and may add, change and remove what they like. They are not saved: after `restore` they go on, after `fromJSON` they are
 * set anew. Throws a `TypeError` or `RangeError` for a collider that is no sensor, and bad fields.
 */
export function onTrigger(collisions: LeanCollisions, sensor: Collider, handlers: TriggerHandlers): () => void {
  const where = 'onTrigger'
  check(where, collisions, 'sensor', sensor)
  if (!sensor.sensor) throw new RangeError(`${where}: sensor must be one (sensor: true), got ${sensor.label}`)
  knownFields(`${where}: handlers`, object(`${where}: handlers`, handlers), HANDLERS)
  for (const name of HANDLERS) if (handlers[name] !== undefined) callable(`${where}: ${name}`, handlers[name])
  const known = collisions.world.stages.find((stage) => stage instanceof Triggers)
  return (known ?? new Triggers(collisions)).add({ sensor, handlers: { ...handlers } })
}

/** What touched a collider in the last step, or was in it if it is a sensor, by number. */
export function overlapping(collisions: LeanCollisions, collider: Collider): Collider[] {
  const where = 'overlapping'
  check(where, collisions, 'collider', collider)
  const { batch } = collisions
  const { pair, touching } = batch.columns
  const found = new Set<number>()
  for (let row = 0; row < batch.count; row++) {
    if (touching[row] === 0) continue
    if (pair[3 * row] === collider.id) found.add(pair[3 * row + 1])
    else if (pair[3 * row + 1] === collider.id) found.add(pair[3 * row])
  }
  return [...found].sort((a, b) => a - b).map((id) => collisions.handle(id))
}

function check(where: string, collisions: LeanCollisions, name: string, collider: Collider): void {
  instance(`${where}: collisions`, collisions, LeanCollisions, 'a Collisions')
  const { collisions: owner } = instance(`${where}: ${name}`, collider, Collider, 'a collider')
  if (owner !== collisions) throw new RangeError(`${where}: ${name} must be of these collisions, got another's`)
}
