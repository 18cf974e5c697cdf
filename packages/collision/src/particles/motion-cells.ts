/**
 * How much particles that are near each other move against each other: by their own way against the mean of a coarse cell, and that of the means of
 * neighbouring cells.
 *
 * What falls together, however fast, needs no margin for it, and one that jumps needs its own. Two have not moved against each other by more
 * than what both have moved against the means of their cells, and these against each other; of that, half counts for each.
 */

import type { BodyColumns } from '@tautline/core/kernel'

/** Numbers of a cell: mean way and velocity; and least of both in three axes, then greatest. */
const MEAN = 6
const BOX = 12
/** Particles a cell at least, on the whole; and cells however few there are. */
const CROWD = 12
const FEWEST_CELLS = 64
/** By how much cells grow until there are few enough. */
const WIDER = 1.3
const MOST_ALONG = 0x1000000

export class MotionCells {
  /** Cells there are. */
  count = 0
  /**
   * By particle: how far it has moved against those near it since it was placed, and how far it will in the time ahead [m]. Two have come as close
   * as both together, at most.
   */
  moved: Float64Array = new Float64Array(0)
  way: Float64Array = new Float64Array(0)
  /** Half of what any two have moved and will move, also those that are not near; those are `width` apart when they are placed [m]. */
  movedAtAll = 0
  wayAtAll = 0
  width = 0
  private home: Int32Array = new Int32Array(0)
  private readonly size = new Int32Array(3)
  /** Where particles were when they were placed. */
  private at: Float64Array = new Float64Array(0)
  private crowd: Float64Array = new Float64Array(0)
  private means: Float64Array = new Float64Array(0)
  /** Boxes of means of cells, and with those of the cells around them; each pass grows along one axis. */
  private spreads: Float64Array = new Float64Array(0)
  private readonly all = new Float64Array(BOX)
  private boxes: Float64Array = new Float64Array(0)
  private grown: Float64Array = new Float64Array(0)

  /** Places `count` particles, particle k at `position[4 * row[k]]`, in cells at least `least` [m] wide. */
  place(count: number, { position }: BodyColumns, row: Int32Array, least: number): void {
    this.reserve(count)
    const { home, at, size } = this
    let [x0, y0, z0, x1, y1, z1] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
    for (let k = 0; k < count; k++) {
      const p = 4 * row[k]
      const x = (at[3 * k] = position[p])
      const y = (at[3 * k + 1] = position[p + 1])
      const z = (at[3 * k + 2] = position[p + 2])
      if (x < x0) x0 = x
      if (y < y0) y0 = y
      if (z < z0) z0 = z
      if (x > x1) x1 = x
      if (y > y1) y1 = y
      if (z > z1) z1 = z
    }
    const most = Math.max(FEWEST_CELLS, count / CROWD)
    let width = least
    while (cellsAlong(x1 - x0, width) * cellsAlong(y1 - y0, width) * cellsAlong(z1 - z0, width) > most) width *= WIDER
    this.width = width
    size[0] = cellsAlong(x1 - x0, width)
    size[1] = cellsAlong(y1 - y0, width)
    size[2] = cellsAlong(z1 - z0, width)
    this.count = size[0] * size[1] * size[2]
    for (let k = 0; k < count; k++) {
      const x = cellAt(at[3 * k] - x0, width, size[0])
      const y = cellAt(at[3 * k + 1] - y0, width, size[1])
      const z = cellAt(at[3 * k + 2] - z0, width, size[2])
      home[k] = (z * size[1] + y) * size[0] + x
    }
    if (this.crowd.length >= this.count) return
    this.crowd = new Float64Array(2 * this.count)
    this.spreads = new Float64Array(4 * this.count + 2)
    this.means = new Float64Array(2 * MEAN * this.count)
    this.boxes = new Float64Array(2 * BOX * this.count)
    this.grown = new Float64Array(2 * BOX * this.count)
  }

  private reserve(count: number): void {
    if (this.home.length >= count) return
    this.home = new Int32Array(2 * count)
    this.at = new Float64Array(6 * count)
    this.moved = new Float64Array(2 * count)
    this.way = new Float64Array(2 * count)
  }

  /** Measures `moved`, and `way` over `time` [s]. */
  measure(count: number, bodies: BodyColumns, row: Int32Array, time: number): void {
    this.gatherMeans(count, bodies, row)
    this.spread()
    const { home, at, means, spreads, moved, way } = this
    const { position: x, velocity: v } = bodies
    let farthest = 0
    let fastest = 0
    for (let k = 0; k < count; k++) {
      const i = row[k]
      const m = MEAN * home[k]
      let dx = x[4 * i] - at[3 * k] - means[m]
      let dy = x[4 * i + 1] - at[3 * k + 1] - means[m + 1]
      let dz = x[4 * i + 2] - at[3 * k + 2] - means[m + 2]
      const far = Math.sqrt(dx * dx + dy * dy + dz * dz)
      dx = v[3 * i] - means[m + 3]
      dy = v[3 * i + 1] - means[m + 4]
      dz = v[3 * i + 2] - means[m + 5]
      const fast = time * Math.sqrt(dx * dx + dy * dy + dz * dz)
      moved[k] = far + spreads[2 * home[k]]
      way[k] = fast + time * spreads[2 * home[k] + 1]
      if (far > farthest) farthest = far
      if (fast > fastest) fastest = fast
    }
    this.movedAtAll = farthest + spreads[2 * this.count]
    this.wayAtAll = fastest + time * spreads[2 * this.count + 1]
  }

