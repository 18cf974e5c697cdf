/** What a soft body consists of at present: replaced as a whole when it changes. */

import type { Body, Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'
import type { Pin } from '../cloth/pins.js'
import { type SoftBodyAsset, outsideOf, riding } from './asset.js'

export interface SoftBodyState extends AssemblyState {
  /** Its shape: as it may be shared, until a node goes. */
  readonly asset: SoftBodyAsset
  /** By node of the asset. */
  readonly nodes: readonly Body[]
  /** What holds it together. */
  readonly rows: readonly Constraint[]
  /** Nodes that are held. */
  readonly pins: readonly Pin[]
}

/** The state with its lists of bodies and constraints as they follow from the rest. */
export function gathered(state: Omit<SoftBodyState, 'bodies' | 'constraints'>): SoftBodyState {
  const joints = state.pins.map(({ joint }) => joint).filter((joint) => joint !== undefined)
  return { ...state, bodies: state.nodes, constraints: [...state.rows, ...joints] }
}

/** The state without a node: its tetrahedra go along, and what rode on it alone stays where it was drawn last. */
export function withoutNode(state: SoftBodyState, gone: number): SoftBodyState {
  const body: Body = state.nodes[gone]
  const after = (v: number): number => (v > gone ? v - 1 : v)
  return gathered({
    asset: assetWithout(state.asset, gone, after),
    nodes: state.nodes.filter((_, v) => v !== gone),
    rows: state.rows.filter((row) => row.alive && !row.bodies.includes(body)),
    pins: state.pins.filter(({ vertex }) => vertex !== gone).map((pin) => ({ ...pin, vertex: after(pin.vertex) })),
  })
}

function assetWithout(asset: SoftBodyAsset, gone: number, after: (v: number) => number): SoftBodyAsset {
  const { positions, tetrahedra, surface, shares, embedding } = asset
  const left = elementsWithout(tetrahedra, 4, gone).map(after)
  const nodes = embedding.nodes.map((v) => (v === gone ? 0 : after(v)))
  const weights = Float64Array.from(embedding.weights, (w, k) => (embedding.nodes[k] === gone ? 0 : w))
  for (let o = 0; o < weights.length; o += 4) {
    const sum = weights[o] + weights[o + 1] + weights[o + 2] + weights[o + 3]
    // Below 0: it was outside, and rode on the node that goes.
    for (let k = o; k < o + 4; k++) weights[k] = sum > 0 ? weights[k] / sum : 0
  }
  return {
    ...asset,
    positions: positions.filter((_, k) => Math.floor(k / 3) !== gone),
    tetrahedra: left,
    surface: tetrahedra.length > 0 ? outsideOf(left) : elementsWithout(surface, 3, gone).map(after),
    ...riding({ nodes, weights }),
    shares: shares.filter((_, v) => v !== gone),
  }
}

/** Elements of `arity` nodes that one node is none of. */
function elementsWithout(elements: Uint32Array, arity: number, gone: number): Uint32Array {
  const kept: number[] = []
  for (let o = 0; o < elements.length; o += arity) {
    const nodes = elements.subarray(o, o + arity)
    if (!nodes.includes(gone)) kept.push(...nodes)
  }
  return Uint32Array.from(kept)
}
