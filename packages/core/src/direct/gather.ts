/** Finds the joints of a world that are solved together, and marks their rows so that the sweep leaves them out. */

import { DisjointSets, groupBySet } from '../graph/disjoint-sets.js'
import type { Batch } from '../state/batch.js'
import type { Bodies } from '../state/bodies.js'
import { type BodyColumns, TIED, ROTATES, WORLD_BODY } from '../state/body-columns.js'
import type { Settings } from '../state/settings.js'
import { Forest, isAlone, type Joint, type Node, widthOf } from './forest.js'
import { locateTrees, Trees } from './trees.js'
import { isAnyWorth, Worth } from './worth.js'

/** `solver` column [-] of a constraint that leaves the choice between a block and the sweep to the world. */
export const AUTO = 0

/** `solver` column [-] of a constraint that is always in a block. */
export const DIRECT = 1

/** `solver` column [-] of a constraint that is always swept. */
export const SWEEP = 2

/** Most rows of joints that close loops in one component: what they cost grows with their square. One with more is cut. */
const MOST_BORDER = 192
/** The same where nobody asked for the direct solution and all joints are rigid: what a frame can pay. A net of 49 loops, 147 rows, took 76 ms a step, and 0.2 ms swept. */
const MOST_UNASKED = 24

/** All joints between the same two bodies. */
interface Edge {
  readonly a: number
  readonly b: number
  readonly joints: Joint[]
}

/** Joints that are solved together, in the order of their age, and which of their bodies move. */
interface Held {
  readonly joints: readonly Joint[]
  readonly moves: Uint8Array
  readonly trees: Trees
  readonly cuts: readonly Joint[]
  /** Rows of joints that close loops, cut or not. */
  readonly width: number
}

/** The joints of a world, component by component. A component that an edit leaves as it was keeps its trees and their scratch. */
export class Gathering {
  /** By the sequence of the oldest joint. */
  private held = new Map<number, Held>()
  private readonly worth = new Worth()
  trees: readonly Trees[] = []
  /** Joints that close loops, and are left to the sweep. */
  cuts: readonly Joint[] = []

  /**
   * Gathers anew, by the settings or `all` whose loops are not too many: sets the `direct` column of every row. Rows are ordered
   * afterwards, and then `locate` finds them.
   */
  run(bodies: Bodies, batches: readonly Batch[], { solver, jacobians }: Settings, all: boolean): void {
    const left = all ? AUTO : solver === 'direct' ? DIRECT : solver === 'sweep' || jacobians !== 'fresh' ? SWEEP : AUTO
    const joints: Joint[] = []
    const lines: Joint[] = []
    const { worth } = this
    const isAsked = all || left === DIRECT
    if (isAsked || isAnyWorth(bodies, batches, DIRECT)) {
      worth.begin(bodies.count)
      for (const batch of batches) if (batch.type.joint !== undefined) worth.add(bodies.columns, batch, DIRECT, isAsked)
      for (const batch of batches) collect(bodies, batch, left, worth, joints, lines)
    }
    if (lines.length > 0 && joints.length > 0) for (const line of loadedLines(bodies, joints, lines)) joints.push(line)
    joints.sort((r, s) => r.sequence - s.sequence)
    const before = this.held
    this.held = new Map()
    for (const component of components(bodies, joints)) {
      const asked = component.some((joint) => joint.asked)
      if (!asked && !all && !isWorthIt(bodies, component)) continue
      const oldest = component[0].sequence
      const moves = motion(bodies, component)
      const kept = before.get(oldest)
      const held = kept !== undefined && isSame(kept, component, moves) ? kept : hold(bodies, component, moves)
      const most = all || yieldsBetween(bodies, component) ? MOST_BORDER : MOST_UNASKED
      if (!asked && held.width > most) continue
      this.held.set(oldest, held)
      const { batch, slot } = held.trees.forest
      for (let e = 0; e < slot.length; e++) batch[e].common.direct[batch[e].slotRow[slot[e]]] = 1
    }
    this.trees = Array.from(this.held.values(), ({ trees }) => trees)
    this.cuts = Array.from(this.held.values(), ({ cuts }) => cuts).flat()
    markTied(bodies.columns, bodies.count, this.trees)
  }

  /** Finds the rows of the trees' joints again, which an order of the sweep has moved. */
  locate(bodies: Bodies): void {
    for (const trees of this.trees) locateTrees(bodies.columns, trees)
  }
}

