/**
 * The plain loop that a page writes by hand: position-based dynamics with a hash grid that is made anew in each substep. Edges, diagonals and bends as
 * distances with one relaxation each, vertices as balls against the sphere, the floor and each other, friction as a share of the tangential way.
 */

import { FRICTION, type SheetEngine, sheetOf, SPACING, sphereRadius, THICKNESS } from '../sheet.js'

const GRAVITY = -9.81
/** Share of their error that diagonals and bends take out in a substep. */
const SOFT = 0.2

/** Distances of pairs. */
interface Springs {
  readonly pairs: Uint32Array
  readonly rest: Float64Array
  readonly share: number
}

let substeps = 1
let x = new Float64Array(0)
let before = new Float64Array(0)
let velocity = new Float64Array(0)
let rest = new Float64Array(0)
let springs: Springs[] = []
let ball = 0
let touches: 'nothing' | 'sphere' | 'sphere and floor' = 'nothing'
let meets = false

/** The grid: where the entries of each bucket begin, and the vertices. */
let first = new Int32Array(0)
let entries = new Int32Array(0)
let bucketOf = new Int32Array(0)

export const engine: SheetEngine = {
  name: 'plain',
  note: 'TypeScript, f64; position-based dynamics by hand, a hash grid made anew in each substep',

  load: () => Promise.resolve(),

  setup({ n, work, on, self }) {
    const sheet = sheetOf(n)
    substeps = work
    touches = on
    meets = self
    ball = sphereRadius(n)
    x = sheet.positions.slice()
    rest = sheet.positions.slice()
    before = x.slice()
    velocity = new Float64Array(x.length)
    springs = [springsOf(sheet.edges, 1), springsOf(sheet.diagonals, SOFT), springsOf(sheet.bends, SOFT)]
    const count = x.length / 3
    first = new Int32Array(2 * count + 1)
    entries = new Int32Array(count)
    bucketOf = new Int32Array(count)
    return springs.reduce((sum, { rest: lengths }) => sum + lengths.length, 0)
  },

  step(dt) {
    const h = dt / substeps
    for (let substep = 0; substep < substeps; substep++) {
      predict(h)
      for (const each of springs) hold(each)
      if (meets) {
        fillGrid()
        partVertices()
      }
      if (touches !== 'nothing') leaveBall()
      if (touches === 'sphere and floor') leaveFloor()
      for (let k = 0; k < x.length; k++) velocity[k] = (x[k] - before[k]) / h
    }
  },

  positions(out) {
    out.set(x)
  },
}

function springsOf(pairs: Uint32Array, share: number): Springs {
  const lengths = Float64Array.from({ length: pairs.length / 2 }, (_, e) => {
    const [p, q] = [3 * pairs[2 * e], 3 * pairs[2 * e + 1]]
    return Math.hypot(x[p] - x[q], x[p + 1] - x[q + 1], x[p + 2] - x[q + 2])
  })
  return { pairs, rest: lengths, share }
}

function predict(h: number): void {
  for (let o = 0; o < x.length; o += 3) {
    velocity[o + 1] += h * GRAVITY
    for (let k = o; k < o + 3; k++) {
      before[k] = x[k]
      x[k] += h * velocity[k]
    }
  }
}

function hold({ pairs, rest: lengths, share }: Springs): void {
  for (let e = 0; e < lengths.length; e++) {
    const p = 3 * pairs[2 * e]
    const q = 3 * pairs[2 * e + 1]
    const dx = x[p] - x[q]
    const dy = x[p + 1] - x[q + 1]
    const dz = x[p + 2] - x[q + 2]
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
    if (length === 0) continue
    const s = (0.5 * share * (lengths[e] - length)) / length
    x[p] += s * dx
    x[p + 1] += s * dy
    x[p + 2] += s * dz
    x[q] -= s * dx
    x[q + 1] -= s * dy
    x[q + 2] -= s * dz
  }
}

function hash(i: number, j: number, k: number): number {
  const mixed = Math.imul(i, 92837111) ^ Math.imul(j, 689287499) ^ Math.imul(k, 283923481)
  return (mixed < 0 ? ~mixed : mixed) % (first.length - 1)
}

/** Sorts vertices by the bucket of their cell. */
function fillGrid(): void {
  first.fill(0)
  for (let v = 0; v < entries.length; v++) {
    const o = 3 * v
    bucketOf[v] = hash(Math.floor(x[o] / SPACING), Math.floor(x[o + 1] / SPACING), Math.floor(x[o + 2] / SPACING))
    first[bucketOf[v]]++
  }
  for (let b = 1; b < first.length; b++) first[b] += first[b - 1]
  for (let v = 0; v < entries.length; v++) entries[--first[bucketOf[v]]] = v
}

/** Parts vertices that overlap, those that are nearer at rest to that distance. */
function partVertices(): void {
  for (let v = 0; v < entries.length; v++) {
    const i = Math.floor(x[3 * v] / SPACING)
    const j = Math.floor(x[3 * v + 1] / SPACING)
    const k = Math.floor(x[3 * v + 2] / SPACING)
    for (let a = i - 1; a <= i + 1; a++) {
      for (let b = j - 1; b <= j + 1; b++) {
        for (let c = k - 1; c <= k + 1; c++) {
          const bucket = hash(a, b, c)
          for (let e = first[bucket]; e < first[bucket + 1]; e++) if (entries[e] > v) part(3 * v, 3 * entries[e])
        }
      }
    }
  }
}

function part(p: number, q: number): void {
  const dx = x[p] - x[q]
  const dy = x[p + 1] - x[q + 1]
  const dz = x[p + 2] - x[q + 2]
  const square = dx * dx + dy * dy + dz * dz
  let least = 2 * THICKNESS
  if (square >= least * least || square === 0) return
  const rx = rest[p] - rest[q]
  const ry = rest[p + 1] - rest[q + 1]
  const rz = rest[p + 2] - rest[q + 2]
  const atRest = rx * rx + ry * ry + rz * rz
  if (atRest < least * least) {
    if (square >= atRest) return
    least = Math.sqrt(atRest)
  }
  const s = (0.5 * (least - Math.sqrt(square))) / Math.sqrt(square)
  x[p] += s * dx
  x[p + 1] += s * dy
  x[p + 2] += s * dz
  x[q] -= s * dx
  x[q + 1] -= s * dy
  x[q + 2] -= s * dz
  for (let k = 0; k < 3; k++) {
    // Friction: both go on at the mean of their ways, in part.
    const difference = x[p + k] - before[p + k] - (x[q + k] - before[q + k])
    x[p + k] -= 0.5 * FRICTION * difference
    x[q + k] += 0.5 * FRICTION * difference
  }
}

function leaveBall(): void {
  const reach = ball + THICKNESS
  for (let o = 0; o < x.length; o += 3) {
    const y = x[o + 1] - ball
    const square = x[o] * x[o] + y * y + x[o + 2] * x[o + 2]
    if (square >= reach * reach || square === 0) continue
    const s = reach / Math.sqrt(square)
    for (let k = 0; k < 3; k++) x[o + k] -= FRICTION * (x[o + k] - before[o + k])
    x[o] *= s
    x[o + 1] = ball + s * (x[o + 1] - ball)
    x[o + 2] *= s
  }
}

function leaveFloor(): void {
  for (let o = 0; o < x.length; o += 3) {
    if (x[o + 1] >= THICKNESS) continue
    x[o] -= FRICTION * (x[o] - before[o])
    x[o + 2] -= FRICTION * (x[o + 2] - before[o + 2])
    x[o + 1] = THICKNESS
  }
}
