/** Junk in every public function: who refuses it, and with what words. */

import { type Call, Declarations, type Junk } from './declarations.js'
import { EXEMPT } from './kernels.js'
import { Fixture, given, MODULES } from './valid-calls.js'

/** What an engine says by itself. */
const INTERNAL =
  /Cannot (read|set|destructure|convert|mix)|is not (a function|iterable|an object|a constructor)|call stack|Invalid (array|typed)/

/** Names in messages that stand for a parameter. */
const SPOKEN: Readonly<Record<string, string>> = {
  def: 'definition|joint',
  bones: 'bone',
  changes: 'definition',
  json: 'shape',
  k: 'body',
  law: 'type',
}

/**
 * How a call went: `vague` errors are ours, but do not name the field or the value; `told` are solves that never throw, and say
 * `invalid` or an error of Infinity instead; after `half` something had changed.
 */
export type Outcome = 'refused' | 'told' | 'vague' | 'internal' | 'taken' | 'half'

export interface Asked {
  readonly counts: Record<Outcome, number>
  /** Functions asked, and those that take nothing that could be wrong. */
  readonly functions: number
  readonly free: number
  /** Left out by name, by reason. */
  readonly exempt: ReadonlyMap<string, number>
  /** Without a call that goes well. */
  readonly unreached: readonly string[]
  /** Each call that was not refused as asked. */
  readonly failures: readonly string[]
}

/** Whether an error is ours and names one of `names` and the value. */
export function judge(error: unknown, { names, shown }: Pick<Junk, 'names' | 'shown'>): Outcome {
  if (!(error instanceof TypeError || error instanceof RangeError) || INTERNAL.test(error.message)) return 'internal'
  const spoken = names.map((name) => SPOKEN[name] ?? name)
  const isNamed = [...names, ...spoken].some((name) => new RegExp(`\\b${name}\\b`).test(error.message))
  // A field that is too many is quoted by its name and value.
  const quoted = names.reduce((message, name) => message.replace(`got ${name}: `, 'got '), error.message)
  return isNamed && (shown.test(error.message) || shown.test(quoted)) ? 'refused' : 'vague'
}

/** Asks every function of every package, with all junk or with what is asked for. */
export async function askAll(isAsked: (junk: Junk) => boolean = () => true): Promise<Asked> {
  const declarations = new Declarations(Object.keys(MODULES))
  const counts: Record<Outcome, number> = { refused: 0, told: 0, vague: 0, internal: 0, taken: 0, half: 0 }
  const exempt = new Map<string, number>()
  const unreached: string[] = []
  const failures: string[] = []
  let functions = 0
  let free = 0
  for (const module of Object.keys(MODULES)) {
    for (const call of declarations.calls(module)) {
      const reason = EXEMPT.get(nameOf(call))
      if (reason !== undefined) {
        exempt.set(reason, (exempt.get(reason) ?? 0) + 1)
        continue
      }
      functions++
      const asked = await ask(declarations, call, isAsked, (outcome, text) => {
        counts[outcome]++
        if (outcome !== 'refused' && outcome !== 'told') failures.push(`${outcome}: ${text}`)
      })
      if (typeof asked === 'string') unreached.push(`${nameOf(call)} (${asked})`)
      else if (asked === 0) free++
    }
  }
  return { counts, functions, free, exempt, unreached, failures }
}

/** The name of a call in lists. */
export function nameOf({ owner, name, kind }: Call): string {
  return owner === '' ? name : kind === 'constructor' ? `new ${owner}` : `${owner}.${name}`
}

/** Junk in each argument of a call. How often it was asked, or why it was not. */
async function ask(
  declarations: Declarations,
  call: Call,
  isAsked: (junk: Junk) => boolean,
  note: (outcome: Outcome, text: string) => void,
): Promise<number | string> {
  let fixture = new Fixture()
  const tried = (await attempt(() => invoke(fixture, call, argumentsOf(declarations, fixture, call)))).error
  if (tried !== undefined) return tried instanceof Error ? tried.message : 'threw'
  let asked = 0
  for (const [k, parameter] of call.parameters.entries()) {
    // A text for messages.
    if (parameter.name === 'where' && parameter.type.isUnion() === false) continue
    let all: Junk[] | undefined
    let values: unknown[] = []
    for (let j = 0; all === undefined || j < all.length; j++) {
      if (all === undefined) {
        fixture = new Fixture()
        fixture.instance(call.owner, call.name)
        values = argumentsOf(declarations, fixture, call)
        all = declarations.junk(parameter.type, values[k], [parameter.name], fixture.known).filter(isAsked)
        if (j >= all.length) break
      }
      const junk = all[j]
      const before = fixture.state()
      const { error, result } = await attempt(() =>
        invoke(fixture, call, Object.assign([...values], { [k]: junk.value })),
      )
      const outcome = error !== undefined ? judge(error, junk) : isTold(result) ? 'told' : 'taken'
      const isWhole = outcome === 'taken' || fixture.state() === before
      const text = `${nameOf(call)}: ${junk.names.join('.')} ${String(junk.shown)}: ${String(error)}`
      note(isWhole ? outcome : 'half', text)
      if (outcome === 'taken' || !isWhole) all = undefined
      asked++
    }
  }
  return asked
}

/** Whether a result says by itself that what was handed in was none. */
function isTold(result: unknown): boolean {
  return (
    result === 'invalid' || result === Infinity || (result as { status?: string } | undefined)?.status === 'invalid'
  )
}

function argumentsOf(declarations: Declarations, fixture: Fixture, call: Call): unknown[] {
  const own = given(fixture, nameOf(call))
  return call.parameters.map(({ name, type }) => {
    if (name in own) return own[name]
    if (call.kind === 'constraint') return fixture.definition(call.name)
    if (name === 'bone') return 'head'
    return declarations.sample(type, fixture.known)
  })
}

function invoke(fixture: Fixture, { module, owner, name, kind }: Call, values: unknown[]): unknown {
  const holder = MODULES[module as keyof typeof MODULES] as unknown as Record<string, unknown>
  if (kind === 'constraint') return fixture.world.add(holder[name] as never, values[0] as never)
  if (kind === 'function') return (holder[name] as (...list: unknown[]) => unknown)(...values)
  if (kind === 'constructor') return new (holder[owner] as new (...list: unknown[]) => object)(...values)
  const target = (kind === 'static' ? holder[owner] : fixture.instance(owner, name)) as
    Record<string, unknown> | undefined
  if (target === undefined) throw new Error(`no ${owner} at hand`)
  if (kind === 'setter') return (target[name] = values[0])
  return (target[name] as (...list: unknown[]) => unknown).apply(target, values)
}

/** Also of what is promised. */
async function attempt(act: () => unknown): Promise<{ error?: unknown; result?: unknown }> {
  try {
    return { result: await act() }
  } catch (error) {
    return { error }
  }
}