/** Flags the bodies that an edge of a tree ties to another that moves. */
function markTied({ flags }: BodyColumns, count: number, trees: readonly Trees[]): void {
  for (let i = 0; i < count; i++) flags[i] &= ~TIED
  for (const { forest } of trees) {
    for (let n = 0; n < forest.edgeCount; n++) {
      if (forest.parent[n] < 0) continue
      flags[forest.body[forest.child[n]]] |= TIED
      flags[forest.body[forest.parent[n]]] |= TIED
    }
  }
}

/** Which of the bodies of each joint move: two bits. */
function motion({ columns: { position } }: Bodies, joints: readonly Joint[]): Uint8Array {
  return Uint8Array.from(
    joints,
    ({ a, b }) => (position[4 * a + 3] !== 0 ? 1 : 0) | (position[4 * b + 3] !== 0 ? 2 : 0),
  )
}

/** Whether a component has the joints that it had. Their age alone does not tell: a restored snapshot gives a sequence out again. */
function isSame(held: Held, joints: readonly Joint[], moves: Uint8Array): boolean {
  if (held.joints.length !== joints.length) return false
  for (let k = 0; k < joints.length; k++) {
    const [r, s] = [held.joints[k], joints[k]]
    if (r.batch !== s.batch || r.slot !== s.slot || r.a !== s.a || r.b !== s.b || held.moves[k] !== moves[k])
      return false
  }
  return true
}

/** Trees of a component, and the joints that close its loops where their rows are not too many. */
function hold(bodies: Bodies, joints: readonly Joint[], moves: Uint8Array): Held {
  const { nodes, loops } = grow(bodies, joints)
  const closing = loops.flatMap((loop) => loop.joints)
  const width = widthOf(closing)
  const isCut = width > MOST_BORDER
  return {
    joints,
    moves,
    trees: new Trees(new Forest(nodes, isCut ? [] : loops)),
    cuts: isCut ? closing : [],
    width,
  }
}

/** Whether a joint of bodies that turn gives way: swept, loops of such joints sag by ten times what their compliance says (docs/experiments.md). */
function yieldsBetween({ columns: { flags, position } }: Bodies, component: readonly Joint[]): boolean {
  const turns = (i: number): boolean => position[4 * i + 3] === 0 || (flags[i] & ROTATES) !== 0
  return component.some(({ a, b, yields }) => yields && turns(a) && turns(b))
}

/**
 * Whether `auto` solves a component of rigid joints. A joint of two bodies counts as well: swept, what an impact had taken came back as the joint was repaired. A rope or net
 * of particles alone has to ask: a pass over a row costs some fifty times what a sweep of it does, and there are many.
 */
function isWorthIt({ columns: { flags } }: Bodies, component: readonly Joint[]): boolean {
  return component.some(({ a, b }) => ((flags[a] | flags[b]) & ROTATES) !== 0)
}

/**
 * Rows by lines that hang together with joints of a body that turns, where trees can take them all: a line knows nothing of what hangs
 * on its ends, and a heavy body there parts the joints.
 */
function loadedLines(bodies: Bodies, joints: readonly Joint[], lines: readonly Joint[]): Joint[] {
  const isLine = new Set(lines)
  const all = [...joints, ...lines].sort((r, s) => r.sequence - s.sequence)
  return components(bodies, all).flatMap((component) => {
    const own = component.filter((joint) => isLine.has(joint))
    if (own.length === 0 || own.length === component.length || !isWorthIt(bodies, component)) return []
    const { loops } = grow(bodies, component)
    const asked = component.some((joint) => joint.asked)
    const isTaken = asked ? widthOf(loops.flatMap((loop) => loop.joints)) <= MOST_BORDER : loops.length === 0
    return isTaken ? own : []
  })
}

/**
 * The joints of a batch that may be solved directly and act, and those by lines, but for what others have taken and what hangs together with nothing that
 * is worth it. `left` is what the world says of those that leave it to it.
 */
