/** Finds the trees of a world's joints, and marks their rows so that the sweep leaves them out. */

import type { Batch } from '../batch.js'
import type { Bodies } from '../bodies.js'
import { TURNS } from '../body-columns.js'
import type { Settings } from '../settings.js'
import type { Joint, Node, Tree } from './forest.js'

/** How a constraint is solved, as its `solver` column has it; above SWEEP its type has loops of its own. */
export const AUTO = 0
export const DIRECT = 1
export const SWEEP = 2

/** `auto` takes components of at least so many joints, none of which closes a loop: with a cut the sweep alone does better. */
const LEAST = 3

/** All joints between the same two bodies. */
interface Edge {
  readonly a: number
  readonly b: number
  readonly joints: Joint[]
}

/** Trees, and the joints that close loops. */
export interface Gathered {
  readonly trees: readonly Tree[]
  readonly cuts: readonly Joint[]
}

/** Gathers anew: sets the `direct` column of every row, and returns the trees. Rows are ordered afterwards. */
export function gather(bodies: Bodies, batches: readonly Batch[], { solver, jacobians }: Settings): Gathered {
  const left = solver === 'direct' ? DIRECT : solver === 'sweep' || jacobians !== 'fresh' ? SWEEP : AUTO
  const joints: Joint[] = []
  for (const batch of batches) collect(bodies, batch, left, joints)
  joints.sort((r, s) => r.sequence - s.sequence)
  const trees: Tree[] = []
  const cuts: Joint[] = []
  for (const component of components(bodies, edgesOf(bodies, joints))) {
    const count = component.reduce((sum, edge) => sum + edge.joints.length, 0)
    const asked = component.some((edge) => edge.joints.some((joint) => joint.asked))
    if (!asked && (count < LEAST || !turns(bodies, component))) continue
    const grown = grow(bodies, component)
    if (!asked && grown.cut.length > 0) continue
    trees.push(...grown.trees)
    for (const edge of grown.cut) cuts.push(...edge.joints)
  }
  for (const tree of trees) {
    for (const { joints: held } of tree) {
      for (const { batch, slot } of held) batch.common.direct[batch.slotRow[slot]] = 1
    }
  }
  return { trees, cuts }
}

/**
 * Whether some body of a component has inertia. A rope or net of particles has to ask: a visit of a row costs some fifty times what
 * a sweep of it does, and there are many.
 */
function turns({ columns: { flags } }: Bodies, component: readonly Edge[]): boolean {
  return component.some(({ a, b }) => ((flags[a] | flags[b]) & TURNS) !== 0)
}

/** The joints of a batch that may be solved directly and act; clears its marks. `left` is what the world says of those that leave it to it. */
function collect(bodies: Bodies, batch: Batch, left: number, joints: Joint[]): void {
  const { type, count } = batch
  const { body, enabled, solver, slot, sequence, direct } = batch.common
  direct.fill(0, 0, count)
  if (type.joint !== true) return
  const { position } = bodies.columns
  for (let row = 0; row < count; row++) {
    const [a, b] = [body[2 * row], body[2 * row + 1]]
    const how = solver[row] === AUTO ? left : solver[row]
    if (enabled[row] === 0 || how >= SWEEP) continue
    if (position[4 * a + 3] === 0 && position[4 * b + 3] === 0) continue
    joints.push({ batch, slot: slot[row], sequence: sequence[row], a, b, asked: how === DIRECT })
  }
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

/** Edges that moving bodies hold together. */
function components(bodies: Bodies, edges: readonly Edge[]): Edge[][] {
  const { position } = bodies.columns
  const root = new Map<number, number>()
  const find = (i: number): number => {
    let top = i
    while (root.get(top) !== undefined && root.get(top) !== top) top = root.get(top) as number
    while (i !== top) {
      const next = root.get(i) as number
      root.set(i, top)
      i = next
    }
    return top
  }
  const moves = (i: number): boolean => position[4 * i + 3] !== 0
  for (const { a, b } of edges) {
    for (const i of [a, b]) if (!root.has(i)) root.set(i, i)
    if (moves(a) && moves(b)) root.set(find(b), find(a))
  }
  const found = new Map<number, Edge[]>()
  for (const edge of edges) {
    const top = find(moves(edge.a) ? edge.a : edge.b)
    const component = found.get(top)
    if (component === undefined) found.set(top, [edge])
    else component.push(edge)
  }
  return [...found.values()]
}

/** Trees over a component, breadth first from the ground or, where it hangs on none, from its first body. */
function grow(bodies: Bodies, component: readonly Edge[]): { trees: Tree[]; cut: Edge[] } {
  const { position } = bodies.columns
  const moves = (i: number): boolean => position[4 * i + 3] !== 0
  const at = new Map<number, Edge[]>()
  for (const edge of component) {
    for (const i of [edge.a, edge.b]) {
      if (!moves(i)) continue
      const list = at.get(i)
      if (list === undefined) at.set(i, [edge])
      else list.push(edge)
    }
  }
  const used = new Set<Edge>()
  const treeOf = new Map<number, number>()
  const trees: Node[][] = []
  const queue: number[] = []
  const plant = (node: Node): void => {
    treeOf.set(node.body, trees.length)
    trees.push([node])
    queue.push(node.body)
  }
  for (const edge of component) {
    const child = moves(edge.a) ? edge.a : edge.b
    if ((moves(edge.a) && moves(edge.b)) || treeOf.has(child)) continue
    used.add(edge)
    plant({ body: child, parent: -1, joints: edge.joints })
  }
  if (trees.length === 0) plant({ body: component[0].a, parent: -1, joints: [] })
  for (let head = 0; head < queue.length; head++) {
    const body = queue[head]
    const tree = treeOf.get(body) as number
    for (const edge of at.get(body) as Edge[]) {
      const child = edge.a === body ? edge.b : edge.a
      if (!moves(child) || treeOf.has(child)) continue
      used.add(edge)
      treeOf.set(child, tree)
      trees[tree].push({ body: child, parent: body, joints: edge.joints })
      queue.push(child)
    }
  }
  return { trees: trees.map((tree) => tree.reverse()), cut: component.filter((edge) => !used.has(edge)) }
}
