/**
 * Poses to start from where the straight way is blocked: the limb of a goal turned at its joints, by ever larger angles.
 *
 * Start k of n turns joint i about axis e by
 *   a = A k/n (2 {k φ_e + i ψ} − 1),   {} the fraction, k = 1 … n
 * with φ of the R₃ sequence (Roberts 2018), whose points are spread evenly: no two starts are near, and each call has the same.
 */

import type { Body, Constraint, LeanWorld } from '@tautline/core'
import { compose, quaternionFromRotationVector, rotateVector } from '@tautline/core/kernel'

/** Joints of a limb that are turned, from the goal's body on. */
const JOINTS = 4
/** Largest turn about each axis [rad]. */
const LARGEST = 2.5

/** φ: 1/ρ, 1/ρ² and 1/ρ³ of ρ⁴ = ρ + 1; ψ parts the joints of a limb. */
const SPREAD = [0.8191725133961645, 0.6710436067037893, 0.5497004779019703]
const APART = 0.6180339887498949

/** A joint of a limb, and what turns about it. */
export interface LimbJoint {
  /** Body of the limb that it is on, and where on it from its centre of mass [m]. */
  readonly body: Body
  readonly anchor: Float64Array
  /** All bodies on the goal's side of it. */
  readonly bodies: readonly Body[]
}

/** A joint as one of its bodies has it; `to` is none where that hangs on the world. */
interface Edge {
  readonly to: Body | null
  readonly anchor: Float64Array
}

type Graph = ReadonlyMap<Body, readonly Edge[]>

/** What lies beyond a joint. */
interface Branch {
  readonly body: Body
  readonly edge: Edge
  readonly bodies: ReadonlySet<Body>
  readonly isHeld: boolean
  readonly mass: number
}

const v = /* @__PURE__ */ new Float64Array(3)
const q = /* @__PURE__ */ new Float64Array(4)

/**
 * The joints from the body of a goal towards what holds it, else towards where most of the mass is, up to where a loop is closed. What
 * hangs on the limb turns along. Constraints of `own`, the goals', are no joints.
 */
export function limbOf(world: LeanWorld, goal: Body, own: ReadonlySet<Constraint>): LimbJoint[] {
  const graph = graphOf(world, own)
  const limb: LimbJoint[] = []
  const inner = new Set([goal])
  let body: Body | null = goal
  while (body !== null && body.type === 'dynamic' && limb.length < JOINTS) {
    const inward = wayIn(branchesOf(graph, body, inner))
    if (inward === undefined) break
    limb.push({ body, anchor: inward.edge.anchor, bodies: [...inner] })
    body = inward.edge.to
    if (body !== null) inner.add(body)
  }
  return limb
}

/** Joints by body, with a place on it. */
function graphOf(world: LeanWorld, own: ReadonlySet<Constraint>): Graph {
  const graph = new Map<Body, Edge[]>()
  const add = (from: Body | null, to: Body | null, anchor: unknown): void => {
    if (from === null || from === to || !Array.isArray(anchor)) return
    const edges = graph.get(from) ?? []
    edges.push({ to, anchor: Float64Array.from(anchor as number[]) })
    graph.set(from, edges)
  }
  for (const constraint of world.constraints()) {
    if (own.has(constraint) || constraint.batch.type.joint === undefined) continue
    const bodies = constraint.bodies
    const { anchorA, anchorB } = constraint.def as { anchorA?: unknown; anchorB?: unknown }
    const [a, b] = bodies.length === 1 ? [null, bodies[0]] : bodies
    add(a, b, anchorA)
    add(b, a, anchorB)
  }
  return graph
}

/** What hangs on a body besides what is within already; takes in all of it but the way in. */
function branchesOf(graph: Graph, body: Body, inner: Set<Body>): Branch[] {
  const branches = (graph.get(body) ?? [])
    .filter(({ to }) => to === null || !inner.has(to))
    .map((edge): Branch => ({ body, edge, ...beyond(graph, edge.to, inner) }))
  const inward = wayIn(branches)
  for (const branch of branches) if (branch !== inward) for (const other of branch.bodies) inner.add(other)
  return branches
}

/** All bodies beyond a joint, and whether the world holds them. */
function beyond(graph: Graph, to: Body | null, inner: ReadonlySet<Body>): Pick<Branch, 'bodies' | 'isHeld' | 'mass'> {
  const bodies = new Set<Body>()
  const open = [to]
  let isHeld = false
  let mass = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === null || next.type !== 'dynamic') isHeld = true
    else if (!bodies.has(next)) {
      bodies.add(next)
      mass += next.mass
      for (const edge of graph.get(next) ?? []) if (edge.to === null || !inner.has(edge.to)) open.push(edge.to)
    }
  }
  return { bodies, isHeld, mass }
}

/** The only branch that is held, else the heaviest; none where two are held, or there is none. */
function wayIn(branches: readonly Branch[]): Branch | undefined {
  const held = branches.filter(({ isHeld }) => isHeld)
  if (held.length > 0) return held.length === 1 ? held[0] : undefined
  return branches.reduce<Branch | undefined>(
    (most, branch) => (most === undefined || branch.mass > most.mass ? branch : most),
    undefined,
  )
}

/** Whether a contact is at a body of a limb. */
export function isTouched(world: LeanWorld, limb: readonly LimbJoint[]): boolean {
  const rows = new Set(limb.map(({ body }) => body.index))
  return world.batches.some(({ type, active, arity, ids }) => {
    if (type.transient !== true) return false
    for (let k = 0; k < arity * active; k++) if (rows.has(ids[k])) return true
    return false
  })
}

/** Turns the joints of a limb to start k of n. */
export function turnLimb(limb: readonly LimbJoint[], k: number, n: number): void {
  limb.forEach((joint, i) => {
    const most = (LARGEST * k) / n
    const [x, y, z] = SPREAD.map((spread) => {
      const at = k * spread + i * APART
      return most * (2 * (at - Math.floor(at)) - 1)
    })
    turnAbout(joint, x, y, z)
  })
}

/** Turns all of a joint's bodies about it, by a rotation vector [rad]. */
function turnAbout({ body, anchor, bodies }: LimbJoint, x: number, y: number, z: number): void {
  const at = body.toWorld([anchor[0], anchor[1], anchor[2]])
  quaternionFromRotationVector(q, 0, x, y, z)
  for (const { index, bodies: table } of bodies) {
    const { position, orientation } = table.columns
    const o = 4 * index
    rotateVector(q, 0, position[o] - at[0], position[o + 1] - at[1], position[o + 2] - at[2], v, 0)
    for (let e = 0; e < 3; e++) position[o + e] = at[e] + v[e]
    compose(q, 0, orientation, o, orientation, o)
  }
}
