import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Declared, entriesOf, packageFolders, readDeclarations } from '../../tools/docs/declarations.js'
import { type Handle, handlesPage, readHandles } from '../../tools/docs/handles.js'
import { firstSentence, lacking, splitUnit, tableOf } from '../../tools/docs/table.js'

/** Endings of what users fill in, as the house names them: told apart here from what the command looks for. */
const ENDINGS = ['Def', 'Options', 'Filter', 'Limits', 'Params', 'Bones', 'Tolerances', 'Categories']

let declared: Declared[]
let handles: Handle[]

/** Names of interfaces in a package's sources that one of its entries names: by text, as a reader would look. */
function exportedByText(folder: string): string[] {
  const sources = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, 'src', name), 'utf8'))
  const entries = entriesOf(folder).map((path) => readFileSync(path, 'utf8'))
  const names = sources.flatMap((text) => [...text.matchAll(/^export interface (\w+)/gm)].map(([, name]) => name))
  const isNamed = (name: string): boolean =>
    entries.some((text) => new RegExp(`export (type )?\\{[^}]*\\b${name}\\b|export interface ${name}\\b`).test(text))
  return names.filter((name) => ENDINGS.some((ending) => name.endsWith(ending)) && isNamed(name))
}

describe('tables of handles', { tags: ['thorough'] }, () => {
  beforeAll(() => {
    handles = readHandles()
  })

  test('have what is public of a class, and nothing of what is not', () => {
    const rope = handles.find(({ name }) => name === 'Rope')!
    const names = rope.members.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['length', 'reel', 'cutAt', 'join', 'tensionAt']))
    // Private, protected, and hooks of its base.
    for (const name of ['wind', 'rebent', 'bendRows', 'beforeSubstep']) expect(names).not.toContain(name)
    expect(rope.base).toBe('Assembly')
    expect(rope.members.find(({ name }) => name === 'length')).toMatchObject({ isReadonly: false, isMethod: false })
    expect(rope.members.find(({ name }) => name === 'tension')).toMatchObject({ isReadonly: true })
  })

  test.each([
    ['core', ['World', 'Body', 'Constraint']],
    ['assemblies', ['Cloth', 'Rope', 'Rod', 'SoftBody', 'Pulleys', 'Ragdoll', 'Assembly']],
    ['collision', ['Collisions', 'Collider', 'ParticleSet']],
  ])('tell of the handles of %s', (home, names) => {
    const own = handles.filter((handle) => handle.package === home).map(({ name }) => name)
    expect(own).toEqual(expect.arrayContaining(names))
    for (const name of names) expect(handlesPage(home, handles)).toContain(`\n## ${name}\n`)
  })
})

/** The package whose one function takes nothing. */
const WITHOUT_OPTIONS = 'simd'

describe('tables of fields', { tags: ['thorough'] }, () => {
  beforeAll(() => {
    declared = readDeclarations()
  })

  test.each([...packageFolders()])('has every definition and option that %s exports', (name, folder) => {
    const found = declared.filter((each) => each.package === name).map((each) => each.name)
    expect(found).toEqual(expect.arrayContaining(exportedByText(folder)))
    if (name !== WITHOUT_OPTIONS) expect(exportedByText(folder).length).toBeGreaterThan(0)
  })

  test('every field says something, and its default', () => {
    expect(declared.flatMap(lacking)).toEqual([])
  })

  /** What the code takes where a user writes nothing stands in a table of its file. */
  test.each([
    ['WorldOptions', 'packages/core/src/state/settings.ts'],
    ['SceneLimits', 'packages/core/src/define/scene-limits.ts'],
    ['IkOptions', 'packages/ik/src/options.ts'],
    ['ImpulseOptions', 'packages/impulse-compat/src/options.ts'],
  ])('defaults of %s are those of the code', (name, path) => {
    const [, table] = /const DEFAULTS[^=]*= \{\n(.*?)\n\}/s.exec(readFileSync(path, 'utf8'))!
    const { fields } = declared.find((each) => each.name === name)!
    const values = [...table.matchAll(/^ {2}(\w+): (.*),$/gm)].map(([, field, value]) => [field, value])
    expect(values.map(([field]) => field).sort()).toEqual(fields.map((field) => field.name).sort())
    // What is said in words, as `20 million` is, is left to readers.
    const isCode = /^(?:'\w+'|[\d.e-]+|true|false|Infinity|\[.*\]|1\/60)$/
    for (const { name: field, defaultValue } of fields) {
      const value = values.find(([key]) => key === field)![1].replaceAll(' / ', '/')
      if (isCode.test(defaultValue)) expect(`${field}: ${defaultValue}`).toBe(`${field}: ${value}`)
    }
  })
})

describe('one table', () => {
  const field = { name: 'mass', type: 'number', parameters: null, isRequired: false, defaultValue: '1', doc: '' }
  const table = (doc: string): string =>
    tableOf(
      { name: 'X', package: 'core', doc: '', fields: [{ ...field, doc }], bases: [], isExported: true },
      () => null,
    )

  test('has name, type, unit, default and first sentence', () => {
    expect(table('Mass [kg]; `Infinity` makes it static. More of it.')).toContain(
      '| `mass` | `number` | kg | `1` | Mass; `Infinity` makes it static |',
    )
  })

  test('takes ranges and quaternions for no units', () => {
    expect(splitUnit('A share, in [0, 1].')).toEqual({ unit: '', text: 'A share, in [0, 1].' })
    expect(splitUnit('Turn [x, y, z, w].').unit).toBe('')
    expect(splitUnit('Stiffness [N m/rad] or [N/m]; 0 is off.')).toEqual({
      unit: 'N m/rad or N/m',
      text: 'Stiffness; 0 is off.',
    })
  })

  test('ends a sentence at a full stop before a capital or a code', () => {
    expect(firstSentence('Error (4.1), at 0.5 m of it. `more`')).toBe('Error (4.1), at 0.5 m of it')
  })

  test('finds what says nothing, and a default that is hidden', () => {
    const fields = [{ ...field, doc: '[kg]', defaultValue: '' }]
    expect(lacking({ name: 'X', package: 'core', doc: '', fields, bases: [], isExported: true })).toEqual([
      'X.mass says nothing besides its unit',
      'X.mass has no @defaultValue',
    ])
  })
})
