/**
 * The first pass of a substep, or of a part of one: Newton's method from the prediction. It starts from a guess, bodies as their joints displaced them in the last substep.
 * Contacts whose loads it does not bear displace the bodies first.
 */

import { rotateBy, rotationBetween } from '../math/rotation.js'
import type { BodyColumns } from '../state/body-columns.js'
import { mayArticulate, solveArticulated } from './articulated-pass.js'
import { assemble } from './assemble.js'
import { converge, tighten } from './newton.js'
import { goBack, note } from './poses.js'
import { isPassive, followLoads, guessLoads } from './touch-rows.js'
import type { Trees } from './trees.js'

/** Most solves of a pass: of those that converge, one in a thousand takes more. */
const MOST = 20
/** The same with contacts, as a rope that is drawn tight comes to bear its load. */
const MOST_TOUCHING = 40
/** Change of a load, as a share of the largest, that friction need not follow in the substep. */
const FOLLOWED = 1e-2

/** Solves from the prediction; false, with poses and multipliers lost, where that does not converge. */
export function solveFirst(bodies: BodyColumns, trees: Trees): boolean {
  beginPass(bodies, trees)
  startFromJointAcceleration(bodies, trees)
  if (mayArticulate(trees)) {
    if (solveArticulated(bodies, trees, true)) {
      noteJointAcceleration(bodies, trees)
      return true
    }
    goBack(bodies, trees, trees.start, trees.found)
    if (trees.articulated?.isLoaded === true) {
      applyLoads(bodies, trees)
      beginPass(bodies, trees)
    }
    startFromJointAcceleration(bodies, trees)
  }
  if (trees.touches.acts) {
    if (!solveTouching(bodies, trees)) return false
  } else {
    assemble(bodies, trees, false)
    if (!converge(bodies, trees, MOST)) return false
  }
  if (trees.width > 0 && !tighten(bodies, trees)) return false
  noteJointAcceleration(bodies, trees)
  return true
}

/**
 * With contacts: at the friction that the loads of the last substep give, and once more at that of those that are found. In the first substep of
 * a step loads are guessed from what joints leave.
 */
function solveTouching(bodies: BodyColumns, trees: Trees): boolean {
  const { touches, lastStep } = trees
  if (!touches.recallLoads()) {
    touches.pushes = false
    assemble(bodies, trees, false)
    touches.pushes = true
    guessLoads(trees, lastStep)
  }
  assemble(bodies, trees, false)
  if (!converge(bodies, trees, MOST_TOUCHING)) return false
  if (followLoads(trees) > FOLLOWED) {
    assemble(bodies, trees, false)
    if (!converge(bodies, trees, MOST_TOUCHING)) return false
  }
  return isPassive(bodies, trees)
}

/** Notes where a pass starts: X̂, λ, and λ°. */
export function beginPass(bodies: BodyColumns, trees: Trees): void {
  if (trees.width > 0) trees.redundant.fill(0)
  note(bodies, trees, trees.start, trees.found)
  trees.reference.set(trees.found)
  trees.base.fill(0)
}

/** A guess rotates no body farther [rad], and moves none farther than so many times the way that it goes: what would is of an impact. */
const MOST_ROTATION = 3
const MOST_WAY = 10

const turned = /* @__PURE__ */ new Float64Array(3)

/**
 * A first guess: bodies as they would be if their joints did to them what they did last, seen from the body. An impact in the last of many
 * parts of a substep tells nothing of this one: carried over a whole one, it put a chain 10⁷ m off, from where no solve begins.
 */
export function startFromJointAcceleration(bodies: BodyColumns, trees: Trees): void {
  if (isOfImpact(bodies, trees)) return
  const { forest, substep } = trees
  const { position, orientation, angularVelocity, jointAcceleration: a } = bodies
  const s = substep[0] * substep[0]
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    const p = 6 * i
    const x = substep[0] * angularVelocity[3 * i]
    const y = substep[0] * angularVelocity[3 * i + 1]
    const z = substep[0] * angularVelocity[3 * i + 2]
    position[4 * i] += s * (a[p] + y * a[p + 2] - z * a[p + 1])
    position[4 * i + 1] += s * (a[p + 1] + z * a[p] - x * a[p + 2])
    position[4 * i + 2] += s * (a[p + 2] + x * a[p + 1] - y * a[p])
    turned[0] = s * (a[p + 3] + y * a[p + 5] - z * a[p + 4])
    turned[1] = s * (a[p + 4] + z * a[p + 3] - x * a[p + 5])
    turned[2] = s * (a[p + 5] + x * a[p + 4] - y * a[p + 3])
    rotateBy(orientation, 4 * i, turned)
  }
}

/** Whether what joints did last would throw a body about, over this substep. */
function isOfImpact({ velocity: v, jointAcceleration: a }: BodyColumns, { forest, substep }: Trees): boolean {
  const h = substep[0]
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    const p = 6 * i
    const u = 3 * i
    const turn = a[p + 3] * a[p + 3] + a[p + 4] * a[p + 4] + a[p + 5] * a[p + 5]
    if (h * h * h * h * turn > MOST_ROTATION * MOST_ROTATION) return true
    const way = a[p] * a[p] + a[p + 1] * a[p + 1] + a[p + 2] * a[p + 2]
    const speed = v[u] * v[u] + v[u + 1] * v[u + 1] + v[u + 2] * v[u + 2]
    if (h * h * way > MOST_WAY * MOST_WAY * speed) return true
  }
  return false
}

export function noteJointAcceleration(bodies: BodyColumns, trees: Trees): void {
  const { forest, start, substep } = trees
  const { position, orientation, jointAcceleration: a } = bodies
  const s = 1 / (substep[0] * substep[0])
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    rotationBetween(orientation, 4 * i, start, 7 * n + 3, turned, 0)
    const o = 6 * i
    a[o] = s * (position[4 * i] - start[7 * n])
    a[o + 1] = s * (position[4 * i + 1] - start[7 * n + 1])
    a[o + 2] = s * (position[4 * i + 2] - start[7 * n + 2])
    a[o + 3] = s * turned[0]
    a[o + 4] = s * turned[1]
    a[o + 5] = s * turned[2]
    const sum = a[o] + a[o + 1] + a[o + 2] + a[o + 3] + a[o + 4] + a[o + 5]
    // Over a substep that was next to none.
    if (sum - sum !== 0) a.fill(0, o, o + 6)
  }
}

/** Displaces each body of a tree by its own load: the general solution (newton.ts) starts there. */
export function applyLoads({ position, orientation, inverseInertia: I }: BodyColumns, trees: Trees): void {
  const t = trees.articulated
  if (t?.isLoaded !== true) return
  const { forest, nodeCount } = trees
  const share = t.loadShare[0]
  for (let n = 0; n < nodeCount; n++) {
    const p = 4 * forest.body[n]
    const e = 9 * forest.body[n]
    const o = 6 * n
    for (let k = 0; k < 3; k++) {
      position[p + k] += share * position[p + 3] * t.load[o + k]
      turned[k] =
        share * (I[e + 3 * k] * t.load[o + 3] + I[e + 3 * k + 1] * t.load[o + 4] + I[e + 3 * k + 2] * t.load[o + 5])
    }
    rotateBy(orientation, p, turned)
  }
}
