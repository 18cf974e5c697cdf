/** Axis-aligned boxes in flat arrays: least x, y, z, then greatest x, y, z, from an offset on. */

/** What reaches farther [m] counts as infinite: areas of boxes must not overflow. */
const FAR = 1e100

/** Whether the centre of box a is nearer to that of box c than that of b is. */
export function isNearer(boxes: Float64Array, a: number, b: number, c: number): boolean {
  let toA = 0
  let toB = 0
  for (let k = 0; k < 3; k++) {
    const centre = boxes[c + k] + boxes[c + k + 3]
    const p = boxes[a + k] + boxes[a + k + 3] - centre
    const q = boxes[b + k] + boxes[b + k + 3] - centre
    toA += p * p
    toB += q * q
  }
  return toA < toB
}

/** Writes half the area of a box to out[k]. */
export function writeArea(boxes: Float64Array, a: number, out: Float64Array, k: number): void {
  const x = boxes[a + 3] - boxes[a]
  const y = boxes[a + 4] - boxes[a + 1]
  const z = boxes[a + 5] - boxes[a + 2]
  out[k] = x * y + y * z + z * x
}

/** Writes half the area of the box around two to out[k]. */
export function writeJoinedArea(boxes: Float64Array, a: number, b: number, out: Float64Array, k: number): void {
  const x = Math.max(boxes[a + 3], boxes[b + 3]) - Math.min(boxes[a], boxes[b])
  const y = Math.max(boxes[a + 4], boxes[b + 4]) - Math.min(boxes[a + 1], boxes[b + 1])
  const z = Math.max(boxes[a + 5], boxes[b + 5]) - Math.min(boxes[a + 2], boxes[b + 2])
  out[k] = x * y + y * z + z * x
}

/** Writes the box around a and b to o; says whether that changed it. */
export function merge(boxes: Float64Array, o: number, a: number, b: number): boolean {
  let changed = false
  for (let k = 0; k < 3; k++) {
    const low = Math.min(boxes[a + k], boxes[b + k])
    const high = Math.max(boxes[a + k + 3], boxes[b + k + 3])
    if (boxes[o + k] !== low || boxes[o + k + 3] !== high) changed = true
    boxes[o + k] = low
    boxes[o + k + 3] = high
  }
  return changed
}

/** Copies the box at from[i] to to[o]. */
export function copyBox(from: Float64Array, i: number, to: Float64Array, o: number): void {
  for (let k = 0; k < 6; k++) to[o + k] = from[i + k]
}

/** Whether two boxes have a point in common. */
export function overlaps(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  return (
    a[i] <= b[j + 3] &&
    b[j] <= a[i + 3] &&
    a[i + 1] <= b[j + 4] &&
    b[j + 1] <= a[i + 4] &&
    a[i + 2] <= b[j + 5] &&
    b[j + 2] <= a[i + 5]
  )
}

/** Whether box a holds box b. */
export function contains(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  return (
    a[i] <= b[j] &&
    a[i + 1] <= b[j + 1] &&
    a[i + 2] <= b[j + 2] &&
    a[i + 3] >= b[j + 3] &&
    a[i + 4] >= b[j + 4] &&
    a[i + 5] >= b[j + 5]
  )
}

/** Whether a box is one for the tree. One with NaN is not: it overlaps nothing, and does no harm on the list beside. */
export function isBounded(box: Float64Array, o: number): boolean {
  return (
    box[o] > -FAR && box[o + 1] > -FAR && box[o + 2] > -FAR && box[o + 3] < FAR && box[o + 4] < FAR && box[o + 5] < FAR
  )
}
