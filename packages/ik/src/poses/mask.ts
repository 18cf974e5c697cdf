/** Which bones a blend is of, and how far: a share a bone. */

import { array, finite, knownFields, object } from '@tautline/core/kernel'
import { boneRow, type BoneTree, checkTree } from './pose-data.js'

/** A bone by name, or with a share; or a bone with all that hang on it. Shares are 0 … 1, by default 1. */
export type MaskEntry =
  string | { readonly bone: string; readonly weight?: number } | { readonly below: string; readonly weight?: number }

/**
 * Shares of bones: `boneMask(rig, [{ below: 'chest' }, { bone: 'spine', weight: 0.5 }])`. Later entries overrule earlier ones; what none names has 0.
 * Throws `TypeError`/`RangeError` with which entry and the value.
 */
export function boneMask(tree: BoneTree, entries: MaskEntry | readonly MaskEntry[]): Float64Array {
  const { names, parent } = checkTree('boneMask: tree', tree)
  const mask = new Float64Array(names.length)
  const list = Array.isArray(entries) ? (array('boneMask: entries', entries) as MaskEntry[]) : [entries as MaskEntry]
  list.forEach((entry, k) => {
    const where = `boneMask: entries[${k}]`
    const { bone, below, weight } = readEntry(where, entry)
    const named = bone === undefined ? `${where}: below` : typeof entry === 'string' ? where : `${where}: bone`
    const top = boneRow(named, tree, (bone ?? below) as string)
    for (let i = 0; i < names.length; i++) {
      if (i === top || (below !== undefined && hangsOn(parent, i, top))) mask[i] = weight
    }
  })
  return mask
}

function readEntry(where: string, entry: MaskEntry): { bone?: string; below?: string; weight: number } {
  if (typeof entry === 'string') return { bone: entry, weight: 1 }
  const {
    bone,
    below,
    weight = 1,
  } = knownFields(where, object(where, entry), ['bone', 'below', 'weight']) as {
    bone?: string
    below?: string
    weight?: number
  }
  if ((bone === undefined) === (below === undefined)) {
    throw new TypeError(`${where} must have either bone or below, got ${bone === undefined ? 'neither' : 'both'}`)
  }
  if (finite(`${where}: weight`, weight) < 0 || weight > 1) {
    throw new RangeError(`${where}: weight must be within [0, 1], got ${weight}`)
  }
  return { ...(bone !== undefined && { bone }), ...(below !== undefined && { below }), weight }
}

/** Whether a bone hangs on another, at any depth. */
function hangsOn(parent: ArrayLike<number>, bone: number, on: number): boolean {
  let i = parent[bone]
  for (let steps = 0; i >= 0 && i !== on && steps < parent.length; steps++) i = parent[i]
  return i === on
}
