/** Failures as scripts: to be saved in `examples` and run with `npx tsx --conditions=@tautline/source FILE`. */

import * as constraints from '@tautline/constraints'
import type { WorldOptions } from '@tautline/core'
import { literal, scriptHeader, type Scene, type SceneDef } from '@tautline/fast-check'
import { MODULES } from './custom-types.js'

/** Where the handles of a scene stand among all that a world has; −1 for what is gone. */
export interface Places {
  bodies: number[]
  constraints: number[]
}

function whole({ def }: Pick<Scene, 'def'>, lines: readonly string[], core: readonly string[] = []): string {
  const head = scriptHeader(def, lines, { modules: MODULES, core })
  const text = lines.join('\n')
  // Types that moves add, and those of wrong calls.
  const isThere = (name: string): boolean => head.some((line) => new RegExp(`\\b${name}\\b`).test(line))
  const used = (name: string): boolean => new RegExp(`world\\d*\\.add\\(${name},`).test(text) && !isThere(name)
  const ours = Object.keys(constraints).filter(used)
  if (ours.length > 0) head.push(`import { ${ours.join(', ')} } from '@tautline/constraints'`)
  for (const name of Object.keys(MODULES).filter(used)) head.push(`import { ${name} } from '${MODULES[name]}'`)
  const queries = ['closestPoint', 'overlapShape', 'rayCast', 'shapeCast']
  const names = ['collisionsFromJSON', 'sphere', ...queries].filter(
    (name) => text.includes(`${name}`) && !isThere(name),
  )
  if (names.length > 0) head.push(`import { ${names.join(', ')} } from '@tautline/collision'`)
  return [...head, '', ...lines, ''].join('\n')
}

/** What was done, and the hash that it came to. */
export function script(scene: Scene | SceneDef, lines: readonly string[]): string {
  const def = 'def' in scene ? scene.def : scene
  return whole({ def }, [...lines, 'console.log(world.hash())'])
}

function block(lines: readonly string[]): string[] {
  return ['{', ...lines.map((line) => `  ${line}`), '}']
}

const CHECK = "if (world.hash() !== once) throw new Error('goes on otherwise')"

/** What a snapshot goes on otherwise from. */
export function restoreScript(
  scene: Scene,
  settings: WorldOptions,
  before: readonly string[],
  after: readonly string[],
): string {
  return whole(scene, [
    ...before,
    'const snapshot = world.snapshot()',
    ...block(after),
    'const once = world.hash()',
    `world.configure(${literal(settings)})`,
    'world.restore(snapshot)',
    ...block(after),
    CHECK,
  ])
}

/** What JSON goes on otherwise from. */
export function reloadScript(
  scene: Scene,
  places: Places,
  before: readonly string[],
  after: readonly string[],
): string {
  const handles = (name: 'bodies' | 'constraints', one: string, all: string): string[] =>
    places[name].flatMap((at, k) => (at < 0 ? [] : [`const ${one}${k} = world.${all}[${at}]`]))
  const inner = [
    'const world = fromJSON(text, types, { collisions: collisionsFromJSON })',
    ...handles('bodies', 'body', 'bodies.all()'),
    ...handles('constraints', 'constraint', 'constraints()'),
    ...after,
    CHECK,
  ]
  const lines = [
    ...before,
    'const text = JSON.stringify(world)',
    ...block(after),
    'const types = world.batches.map(({ type }) => type)',
    'const once = world.hash()',
    ...block(inner),
  ]
  return whole(scene, lines, ['fromJSON'])
}
