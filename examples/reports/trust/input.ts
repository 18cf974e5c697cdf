/** Wrong input: what is refused, and whether the error says what and where. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as collision from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import * as core from '@tautline/core'
import type { ReportRow } from '../report.js'
import { askAll } from './bad-input.js'
import { MODULES } from './valid-calls.js'

const ROOT = fileURLToPath(new URL('../../../packages/', import.meta.url))

/** How a call went. */
type Outcome = 'refused' | 'internal' | 'taken'

function outcome(act: () => unknown): Outcome {
  try {
    act()
    return 'taken'
  } catch (error) {
    const isOurs = (error instanceof TypeError || error instanceof RangeError) && /got /.test(error.message)
    return isOurs ? 'refused' : 'internal'
  }
}

/** Most failures that a row names. */
const NAMED = 8

const allCalls: ReportRow = {
  id: '3',
  claim: `Bad input: all functions, methods, constructors, setters and constraint types of ${Object.keys(MODULES).join(', ')}, by list of their declarations`,
  asked: '100 % TypeError or RangeError that names field and value; nothing half done',
  scene:
    'in each argument, and each field of it three deep, what its declared type does not take of null, 5, NaN, "x", true, [], {}, an unknown field, a missing one, NaN and "x" as an entry; all else goes well, as is tried first',
  async measure() {
    const { counts, functions, free, exempt, unreached, failures } = await askAll()
    const { refused, told, vague, internal, taken, half } = counts
    const calls = refused + told + vague + internal + taken + half
    const left = [...exempt].map(([reason, count]) => `${count} ${reason}`)
    const named = [...unreached, ...failures].slice(0, NAMED).map((text) => `; ${text}`)
    return {
      holds: refused + told === calls && unreached.length === 0,
      figures: `${functions} functions (${free} take anything), ${calls} calls: ${((100 * (refused + told)) / calls).toFixed(2)} % refused, ${told} of them by the status of a solve that never throws; ${vague} do not say what or where, ${internal} internal errors, ${taken} taken, ${half} half done, ${unreached.length} functions not reached${named.join('')}. Not asked, by name in kernels.ts: ${left.join(', ')}`,
    }
  },
}

/** What a path of keys leads to. */
function at(scene: unknown, keys: readonly string[]): Record<string, unknown> {
  return keys.reduce((held, key) => (held as Record<string, unknown>)[key], scene) as Record<string, unknown>
}

/** A field of a scene by its path, and what is put there. */
const CHANGES: readonly (readonly [name: string, path: string, value: (scene: unknown) => unknown])[] = [
  ['collider id 1e9', 'stages.collisions.colliders.0.id', () => 1e9],
  ['id −1', 'stages.collisions.colliders.0.id', () => -1],
  ['id __proto__', 'stages.collisions.colliders.0.id', () => '__proto__'],
  ['id twice', 'stages.collisions.colliders.1', (s) => at(s, ['stages', 'collisions', 'colliders', '0'])],
  ['generation', 'stages.collisions.generations', () => ['x']],
  ['inverseMass −5', 'bodies.0.state.inverseMass', () => [-5]],
  ['zero quaternion', 'bodies.0.state.startOrientation', () => [0, 0, 0, 0]],
  ['flags', 'bodies.0.state.flags', () => [2 ** 31 - 1]],
  ['stage constructor', 'stages', () => ({ constructor: {} })],
  ['option toString', 'options.toString', () => 1],
  ['substeps 1e9', 'options.substeps', () => 1e9],
  ['cyclic', 'bodies.0.state.self', (s) => s],
  ['unknown field', 'bodies.0.pos', () => [0, 0, 0]],
]

