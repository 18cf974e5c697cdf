/** Outlines of shapes, as segments in the frame of the shape: made once a shape, as shapes never change. */

import type { Shape } from '@tautline/collision'
import { cos, rotateVector, sin } from '@tautline/core/kernel'

const CIRCLE = 24
/** What is drawn of a plane: a square with so many cells a side, of so much [m]. */
const CELLS = 10
const CELL = 1

const known = /* @__PURE__ */ new WeakMap<Shape, Float64Array>()

/** Segments of a shape, six numbers each [m]. */
export function outlineOf(shape: Shape): Float64Array {
  let outline = known.get(shape)
  if (outline === undefined) {
    const out: number[] = []
    drawShape(shape, out)
    outline = Float64Array.from(out)
    known.set(shape, outline)
  }
  return outline
}

function drawShape(shape: Shape, out: number[]): void {
  const [p, q, r] = shape.params
  switch (shape.name) {
    case 'sphere':
      for (let axis = 0; axis < 3; axis++) arc(out, axis, p, 0, 0, 2 * Math.PI)
      return
    case 'capsule':
      drawCapsule(out, p, p, q)
      return
    case 'taperedCapsule':
      drawCapsule(out, p, q, r)
      return
    case 'box':
      drawBox(out, p, q, r)
      return
    case 'cylinder':
      arc(out, 1, p, q, 0, 2 * Math.PI)
      arc(out, 1, p, -q, 0, 2 * Math.PI)
      for (const [x, z] of SIDES) out.push(p * x, q, p * z, p * x, -q, p * z)
      return
    case 'convexHull':
      drawHull(shape, out)
      return
    case 'plane':
      drawPlane(shape, out)
      return
    case 'heightfield':
      drawHeightfield(shape, out)
      return
    case 'triangleMesh':
      drawMesh(shape, out)
      return
    case 'compound':
      for (const child of shape.children ?? []) drawChild(outlineOf(child.shape), child.transform, out)
      return
    case 'triangle':
      drawLoop(shape.params, [0, 1, 2], out)
      return
  }
}

const SIDES = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const

/** Part of a circle about an axis through it at `height`, from one angle to another. */
function arc(out: number[], axis: number, radius: number, height: number, from: number, to: number): void {
  const parts = Math.max(1, Math.ceil((CIRCLE * Math.abs(to - from)) / (2 * Math.PI) - 1e-9))
  const at = (s: number): number[] => {
    const angle = from + ((to - from) * s) / parts
    const point = [0, 0, 0]
    point[axis] = height
    point[(axis + 1) % 3] = radius * cos(angle)
    point[(axis + 2) % 3] = radius * sin(angle)
    return point
  }
  for (let s = 0; s < parts; s++) out.push(...at(s), ...at(s + 1))
}

/** The hull of two balls on y: where their sides meet, circles; lines along the sides; half circles over the ends. */
function drawCapsule(out: number[], top: number, bottom: number, half: number): void {
  const slope = (bottom - top) / (2 * half)
  const across = Math.sqrt(1 - slope * slope)
  const high = half + top * slope
  const low = -half + bottom * slope
  arc(out, 1, top * across, high, 0, 2 * Math.PI)
  arc(out, 1, bottom * across, low, 0, 2 * Math.PI)
  for (const [x, z] of SIDES) {
    out.push(top * across * x, high, top * across * z, bottom * across * x, low, bottom * across * z)
    meridian(out, x, z, top, half, slope, 1)
    meridian(out, x, z, bottom, -half, slope, -1)
  }
}

/** From where the side begins, whose normal rises by `slope`, to the pole of a ball's cap. */
function meridian(
  out: number[],
  x: number,
  z: number,
  radius: number,
  centre: number,
  slope: number,
  pole: number,
): void {
  const parts = CIRCLE / 4
  const at = (s: number): number[] => {
    // By the square of what is left to the pole it is about even along the arc.
    const left = 1 - s / parts
    const level = pole - (pole - slope) * left * left
    const r = radius * Math.sqrt(Math.max(0, 1 - level * level))
    return [r * x, centre + radius * level, r * z]
  }
  for (let s = 0; s < parts; s++) out.push(...at(s), ...at(s + 1))
}

function drawBox(out: number[], x: number, y: number, z: number): void {
  const half = [x, y, z]
  for (let axis = 0; axis < 3; axis++) {
    for (const [s, t] of [
      [1, 1],
      [1, -1],
      [-1, 1],
      [-1, -1],
    ]) {
      const from = [0, 0, 0]
      from[axis] = -half[axis]
      from[(axis + 1) % 3] = s * half[(axis + 1) % 3]
      from[(axis + 2) % 3] = t * half[(axis + 2) % 3]
      const to = from.slice()
      to[axis] = half[axis]
      out.push(...from, ...to)
    }
  }
}

