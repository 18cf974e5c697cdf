/** Vectors for code that runs once, when a shape is built. */

/** x, y, z. */
export type Vector = readonly [number, number, number]

/** The vector i of a flat array. */
export function at(v: ArrayLike<number>, i: number): Vector {
  return [v[3 * i], v[3 * i + 1], v[3 * i + 2]]
}

export function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function length(a: Vector): number {
  return Math.sqrt(dot(a, a))
}

/** To unit length; NaN for the zero vector. */
export function unit(a: Vector): Vector {
  const l = length(a)
  return [a[0] / l, a[1] / l, a[2] / l]
}

/** How far p is from the segment a … b. */
export function distanceToSegment(p: Vector, a: Vector, b: Vector): number {
  const ab = minus(b, a)
  const ap = minus(p, a)
  const square = dot(ab, ab)
  const t = square > 0 ? Math.min(1, Math.max(0, dot(ap, ab) / square)) : 0
  return length([ap[0] - t * ab[0], ap[1] - t * ab[1], ap[2] - t * ab[2]])
}

/**
 * Twice the area of a polygon, along its normal: the sum over its triangles as seen from one corner, which evens out what
 * the corners are off their plane (M. Newell, in Sutherland, Sproull and Schumacker 1974).
 */
export function areaVector(v: ArrayLike<number>, corners: ArrayLike<number>): Vector {
  const a = at(v, corners[0])
  let [x, y, z] = [0, 0, 0]
  for (let k = 1; k + 1 < corners.length; k++) {
    const n = cross(minus(at(v, corners[k]), a), minus(at(v, corners[k + 1]), a))
    x += n[0]
    y += n[1]
    z += n[2]
  }
  return [x, y, z]
}
