/** Options of a command. A wrong one ends it with exit status 2, a line that says what, where and the value, and how it is called. */

import { parseArgs } from 'node:util'

/** What a command takes. */
export interface Options<Count extends string, Flag extends string> {
  /** How it is called: `npm run soak -- [--edits N]`. */
  readonly usage: string
  /** Whole numbers, from `least` on. */
  readonly counts: Readonly<Record<Count, { readonly least: number; readonly otherwise?: number }>>
  readonly flags?: readonly Flag[]
  /** Whether it takes paths. */
  readonly paths?: boolean
}

/** What was given. */
export interface Given<Count extends string, Flag extends string> {
  readonly counts: Readonly<Record<Count, number | undefined>>
  readonly flags: Readonly<Record<Flag, boolean>>
  readonly paths: readonly string[]
}

/** Reads options; throws a `RangeError` on a wrong one. */
export function readOptions<Count extends string, Flag extends string = never>(
  args: readonly string[],
  { counts, flags = [], paths: takesPaths = false }: Options<Count, Flag>,
): Given<Count, Flag> {
  const names = Object.keys(counts) as Count[]
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    options: Object.fromEntries([
      ...names.map((name) => [name, { type: 'string' }] as const),
      ...flags.map((name) => [name, { type: 'boolean' }] as const),
    ]),
  })
  const values = Object.fromEntries(names.map((name) => [name, counts[name].otherwise])) as Record<Count, number>
  const set = Object.fromEntries(flags.map((name) => [name, false])) as Record<Flag, boolean>
  const paths: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (!takesPaths) throw new RangeError(`arguments must be options, got ${token.value}`)
      paths.push(token.value)
    } else if (token.kind === 'option') {
      const { name, rawName, value } = token
      if (names.includes(name as Count)) {
        values[name as Count] = count(rawName, value, counts[name as Count].least)
      } else if (!flags.includes(name as Flag)) {
        const known = [...names, ...flags].map((option) => `--${option}`).join(', ')
        throw new RangeError(`options must be among ${known}, got ${rawName}`)
      } else if (value !== undefined) {
        throw new RangeError(`${rawName} must have no value, got ${value}`)
      } else set[name as Flag] = true
    }
  }
  return { counts: values, flags: set, paths }
}

function count(where: string, text: string | undefined, least: number): number {
  const value = text === undefined || text.trim() === '' ? NaN : Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new RangeError(`${where} must be a whole number >= ${least}, got ${text ?? 'nothing'}`)
}

/** Reads the options of this process. */
export function optionsOf<Count extends string, Flag extends string = never>(
  command: string,
  options: Options<Count, Flag>,
): Given<Count, Flag> {
  try {
    return readOptions(process.argv.slice(2), options)
  } catch (error) {
    return refuse(command, options.usage, (error as Error).message)
  }
}

/** Ends the process for a wrong call of it. */
export function refuse(command: string, usage: string, message: string): never {
  console.error(`${command}: ${message}\nusage: ${usage}`)
  process.exit(2)
}