function drawHull({ hull }: Shape, out: number[]): void {
  if (hull === null) return
  for (let e = 0; e < hull.edges.length; e += 4) segment(out, hull.vertices, hull.edges[e], hull.edges[e + 1])
}

function drawPlane({ params }: Shape, out: number[]): void {
  const n = params.subarray(0, 3)
  const least =
    Math.abs(n[0]) < Math.abs(n[1])
      ? Math.abs(n[0]) < Math.abs(n[2])
        ? 0
        : 2
      : Math.abs(n[1]) < Math.abs(n[2])
        ? 1
        : 2
  const u = [0, 1, 2].map((k) => (k === least ? 1 : 0) - n[least] * n[k])
  const length = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
  for (let k = 0; k < 3; k++) u[k] /= length
  const v = [0, 1, 2].map((k) => n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3])
  const at = (s: number, t: number): number[] => [0, 1, 2].map((k) => params[3] * n[k] + CELL * (s * u[k] + t * v[k]))
  const half = CELLS / 2
  for (let s = -half; s <= half; s++) {
    out.push(...at(s, -half), ...at(s, half))
    out.push(...at(-half, s), ...at(half, s))
  }
  out.push(...at(0, 0), ...at(0, 0).map((x, k) => x + CELL * n[k]))
}

/** The edges of the triangles that are there: see `shapes/heightfield.ts` of collision for how cells are cut. */
function drawHeightfield({ heightfield }: Shape, out: number[]): void {
  if (heightfield === null) return
  const { heights, columns, rows, cellX, cellZ } = heightfield
  const points = new Float64Array(3 * columns * rows)
  const triangles: number[] = []
  const add = (...corners: number[]): void => {
    if (corners.every((corner) => !Number.isNaN(heights[corner]))) triangles.push(...corners)
  }
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const k = j * columns + i
      points.set([(i - (columns - 1) / 2) * cellX, heights[k], (j - (rows - 1) / 2) * cellZ], 3 * k)
      if (i + 1 === columns || j + 1 === rows) continue
      add(k, k + columns, k + 1)
      add(k + 1, k + columns, k + columns + 1)
    }
  }
  drawEdges(points, triangles, out)
}

function drawMesh({ mesh }: Shape, out: number[]): void {
  if (mesh !== null) drawEdges(mesh.vertices, mesh.triangles, out)
}

/** Each edge of triangles once. */
function drawEdges(vertices: ArrayLike<number>, triangles: ArrayLike<number>, out: number[]): void {
  const drawn = new Set<number>()
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = Math.min(triangles[t + k], triangles[t + ((k + 1) % 3)])
      const b = Math.max(triangles[t + k], triangles[t + ((k + 1) % 3)])
      const key = (a * vertices.length) / 3 + b
      if (drawn.has(key)) continue
      drawn.add(key)
      segment(out, vertices, a, b)
    }
  }
}

function drawLoop(x: ArrayLike<number>, corners: readonly number[], out: number[]): void {
  corners.forEach((corner, k) => segment(out, x, corner, corners[(k + 1) % corners.length]))
}

function segment(out: number[], x: ArrayLike<number>, a: number, b: number): void {
  out.push(x[3 * a], x[3 * a + 1], x[3 * a + 2], x[3 * b], x[3 * b + 1], x[3 * b + 2])
}

function drawChild(outline: Float64Array, t: Float64Array, out: number[]): void {
  for (let o = 0; o < outline.length; o += 3) {
    const [x, y, z] = [outline[o], outline[o + 1], outline[o + 2]]
    for (let k = 0; k < 3; k++) out.push(t[k] + t[3 + 3 * k] * x + t[4 + 3 * k] * y + t[5 + 3 * k] * z)
  }
}

const v = /* @__PURE__ */ new Float64Array(3)
const ends = /* @__PURE__ */ new Float64Array(6)

/** What collects lines, of `Pen`. */
interface Lines {
  reserve(points: number): void
  line(x: Float64Array, i: number, y: Float64Array, j: number): void
}

/**
 * Draws an outline of a collider: `local` brings it into the frame of its body (x, y, z, then a matrix row by row), and the pose at `p` of
 * `position` and `orientation`, with four numbers each, into the world.
 */
export function drawOutline(
  pen: Lines,
  outline: Float64Array,
  local: Float64Array,
  position: Float64Array,
  orientation: Float64Array,
  p: number,
): void {
  pen.reserve(outline.length / 3)
  for (let o = 0; o < outline.length; o += 6) {
    for (let e = 0; e < 6; e += 3) {
      const x = outline[o + e]
      const y = outline[o + e + 1]
      const z = outline[o + e + 2]
      for (let k = 0; k < 3; k++) v[k] = local[k] + local[3 + 3 * k] * x + local[4 + 3 * k] * y + local[5 + 3 * k] * z
      rotateVector(orientation, p, v[0], v[1], v[2], ends, e)
      for (let k = 0; k < 3; k++) ends[e + k] += position[p + k]
    }
    pen.line(ends, 0, ends, 3)
  }
}