function collect(bodies: Bodies, batch: Batch, left: number, worth: Worth, joints: Joint[], lines: Joint[]): void {
  const { type, count, arity, ids } = batch
  const { enabled, faults, solver, slot, sequence, direct, yields } = batch.common
  if (type.joint === undefined) return
  const { position } = bodies.columns
  for (let row = 0; row < count; row++) {
    const a = ids[arity * row]
    const b = arity === 1 ? WORLD_BODY : ids[arity * row + 1]
    if (!worth.has(position[4 * a + 3] !== 0 ? a : b)) continue
    const isArranged = type.loop?.arrange !== undefined && solver[row] === AUTO
    const how = solver[row] === AUTO && !isArranged ? left : solver[row]
    if (enabled[row] === 0 || faults[row] > 0 || direct[row] !== 0 || how === SWEEP) continue
    if (position[4 * a + 3] === 0 && position[4 * b + 3] === 0) continue
    if (type.joint?.takes !== undefined && !type.joint?.takes(batch, row)) continue
    const list = isArranged ? lines : joints
    const asked = how === DIRECT
    list.push({ batch, slot: slot[row], sequence: sequence[row], a, b, asked, yields: yields[row] !== 0 })
  }
}

/** Joints that moving bodies hold together; the oldest first, of components and in each. */
function components(bodies: Bodies, joints: readonly Joint[]): Joint[][] {
  if (joints.length === 0) return []
  const { position } = bodies.columns
  const sets = DisjointSets.of(bodies.count)
  const moves = (i: number): boolean => position[4 * i + 3] !== 0
  for (const { a, b } of joints) if (moves(a) && moves(b)) sets.join(a, b)
  return groupBySet(sets, joints, ({ a, b }) => (moves(a) ? a : b))
}

/** Joints by pair of bodies, in the order of the oldest of each. */
function edgesOf(bodies: Bodies, joints: readonly Joint[]): Edge[] {
  const edges = new Map<number, Edge>()
  for (const joint of joints) {
    const key = Math.min(joint.a, joint.b) * bodies.count + Math.max(joint.a, joint.b)
    const edge = edges.get(key)
    if (edge === undefined) edges.set(key, { a: joint.a, b: joint.b, joints: [joint] })
    else edge.joints.push(joint)
  }
  return [...edges.values()]
}

/** Trees over a component, breadth first from what stands on the ground or, where nothing does, from its first body. */
function grow(bodies: Bodies, joints: readonly Joint[]): { nodes: Node[]; loops: Node[] } {
  const { position } = bodies.columns
  const moves = (i: number): boolean => position[4 * i + 3] !== 0
  const at = new Map<number, Edge[]>()
  const grounded = new Map<number, Joint[]>()
  const edges: Edge[] = []
  const between = joints.filter((joint) => !isAlone(joint, moves))
  for (const edge of edgesOf(bodies, between)) {
    const ends = [edge.a, edge.b].filter(moves)
    if (ends.length === 2) edges.push(edge)
    for (const i of ends) {
      const list = at.get(i)
      if (ends.length < 2) grounded.set(i, [...(grounded.get(i) ?? []), ...edge.joints])
      else if (list === undefined) at.set(i, [edge])
      else list.push(edge)
    }
  }
  const nodes: Node[] = Array.from(grounded, ([body, held]) => ({ body, parent: -1, joints: held }))
  if (nodes.length === 0) nodes.push({ body: moves(joints[0].a) ? joints[0].a : joints[0].b, parent: -1, joints: [] })
  const planted = new Set(nodes.map(({ body }) => body))
  const used = new Set<Edge>()
  for (let head = 0; head < nodes.length; head++) {
    const { body } = nodes[head]
    for (const edge of at.get(body) ?? []) {
      const child = edge.a === body ? edge.b : edge.a
      if (planted.has(child)) continue
      used.add(edge)
      planted.add(child)
      nodes.push({ body: child, parent: body, joints: edge.joints })
    }
  }
  const loops = edges
    .filter((edge) => !used.has(edge))
    .map(({ a, b, joints: held }) => ({ body: b, parent: a, joints: held }))
  const alone = joints.filter((joint) => isAlone(joint, moves))
  if (alone.length > 0) addAlone(nodes, alone, moves)
  return { nodes: nodes.reverse(), loops }
}

/** Joints of one body to the node of that body: they close no loops, and make no root of it. */
function addAlone(nodes: Node[], alone: readonly Joint[], moves: (i: number) => boolean): void {
  const at = new Map(nodes.map(({ body }, n) => [body, n]))
  for (const joint of alone) {
    const n = at.get(moves(joint.a) ? joint.a : joint.b) as number
    nodes[n] = { ...nodes[n], joints: [...nodes[n].joints, joint] }
  }
}
