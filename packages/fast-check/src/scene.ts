/** A scene: what arbitraries make, what is run, and what is printed as a script. */

import { box, Collisions, plane, type Shape, sphere } from '@tautline/collision'
import { World } from '@tautline/core'
import { toStringMethod } from 'fast-check'
import { perform } from './operations.js'
import { addConstraint, type Running } from './running.js'
import { literal, scriptHeader, type ScriptOptions, shapeText } from './script.js'
import type { SceneDef, ShapeSpec } from './spec.js'

/** A scene that can be built any number of times. fast-check prints it as a script. */
export class Scene {
  readonly def: SceneDef

  constructor(def: Partial<SceneDef>) {
    this.def = { options: {}, bodies: [], constraints: [], colliders: [], operations: [], ...def }
    // What fast-check shows.
    Object.defineProperty(this, toStringMethod, { value: () => `\n${this.toScript()}` })
  }

  /** The same with other parts. */
  with(changes: Partial<SceneDef>): Scene {
    return new Scene({ ...this.def, ...changes })
  }

  /** A new world as it is before the operations. */
  build(): Running {
    const { options, bodies, constraints, colliders } = this.def
    const world = new World(options)
    const running: Running = { world, bodies: [], constraints: [], lines: [] }
    running.lines.push(`const world = new World(${literal(options)})`)
    if (colliders.length > 0) running.lines.push('const collisions = new Collisions(world)')
    const collisions = colliders.length > 0 ? new Collisions(world) : undefined
    for (const def of bodies) {
      running.lines.push(`const body${running.bodies.length} = world.addBody(${literal(def)})`)
      running.bodies.push(world.addBody(def))
    }
    for (const { body, shape, fields } of colliders) {
      running.lines.push(
        `collisions.addCollider(${nameOf(body)}, { shape: ${shapeText(shape)}, ...${literal(fields)} })`,
      )
      collisions?.addCollider(body === null ? null : running.bodies[body], { shape: shapeOf(shape), ...fields })
    }
    for (const spec of constraints) addConstraint(running, spec)
    return running
  }

  /** A new world after all operations, or after the first `count` of them. */
  run(count: number = Infinity): Running {
    const running = this.build()
    for (const operation of this.def.operations.slice(0, count)) perform(running, operation)
    return running
  }

  /** The world of {@link run}. */
  world(): World {
    return this.run().world
  }

  /**
   * A script against the public API that makes the same world, does the same to it, and prints its hash. An operation that throws ends
   * it, and is its last line but one.
   */
  toScript(options: ScriptOptions = {}): string {
    const running = this.build()
    const { lines } = running
    try {
      for (const operation of this.def.operations) perform(running, operation)
    } catch (error) {
      lines.push(`// throws ${String(error)}`)
    }
    return [
      ...scriptHeader(this.def, lines, options),
      '',
      ...lines,
      ...(options.last ?? ['console.log(world.hash())']),
      '',
    ].join('\n')
  }
}

function nameOf(body: number | null): string {
  return body === null ? 'null' : `body${body}`
}

function shapeOf(shape: ShapeSpec): Shape {
  if (shape[0] === 'box') return box(shape[1])
  if (shape[0] === 'sphere') return sphere(shape[1])
  return plane(shape[1])
}
