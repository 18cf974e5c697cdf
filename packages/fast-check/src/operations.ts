/** Edits and steps: what a game does to a world. Each says itself as a statement, so that a script does the same. */

import type { Body, Constraint } from '@tautline/core'
import fc, { type Arbitrary } from 'fast-check'
import { record, rotation, vector } from './numbers.js'
import { addConstraint, type Running } from './running.js'
import { literal } from './script.js'
import type { ConstraintSpec, Operation } from './spec.js'

/** Does it, and writes down the statement. */
export function perform(running: Running, operation: Operation): void {
  const { world, lines } = running
  switch (operation.do) {
    case 'step':
      lines.push(`for (let step = 0; step < ${operation.count}; step++) world.step()`)
      for (let step = 0; step < operation.count; step++) world.step()
      return
    case 'configure':
      lines.push(`world.configure(${literal(operation.options)})`)
      world.configure(operation.options)
      return
    case 'add':
      if (joined(operation.constraint).every((k) => k === null || running.bodies[k]?.alive === true)) {
        addConstraint(running, operation.constraint)
      }
      return
    case 'removeConstraint':
    case 'set':
      editConstraint(running, operation)
      return
    case 'removeBody':
    case 'setOrientation':
    case 'setPosition':
    case 'setVelocity':
    case 'setAngularVelocity':
    case 'applyForce':
    case 'applyTorque':
    case 'applyImpulse':
    case 'applyAngularImpulse':
      editBody(running, operation)
  }
}

function joined({ joins }: ConstraintSpec): readonly (number | null)[] {
  return 'bodies' in joins ? joins.bodies : [joins.a, joins.b]
}

function editConstraint(
  { constraints, lines }: Running,
  operation: Extract<Operation, { do: 'removeConstraint' | 'set' }>,
): void {
  const found = pick(constraints, operation.constraint)
  if (found === undefined) return
  const name = `constraint${constraints.indexOf(found)}`
  if (operation.do === 'set') {
    lines.push(`${name}.set(${literal(operation.changes)})`)
    found.set(operation.changes)
  } else {
    lines.push(`${name}.remove()`)
    found.remove()
  }
}

type BodyEdit = Extract<Operation, { body: number }>

function editBody({ bodies, lines }: Running, operation: BodyEdit): void {
  const body = pick(bodies, operation.body)
  if (body === undefined) return
  const name = `body${bodies.indexOf(body)}`
  if (operation.do === 'removeBody') {
    lines.push(`${name}.remove()`)
    body.remove()
    return
  }
  lines.push(`${name}.${operation.do}(${literal(operation.value)})`)
  if (operation.do === 'setOrientation') body.setOrientation(operation.value)
  else body[operation.do](operation.value)
}

/** The `index`-th of those that are still there. */
function pick<T extends Body | Constraint>(list: readonly T[], index: number): T | undefined {
  const alive = list.filter((handle) => handle.alive)
  return alive[index % alive.length]
}

/** What {@link operations} may do. */
export interface OperationOptions {
  /** Most edits and runs of steps. @defaultValue 8 */
  maxLength?: number
  /** Most steps at a time. @defaultValue 10 */
  maxSteps?: number
  /** Whether bodies and constraints may be removed. @defaultValue true */
  removes?: boolean
}

/** Edits and steps on whatever scene; shrinks to fewer, and to fewer steps. */
export function operations({ maxLength = 8, maxSteps = 10, removes = true }: OperationOptions = {}): Arbitrary<
  Operation[]
> {
  const body = fc.nat({ max: 31 })
  const constraint = fc.nat({ max: 31 })
  const steps = record({ do: fc.constant('step' as const), count: fc.integer({ min: 1, max: maxSteps }) })
  const edits: Arbitrary<Operation>[] = [
    ...(['setPosition', 'setVelocity', 'setAngularVelocity', 'applyForce', 'applyImpulse'] as const).map(
      (edit): Arbitrary<Operation> => record({ do: fc.constant(edit), body, value: vector(3) }),
    ),
    record({ do: fc.constant('setOrientation' as const), body, value: rotation() }),
    record({
      do: fc.constant('set' as const),
      constraint,
      changes: record({ enabled: fc.boolean() }),
    }),
    record({
      do: fc.constant('configure' as const),
      options: record({ substeps: fc.integer({ min: 1, max: 8 }) }),
    }),
  ]
  if (removes) {
    edits.push(
      record({ do: fc.constant('removeBody' as const), body }),
      record({ do: fc.constant('removeConstraint' as const), constraint }),
    )
  }
  return fc.array(fc.oneof({ arbitrary: steps, weight: edits.length }, ...edits), { maxLength })
}