  /** Mean ways and velocities of cells; what is not finite counts for none. */
  private gatherMeans(count: number, { position: x, velocity: v }: BodyColumns, row: Int32Array): void {
    const { means, crowd, home, at } = this
    means.fill(0, 0, MEAN * this.count)
    crowd.fill(0, 0, this.count)
    for (let k = 0; k < count; k++) {
      const i = row[k]
      const cell = home[k]
      const dx = x[4 * i] - at[3 * k]
      const dy = x[4 * i + 1] - at[3 * k + 1]
      const dz = x[4 * i + 2] - at[3 * k + 2]
      const sum = dx + dy + dz + v[3 * i] + v[3 * i + 1] + v[3 * i + 2]
      if (sum - sum !== 0) continue
      crowd[cell]++
      means[MEAN * cell] += dx
      means[MEAN * cell + 1] += dy
      means[MEAN * cell + 2] += dz
      means[MEAN * cell + 3] += v[3 * i]
      means[MEAN * cell + 4] += v[3 * i + 1]
      means[MEAN * cell + 5] += v[3 * i + 2]
    }
    for (let cell = 0; cell < this.count; cell++) {
      if (crowd[cell] > 0) for (let k = MEAN * cell; k < MEAN * cell + MEAN; k++) means[k] /= crowd[cell]
    }
  }

  /** Half of how far the means of a cell and those around it are from each other: of ways and of velocities, by cell; at the end that of all. */
  private spread(): void {
    const { means, crowd, boxes, grown, spreads, all } = this
    for (let k = 0; k < BOX; k++) all[k] = k < MEAN ? Infinity : -Infinity
    for (let cell = 0; cell < this.count; cell++) {
      const isEmpty = crowd[cell] === 0
      for (let k = 0; k < MEAN; k++) {
        boxes[BOX * cell + k] = isEmpty ? Infinity : means[MEAN * cell + k]
        boxes[BOX * cell + MEAN + k] = isEmpty ? -Infinity : means[MEAN * cell + k]
      }
      join(boxes, BOX * cell, all, 0)
    }
    const [nx, ny, nz] = this.size
    this.grow(boxes, grown, 1, nx)
    this.grow(grown, boxes, nx, ny)
    this.grow(boxes, grown, nx * ny, nz)
    for (let cell = 0; cell < this.count; cell++) {
      spreads[2 * cell] = halfDiagonal(grown, BOX * cell)
      spreads[2 * cell + 1] = halfDiagonal(grown, BOX * cell + 3)
    }
    spreads[2 * this.count] = halfDiagonal(all, 0)
    spreads[2 * this.count + 1] = halfDiagonal(all, 3)
  }

  /** Joins each box with those before and after it along an axis of `length` cells that are `stride` apart. */
  private grow(from: Float64Array, to: Float64Array, stride: number, length: number): void {
    let place = 0
    let run = 0
    for (let cell = 0; cell < this.count; cell++) {
      const o = BOX * cell
      for (let k = o; k < o + BOX; k++) to[k] = from[k]
      if (place > 0) join(from, o - BOX * stride, to, o)
      if (place + 1 < length) join(from, o + BOX * stride, to, o)
      if (++run < stride) continue
      run = 0
      if (++place === length) place = 0
    }
  }
}

/** Joins a box with another. */
function join(from: Float64Array, p: number, to: Float64Array, o: number): void {
  for (let k = 0; k < MEAN; k++) {
    if (from[p + k] < to[o + k]) to[o + k] = from[p + k]
    if (from[p + MEAN + k] > to[o + MEAN + k]) to[o + MEAN + k] = from[p + MEAN + k]
  }
}

function cellsAlong(extent: number, width: number): number {
  const cells = extent / width
  // What is not finite comes to lie in one cell.
  if (!(cells >= 0 && cells < Infinity)) return 1
  return cells < MOST_ALONG ? Math.floor(cells) + 1 : MOST_ALONG
}

function cellAt(x: number, width: number, cells: number): number {
  const cell = Math.floor(x / width)
  return cell > 0 ? Math.min(cell, cells - 1) : 0
}

/** Half of the diagonal of three sides of a box; 0 of an empty one. */
function halfDiagonal(boxes: Float64Array, o: number): number {
  const x = boxes[o + MEAN] - boxes[o]
  const y = boxes[o + MEAN + 1] - boxes[o + 1]
  const z = boxes[o + MEAN + 2] - boxes[o + 2]
  return x >= 0 ? 0.5 * Math.sqrt(x * x + y * y + z * z) : 0
}
