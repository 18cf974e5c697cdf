/**
 * Whether the solution of a first pass is one that a motion leads to. A backward step under joints that stand still, springs and dampers takes
 *
 *   ½ ‖X ⊖ X₀‖²_M/h² + ½ ‖X ⊖ X̂‖²_M/h² + Ψ(X) <= ½ ‖X̂ ⊖ X₀‖²_M/h² + Ψ(X₀)
 *
 * where what it minimizes is convex: X₀ meets the joints as well, and is no better than X. Ψ are springs, ½ s c², and dampers, ½ d (ċ − rate)² h. What turns makes it
 * less than exact, but a root that is far from it is another one: a hand at its limits flipped over in a substep, and 47 J became 136. X̂ has in it what contacts
 * push as in the substep before. As a whole they do no work, so that the first term alone is at most what there was without them. Where the ground of joints moves,
 * the same holds in its frame, but for what contacts do there. It is asked where a body has turned far from its prediction: joints that were changed, as by a winch, and overlap that is
 * pushed out do work, and turn nothing over.
 */

import { type BodyColumns, KINEMATIC, ROTATES } from '../state/body-columns.js'
import type { WorldView } from '../define/contract.js'
import { rowMass } from '../step/row-solver.js'
import { rotationSinceStart, TURNED } from '../step/moved.js'
import { TREMOR } from './touch-rows.js'
import type { Trees } from './trees.js'

/** By how much the left side may be more: bodies that turn fast come to a few per cent. */
const GROWN = 1.5
/** How far a solve may turn a body from its prediction before the question is asked [rad]. */
const FAR = 1

/** Twice h² of the left side, without Ψ, and of the right; of the first term, and of bodies without what contacts push; and of what is let be [kg m²]. */
const SUMS = /* @__PURE__ */ new Float64Array(5)
const SOLVED = 0
const PREDICTED = 1
const MOVED = 2
const FREE = 3
const SPARE = 4

/** By how much the ground of the joints moves [m] and turns [rad] in the substep, and where it was. */
const GROUND = /* @__PURE__ */ new Float64Array(9)
const SHIFT = 0
const TURN = 3
const CENTRE = 6
/** What the ground takes a body along by [m]. */
const ALONG = /* @__PURE__ */ new Float64Array(3)

export function isPassiveStep(world: WorldView, trees: Trees): boolean {
  if (trees.touches.acts) return true
  const bodies = world.bodies.columns
  if (!hasTurnedFar(bodies, trees)) return true
  // Where parts of the ground move apart, all may be moved.
  if (!findGround(bodies, trees)) return true
  measure(bodies, trees)
  // Not a number is no motion.
  if (!isMore(0)) return true
  return !isMore(GROWN * storedAtStart(world, trees))
}

/** Whether the solve has turned a body far from its prediction. It is asked in each substep: nothing is handed on as a number, which would be boxed. */
function hasTurnedFar(bodies: BodyColumns, { forest }: Trees): boolean {
  const { predictedRotation: predicted, flags } = bodies
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    if ((flags[i] & ROTATES) === 0) continue
    rotationSinceStart(bodies, i)
    const x = TURNED[0] - predicted[3 * i]
    const y = TURNED[1] - predicted[3 * i + 1]
    const z = TURNED[2] - predicted[3 * i + 2]
    if (x * x + y * y + z * z > FAR * FAR) return true
  }
  return false
}

/** Finds the motion of the ground; false where not all of it has the same. */
function findGround(bodies: BodyColumns, { forest: { ground }, substep }: Trees): boolean {
  const { position: x, startPosition: x0, angularVelocity: w, kind } = bodies
  GROUND.fill(0)
  for (let k = 0; k < ground.length; k++) {
    const g = ground[k]
    for (let c = 0; c < 3; c++) {
      const shift = x[4 * g + c] - x0[4 * g + c]
      const turn = kind[g] === KINEMATIC ? substep[0] * w[3 * g + c] : 0
      if (k === 0) {
        GROUND[SHIFT + c] = shift
        GROUND[TURN + c] = turn
        GROUND[CENTRE + c] = x0[4 * g + c]
      } else if (shift !== GROUND[SHIFT + c] || turn !== GROUND[TURN + c]) return false
    }
  }
  return true
}

/** Whether there is more than predicted, and `stored` (2 h² Ψ). */
function isMore(stored: number): boolean {
  const spare = stored + SUMS[SPARE]
  return SUMS[SOLVED] > GROWN * SUMS[PREDICTED] + spare || SUMS[MOVED] > GROWN * SUMS[FREE] + spare
}

