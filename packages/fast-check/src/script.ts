/** Scenes as text: statements against the public API, with every number to its last bit. */

import * as constraints from '@tautline/constraints'
import type { ConstraintSpec, SceneDef, ShapeSpec } from './spec.js'

/** How a scene is printed. */
export interface ScriptOptions {
  /** Where types of your own come from, by their names: `{ level: './level.js' }`. @defaultValue './NAME.js' */
  modules?: Readonly<Record<string, string>>
  /** In place of `console.log(world.hash())`. @defaultValue it */
  last?: readonly string[]
  /** What must be imported from `@tautline/core` beside what is used anyway. @defaultValue none */
  core?: readonly string[]
  /** What must be imported from `@tautline/core/kernel`. @defaultValue none */
  kernel?: readonly string[]
}

/** Imports of what the statements use. */
export function scriptHeader(
  { constraints: first, operations }: SceneDef,
  lines: readonly string[],
  options: ScriptOptions,
): string[] {
  const added = operations.flatMap((operation) => (operation.do === 'add' ? [operation.constraint] : []))
  const types = new Set([...first, ...added].map(({ type }) => type))
  const isOurs = (type: ConstraintSpec['type']): boolean => Object.values(constraints).includes(type as never)
  const ours = [...types].filter(isOurs).map(({ name }) => name)
  const shapes = (['box', 'plane', 'sphere'] as const).filter((name) =>
    lines.some((line) => line.includes(`shape: ${name}(`)),
  )
  const imports = [`import { ${[...(options.core ?? []), 'World'].join(', ')} } from '@tautline/core'`]
  if (options.kernel !== undefined) imports.push(`import { ${options.kernel.join(', ')} } from '@tautline/core/kernel'`)
  if (shapes.length > 0) imports.push(`import { ${['Collisions', ...shapes].join(', ')} } from '@tautline/collision'`)
  if (ours.length > 0) imports.push(`import { ${ours.join(', ')} } from '@tautline/constraints'`)
  for (const type of types) {
    if (isOurs(type)) continue
    const name = identifier(type.name)
    imports.push(`import { ${name} } from ${literal(options.modules?.[type.name] ?? `./${name}.js`)}`)
  }
  return imports
}

/** The call that adds a constraint. */
export function constraintText({ type, joins, fields }: ConstraintSpec): string {
  const at = (index: number | null): string => (index === null ? 'null' : `body${index}`)
  const named =
    'bodies' in joins ? [`bodies: [${joins.bodies.map(at).join(', ')}]`] : [`a: ${at(joins.a)}`, `b: ${at(joins.b)}`]
  const rest = Object.entries(fields).map(([field, value]) => `${key(field)}: ${literal(value)}`)
  return `world.add(${identifier(type.name)}, { ${[...named, ...rest].join(', ')} })`
}

/** The call that makes a shape. */
export function shapeText([kind, argument]: ShapeSpec): string {
  return `${kind}(${literal(argument)})`
}

/** A value as a literal. Numbers keep their bits, typed arrays become arrays, functions are their source. */
export function literal(value: unknown): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value)
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return `[${Array.from(value as ArrayLike<unknown>, literal).join(', ')}]`
  }
  const entries = Object.entries(value).map(([field, entry]) => `${key(field)}: ${literal(entry)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}

function key(field: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(field) ? field : literal(field)
}

/** A name of a type as one of a variable. */
function identifier(name: string): string {
  const word = name.replace(/[^\w$]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())
  return /^\d/.test(word) ? `_${word}` : word
}
