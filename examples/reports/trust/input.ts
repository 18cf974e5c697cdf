/** Wrong input: what is refused, and whether the error says what and where. */

import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as collision from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import * as core from '@tautline/core'
import * as ik from '@tautline/ik'
import ts from 'typescript'
import type { ReportRow } from '../report.js'

const PACKAGES = { core, constraints, collision, ik } as const
const ROOT = fileURLToPath(new URL('../../../packages/', import.meta.url))

/** What is handed in where something else is due. */
const JUNK: readonly unknown[] = [null, 5, 'x', NaN, { unknownField: 1 }]
/** What an engine says by itself. */
const INTERNAL =
  /Cannot (read|set|destructure|convert)|is not (a function|iterable|an object)|undefined|call stack|Invalid array/

/** How a call went. */
type Outcome = 'refused' | 'internal' | 'taken'

function outcome(act: () => unknown): Outcome {
  try {
    act()
    return 'taken'
  } catch (error) {
    const isOurs = (error instanceof TypeError || error instanceof RangeError) && /got /.test(error.message)
    return isOurs && !INTERNAL.test(error.message.replace(/got undefined/, '')) ? 'refused' : 'internal'
  }
}

interface Call {
  owner: string
  name: string
  isMethod: boolean
  parameters: number
}

/** Functions, and methods of classes that take something, of the public entry of a package. */
function publicCalls(name: string): Call[] {
  const entry = `${ROOT}${name}/src/index.ts`
  const program = ts.createProgram([entry], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    customConditions: ['@tautline/source'],
    skipLibCheck: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(entry) as ts.SourceFile
  const module = checker.getSymbolAtLocation(source) as ts.Symbol
  const calls: Call[] = []
  for (const found of checker.getExportsOfModule(module)) {
    const symbol = (found.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(found) : found
    if ((symbol.flags & ts.SymbolFlags.Function) !== 0) {
      const [signature] = checker.getTypeOfSymbolAtLocation(symbol, source).getCallSignatures()
      calls.push({ owner: '', name: found.name, isMethod: false, parameters: signature.parameters.length })
    }
    if ((symbol.flags & ts.SymbolFlags.Class) === 0) continue
    for (const member of checker.getDeclaredTypeOfSymbol(symbol).getProperties()) {
      const [signature] = checker.getTypeOfSymbolAtLocation(member, source).getCallSignatures()
      if (signature === undefined || signature.parameters.length === 0) continue
      const isPrivate = ((member.declarations?.[0] as ts.MethodDeclaration).modifiers ?? []).some(
        ({ kind }) => kind === ts.SyntaxKind.PrivateKeyword,
      )
      if (!isPrivate) {
        calls.push({ owner: found.name, name: member.name, isMethod: true, parameters: signature.parameters.length })
      }
    }
  }
  return calls
}

/** Objects whose methods are called; those of other classes are listed as not reached. */
function instances(): Record<string, object> {
  const world = new core.World()
  const collisions = new collision.Collisions(world)
  const body = collisions.addBody({ shape: collision.box([1, 1, 1]) })
  const constraint = world.add(constraints.ballSocket, { a: body, point: [0, 0, 0] })
  return {
    World: world,
    Body: body,
    Constraint: constraint,
    Collisions: collisions,
    Collider: collisions.collidersOf(body)[0],
  }
}

const allCalls: ReportRow = {
  id: '3',
  claim: 'Bad input: public functions of core, constraints, collision and ik, by list of their declarations',
  asked: '100 % TypeError or RangeError that names field and value',
  scene:
    'null, 5, "x", NaN and { unknownField: 1 } as every argument; functions that steps call are listed by their declarations too',
  measure() {
    const counts = { refused: 0, internal: 0, taken: 0 }
    let functions = 0
    const missed = new Set<string>()
    const objects = instances()
    for (const [name, module] of Object.entries(PACKAGES)) {
      for (const call of publicCalls(name)) {
        functions++
        const holder = (call.isMethod ? objects[call.owner] : module) as Record<string, unknown> | undefined
        const target = holder?.[call.name]
        if (typeof target !== 'function') {
          missed.add(call.owner)
          continue
        }
        for (const junk of JUNK) {
          const values = Array.from({ length: call.parameters }, () => junk)
          counts[outcome(() => (target as (...list: unknown[]) => unknown).apply(holder, values))]++
        }
      }
    }
    const calls = counts.refused + counts.internal + counts.taken
    const share = ((100 * counts.refused) / calls).toFixed(1)
    return {
      holds: counts.refused === calls && missed.size === 0,
      figures: `${functions} functions, ${calls} calls: ${share} % refused, ${counts.internal} internal errors, ${counts.taken} taken; classes not reached: ${[...missed].join(', ') || 'none'}`,
    }
  },
}

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
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- changes reach into plain data
    const changes: [string, (scene: any) => void][] = [
      ['collider id 1e9', (s) => (s.stages.collisions.colliders[0].id = 1e9)],
      ['id −1', (s) => (s.stages.collisions.colliders[0].id = -1)],
      ['id __proto__', (s) => (s.stages.collisions.colliders[0].id = '__proto__')],
      ['id twice', (s) => s.stages.collisions.colliders.push(s.stages.collisions.colliders[0])],
      ['generation', (s) => (s.stages.collisions.generations = ['x'])],
      ['inverseMass −5', (s) => (s.bodies[0].state.inverseMass = [-5])],
      ['zero quaternion', (s) => (s.bodies[0].state.startOrientation = [0, 0, 0, 0])],
      ['flags', (s) => (s.bodies[0].state.flags = [2 ** 31 - 1])],
      ['stage constructor', (s) => (s.stages = { constructor: {} })],
      ['option toString', (s) => (s.options.toString = 1)],
      ['substeps 1e9', (s) => (s.options.substeps = 1e9)],
      ['cyclic', (s) => (s.bodies[0].state.self = s)],
      ['unknown field', (s) => (s.bodies[0].pos = [0, 0, 0])],
    ]
    const bad = changes.filter(([, change]) => {
      const scene: unknown = JSON.parse(text)
      change(scene)
      return outcome(() => core.fromJSON(scene, [], { collisions: collision.collisionsFromJSON })) !== 'refused'
    })
    return {
      holds: bad.length === 0,
      figures: `${changes.length - bad.length} of ${changes.length}${bad.map(([name]) => `, not ${name}`).join('')}`,
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
      () => own.rayCast([0, 0, 0], [0, 1, 0], { mask: 1 } as never),
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
