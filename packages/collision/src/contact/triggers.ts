/** Sensors that call: who came, who stays, who left, step by step, also where `world.advance` makes several. */

import type { Stage, LeanWorld } from '@tautline/core'
import { callable, instance, knownFields, object } from '@tautline/core/kernel'
import { LeanCollisions } from '../lean-collisions.js'
import { Collider } from '../state/collider-handle.js'

/** What {@link onTrigger} calls, each with the other collider and the sensor. Each may be left out. */
export interface TriggerHandlers {
  /** In the first step in which it is in the sensor. Not of what was removed before its turn came: of that, nothing is told. */
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
  /** Colliders that were removed before they could be told to have entered: no `leave` follows. */
  readonly missed: Set<Collider>
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
      for (const watch of this.watches) {
        if (watch.sensor === a || watch.sensor === b) this.call(watch, WORD[type], watch.sensor === a ? b : a)
      }
    }
    // Who was in it has been told.
    if (this.watches.some(({ sensor }) => !sensor.alive)) {
      this.watches = this.watches.filter(({ sensor }) => sensor.alive)
    }
  }

  /** Runs it when the step is over, so that it may do anything; what it throws is thrown then, after all others. */
  private call({ sensor, handlers, missed }: Watch, word: keyof TriggerHandlers, other: Collider): void {
    const { callbacks } = this.world.bodies
    callbacks.begin()
    callbacks.defer(() => {
      // Handlers that came before may have removed one of them.
      const isRemoved = !other.alive || !sensor.alive
      if (word === 'leave' ? missed.delete(other) : isRemoved) {
        if (word === 'enter') missed.add(other)
        return
      }
      missed.delete(other)
      try {
        handlers[word]?.(other, sensor)
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
  return (known ?? new Triggers(collisions)).add({ sensor, handlers: { ...handlers }, missed: new Set() })
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
  if (!collider.alive) throw new RangeError(`${where}: ${name} must exist, got the removed ${collider.label}`)
}