function measure(bodies: BodyColumns, trees: Trees): void {
  const { position: x, startPosition: x0, velocity, predictedRotation, flags } = bodies
  const { forest, mass, inertia, start, substep } = trees
  const h = substep[0]
  const tremor = TREMOR * h * h
  SUMS.fill(0)
  for (let n = 0; n < forest.nodeCount; n++) {
    const i = forest.body[n]
    const m = mass[n]
    takeAlong(x0, 4 * i)
    let pushed = 0
    let led = 0
    for (let c = 0; c < 3; c++) {
      const way = x[4 * i + c] - x0[4 * i + c] - ALONG[c]
      const left = x[4 * i + c] - start[7 * n + c]
      const free = start[7 * n + c] - x0[4 * i + c] - ALONG[c]
      const own = h * velocity[3 * i + c] - ALONG[c]
      pushed += (free - own) * (free - own)
      led += ALONG[c] * ALONG[c]
      SUMS[SOLVED] += m * (way * way + left * left)
      SUMS[MOVED] += m * way * way
      SUMS[PREDICTED] += m * free * free
      SUMS[FREE] += m * own * own
    }
    // What contacts push against the ground's way is work in its frame.
    SUMS[SPARE] += m * tremor * tremor + 2 * m * Math.sqrt(led * pushed)
    if ((flags[i] & ROTATES) !== 0) addTurns(predictedRotation, bodies, i, inertia, 9 * n)
  }
}

/** The way of a body that goes with the ground. */
function takeAlong(x0: Float64Array, i: number): void {
  const x = x0[i] - GROUND[CENTRE]
  const y = x0[i + 1] - GROUND[CENTRE + 1]
  const z = x0[i + 2] - GROUND[CENTRE + 2]
  ALONG[0] = GROUND[SHIFT] + GROUND[TURN + 1] * z - GROUND[TURN + 2] * y
  ALONG[1] = GROUND[SHIFT + 1] + GROUND[TURN + 2] * x - GROUND[TURN] * z
  ALONG[2] = GROUND[SHIFT + 2] + GROUND[TURN] * y - GROUND[TURN + 1] * x
}

/** The same sums of what turns. */
function addTurns(predicted: Float64Array, bodies: BodyColumns, i: number, inertia: Float64Array, o: number): void {
  rotationSinceStart(bodies, i)
  const x = predicted[3 * i]
  const y = predicted[3 * i + 1]
  const z = predicted[3 * i + 2]
  const p = GROUND[TURN]
  const q = GROUND[TURN + 1]
  const r = GROUND[TURN + 2]
  const spin = along(inertia, o, x - p, y - q, z - r)
  const turn = along(inertia, o, TURNED[0] - p, TURNED[1] - q, TURNED[2] - r)
  SUMS[PREDICTED] += spin
  SUMS[FREE] += spin
  SUMS[MOVED] += turn
  SUMS[SOLVED] += turn + along(inertia, o, TURNED[0] - x, TURNED[1] - y, TURNED[2] - z)
}

/** θ·I θ. */
function along(I: Float64Array, o: number, x: number, y: number, z: number): number {
  return (
    x * (I[o] * x + I[o + 1] * y + I[o + 2] * z) +
    y * (I[o + 3] * x + I[o + 4] * y + I[o + 5] * z) +
    z * (I[o + 6] * x + I[o + 7] * y + I[o + 8] * z)
  )
}

/** 2 h² Ψ(X₀); Infinity where a row moves by itself, or nobody knows what it does. */
function storedAtStart(world: WorldView, { forest, substep }: Trees): number {
  const h = substep[0]
  const bodies = world.startPose
  let sum = 0
  for (let e = 0; e < forest.batch.length; e++) {
    const batch = forest.batch[e]
    const row = forest.row[e]
    const { rows } = batch
    rows.clear()
    batch.type.evaluate(bodies, batch, row, rows)
    for (let q = 0; q < rows.groupCount; q++) {
      const group = rows.groups[q]
      let squared = 0
      let rates = 0
      for (let k = group.start; k < group.start + group.size; k++) {
        squared += rows.c[k] * rows.c[k]
        rates += rows.rate[k] * rows.rate[k]
      }
      if (group.law === 'implicitForce' || (group.law === 'rate' && rates > 0)) return Infinity
      if (group.law === 'position' && group.compliance > 0) sum += (h * h * squared) / group.compliance
      if (group.law !== 'force') continue
      const scale = group.accelerationMode ? rowMass(bodies, batch, row, group) : 1
      sum += scale * (group.stiffness * h * h * squared + group.damping * h * h * h * rates)
    }
  }
  return sum
}
