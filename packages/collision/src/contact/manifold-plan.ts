/** Data of a batch of manifolds besides its rows: the view for its loops, and the displacement by push-out in the substep. */

import { type BodyColumns, setLoadTaker } from '@tautline/core/kernel'
import { FLAGS, ManifoldView, TAKES_LOADS } from './loops/view.js'
import { MAX_POINTS } from '../detect/narrow/manifold.js'
import { change, type Manifolds, residual, ROWS } from './manifold-columns.js'

/** Scratch of all views: one manifold is solved at a time. */
const SCRATCH = /* @__PURE__ */ makeScratch()

function makeScratch(): Partial<ManifoldView> {
  return {
    residual,
    change,
    wrench: new Float64Array(6),
    vector: new Float64Array(3),
    rhs: new Float64Array(MAX_POINTS),
    arms: new Float64Array(3 * MAX_POINTS + 3),
    angularA: new Float64Array(3 * ROWS),
    angularB: new Float64Array(3 * ROWS),
    movedA: new Float64Array(3 * ROWS),
    movedB: new Float64Array(3 * ROWS),
    disc: new Float64Array(9),
  }
}

/** Data of a batch. */
class ManifoldPlan {
  readonly view: ManifoldView = Object.assign(new ManifoldView(), SCRATCH, {
    preparedPosition: new Float64Array(0),
    preparedOrientation: new Float64Array(0),
    pushed: new Float64Array(0),
    joined: new Uint8Array(0),
    reached: new Uint8Array(0),
    flags: new Int32Array(FLAGS),
  })
  /** Whose columns are in the view. */
  bodies: BodyColumns | undefined
}

/** The data of a batch. */
export function planOf(batch: Manifolds): ManifoldPlan {
  return (batch.plan ??= new ManifoldPlan()) as ManifoldPlan
}

/** The columns of a batch and of bodies as they are now. Tables that grow get others: ask again after each call that may add rows. */
export function viewOf(bodies: BodyColumns, batch: Manifolds): ManifoldView {
  const plan = planOf(batch)
  const { view } = plan
  const { columns } = batch
  // All columns of a table are made anew at once.
  if (plan.bodies !== bodies || view.position !== bodies.position || view.record !== columns.record) {
    plan.bodies = bodies
    writeBodies(view, bodies)
    writeRows(view, columns)
  }
  view.flags[TAKES_LOADS] = bodies.loads === undefined ? 0 : 1
  setLoadTaker(bodies.loads)
  return view
}

function writeBodies(view: ManifoldView, bodies: BodyColumns): void {
  view.position = bodies.position
  view.orientation = bodies.orientation
  view.velocity = bodies.velocity
  view.angularVelocity = bodies.angularVelocity
  view.inverseInertia = bodies.inverseInertia
  view.startPosition = bodies.startPosition
  view.startOrientation = bodies.startOrientation
}

function writeRows(view: ManifoldView, columns: Manifolds['columns']): void {
  view.body = columns.body
  view.points = columns.points
  view.carrier = columns.carrier
  view.tangent = columns.tangent
  view.round = columns.round
  view.anchorB = columns.anchorB
  view.friction = columns.friction
  view.torsional = columns.torsional
  view.rolling = columns.rolling
  view.restitution = columns.restitution
  view.maxPushOut = columns.maxPushOut
  view.fall = columns.fall
  view.heft = columns.heft
  view.slender = columns.slender
  view.sliding = columns.sliding
  view.impulse = columns.impulse
  view.touching = columns.touching
  view.still = columns.still
  view.fresh = columns.fresh
  view.island = columns.island
  view.seen = columns.seen
  view.record = columns.record
  view.lambda = columns.lambda
}

/** Resets the displacement by push-out of the bodies of some rows, and stores their predicted poses. */
export function beginPush(bodies: BodyColumns, batch: Manifolds, from: number, to: number): void {
  const { position, orientation } = bodies
  const { view } = planOf(batch)
  if (view.preparedPosition.length !== position.length) {
    view.pushed = new Float64Array(6 * bodies.kind.length)
    view.preparedPosition = new Float64Array(position.length)
    view.preparedOrientation = new Float64Array(orientation.length)
  }
  const { ids } = batch
  const { pushed, preparedPosition: y, preparedOrientation: r } = view
  for (let k = 2 * from; k < 2 * to; k++) {
    const i = ids[k]
    for (let o = 6 * i; o < 6 * i + 6; o++) pushed[o] = 0
    for (let o = 4 * i; o < 4 * i + 4; o++) {
      y[o] = position[o]
      r[o] = orientation[o]
    }
  }
}

/** Removes the displacement by push-out from a body's velocity, so that it does not fly off. */
export function stopPush(m: ManifoldView, i: number, h: number): void {
  const { velocity, angularVelocity, pushed } = m
  for (let k = 0; k < 3; k++) {
    velocity[3 * i + k] -= pushed[6 * i + k] / h
    angularVelocity[3 * i + k] -= pushed[6 * i + 3 + k] / h
    pushed[6 * i + k] = pushed[6 * i + 3 + k] = 0
  }
}