const scenes: ReportRow = {
  id: '1.5',
  claim: 'Scenes that no world wrote are refused',
  asked: 'all, by a TypeError or RangeError',
  scene: 'one body and a collider; each of the changes below',
  measure() {
    const world = new core.World()
    const own = new collision.Collisions(world)
    own.addBody({ shape: collision.sphere(1) })
    const text = JSON.stringify(world)
    const bad = CHANGES.filter(([, path, value]) => {
      const scene: unknown = JSON.parse(text)
      const keys = path.split('.')
      at(scene, keys.slice(0, -1))[keys[keys.length - 1]] = value(scene)
      return outcome(() => core.fromJSON(scene, [], { collisions: collision.collisionsFromJSON })) !== 'refused'
    })
    return {
      holds: bad.length === 0,
      figures: `${CHANGES.length - bad.length} of ${CHANGES.length}${bad.map(([name]) => `, not ${name}`).join('')}`,
    }
  },
}

const silent: ReportRow = {
  id: '1.7',
  claim: 'Wrong input that was silently taken',
  asked: 'refused; what a callback removes goes after the step, without a throw',
  scene: 'twelve calls; a ball on a plane that removes itself from onContact',
  measure() {
    const world = new core.World()
    const [a, b] = [world.addBody({ inertia: 1 }), world.addBody({ inertia: 1, position: [1, 0, 0] })]
    const own = new collision.Collisions(world)
    const add = (type: unknown, def: object) => (): unknown => world.add(type as never, def as never)
    const calls = [
      add(constraints.distance, { bodies: [a, b] }),
      add(constraints.distance, { a, b, lenght: 1 }),
      add(constraints.hinge, { a, b, point: [0, 0, 0], axis: [0, 0, 1], drive: { stifness: 1 } }),
      add(constraints.hinge, { a, b, point: [0, 0, 0], axis: [0, 0, 1], drive: 'x' }),
      add(constraints.swingTwist, { a, b, point: [0, 0, 0], swing: 5 }),
      add(constraints.distance, { a, b, enableCollision: 1 }),
      () => world.addBody({ pos: [0, 0, 0] } as never),
      () => collision.rayCast(own, [0, 0, 0], [0, 1, 0], { mask: 1 } as never),
      () => a.toWorld([NaN, 0, 0]),
      () => world.use(5 as never),
      () => world.onVelocities(5 as never),
      () => core.custom({ name: 'x', bodies: 2 ** 31, error: () => 0 }),
    ]
    const refused = calls.filter((act) => outcome(act) === 'refused').length
    const ball = own.addBody({ shape: collision.sphere(1), position: [0, 5.9, 0] })
    own.addCollider(null, { shape: collision.plane([0, 1, 0], 5) })
    own.onContact(() => ball.remove())
    const step = outcome(() => world.step())
    return {
      holds: refused === calls.length && step === 'taken' && !ball.alive,
      figures: `${refused} of ${calls.length}; the step ${step === 'taken' ? 'went on' : 'threw'}, the ball is ${ball.alive ? 'there' : 'gone'}`,
    }
  },
}

const engines: ReportRow = {
  id: '1.11',
  claim: 'Simulation packages use nothing that an engine of 2022 lacks or does wrong',
  asked: 'no BigInt, no .at(), no typed array from an iterator',
  scene: 'sources of core, constraints, collision and impulse-compat, without comments',
  measure() {
    const lacking =
      /\bBigInt\b|\b\d+n\b|[\w\])]\.at\(|(Int32|Float64|Uint8)Array\.from\((new Set|[\w.]+\.(keys|values|entries)\(\))/
    let files = 0
    const found: string[] = []
    for (const name of ['core', 'constraints', 'collision', 'impulse-compat']) {
      for (const file of readdirSync(`${ROOT}${name}/src`, { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.ts')) continue
        files++
        const lines = readFileSync(`${ROOT}${name}/src/${file}`, 'utf8').split('\n')
        const hit = lines.find((line) => !/^\s*(\/?\*|\/\/)/.test(line) && lacking.test(line))
        if (hit !== undefined) found.push(`${name}/${file}: ${hit.trim()}`)
      }
    }
    return {
      holds: found.length === 0,
      figures: `${files} files, ${found.length} found${found.map((f) => `; ${f}`).join('')}`,
    }
  },
}

export const input: readonly ReportRow[] = [scenes, silent, engines, allCalls]
