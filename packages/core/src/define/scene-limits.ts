/** What a scene may hold: bounds on its size that are checked before anything is made of it. */

import { integer, knownFields } from './assert.js'

/** Most that `fromJSON` takes of a scene. Every field may be left out. */
export interface SceneLimits {
  /** Lists and objects inside each other. @defaultValue 64 */
  depth?: number
  /** Numbers, texts, lists and objects, all told. @defaultValue 20 million */
  values?: number
  /** Most bodies. @defaultValue 100 000 */
  bodies?: number
  /** Most constraints. @defaultValue 200 000 */
  constraints?: number
  /** Sweeps a step that its options ask for: substeps × iterations. @defaultValue 20 000 */
  sweeps?: number
}

const DEFAULTS: Required<SceneLimits> = {
  depth: 64,
  values: 2e7,
  bodies: 1e5,
  constraints: 2e5,
  sweeps: 2e4,
}

/** Limits with everything filled in. */
export function resolveLimits(where: string, limits: SceneLimits): Required<SceneLimits> {
  knownFields(where, limits, Object.keys(DEFAULTS))
  const resolved = { ...DEFAULTS }
  for (const name of Object.keys(DEFAULTS) as (keyof SceneLimits)[]) {
    const value = limits[name]
    if (value !== undefined) resolved[name] = value === Infinity ? value : integer(`${where}.${name}`, value, 0)
  }
  return resolved
}

/**
 * Throws a `RangeError` when a tree of plain data is deeper or has more values than `limits` allow. What refers to itself is
 * too deep, and what is referred to many times counts each time. Takes time linear in what it counts, and no stack.
 */
export function checkSize(where: string, root: unknown, { depth, values }: Required<SceneLimits>): void {
  const open: unknown[][] = [[root]]
  let count = 0
  while (open.length > 0) {
    const level = open[open.length - 1]
    if (level.length === 0) {
      open.pop()
      continue
    }
    const value = level.pop()
    if (++count > values) throw new RangeError(`${where} must have at most ${values} values, got more`)
    if (typeof value !== 'object' || value === null) continue
    if (open.length > depth) throw new RangeError(`${where} must be at most ${depth} deep, got deeper`)
    const entries: unknown[] = Array.isArray(value) ? value : Object.values(value)
    if (count + entries.length > values) {
      throw new RangeError(`${where} must have at most ${values} values, got ${count + entries.length} and more`)
    }
    open.push(entries.slice())
  }
}

/** Throws when there are more than allowed of what `what` names. */
export function checkCount(where: string, count: number, most: number): void {
  if (count > most) throw new RangeError(`${where} must be at most ${most}, got ${count}`)
}
