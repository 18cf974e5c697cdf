/**
 * A grid for particles: which of them are near each other, and which are near a box.
 *
 * Space is cut into cells as wide as the reach of the largest pair, so that a particle's neighbours are in its own cell and
 * the 26 around it. Cells are hashed to slots, and particles are sorted by slot in one counting sort: no list a cell, memory
 * by the number of particles alone (Teschner et al. 2003; Müller, "Ten Minute Physics" 11, 2021).
 *
 * Departures from both: the hash is that of a dense grid around all particles, modulo the number of slots, so that a row
 * of cells along x is a run of slots and three neighbours in it are one loop; a cloud without much empty space has no two
 * cells in a slot. Where rows do share slots, a particle met there counts only if its own row is the one looked for: no
 * pair is found twice, and none is missed.
 */

import type { IntList } from './int-list.js'
import type { PairList } from './pair-list.js'

/** Cells are wider than the reach by this share, far above what rounding does to the number of a cell. */
const CELL_SLACK = 1 + 1 / 0x100000

/** Cells farther from the origin count as this one: numbers of cells stay small integers, their order is kept. */
const LAST_CELL = 0x20000000

/** Slots of a run. The first ones are repeated after the last, so that every run is one loop. */
const RUN = 3

/** Powers of two: at least two slots a particle, and more slots than a run has, so that none meets itself. */
const FEWEST_SLOTS = 16

/** Where the rows (y, z) lie whose cells follow those of a row: half of its neighbours, the other half find it. */
const ROWS_Y = /* @__PURE__ */ Int32Array.of(1, -1, 0, 1)
const ROWS_Z = /* @__PURE__ */ Int32Array.of(0, 1, 1, 1)

/** Particles sorted by cell. Particle k is the k-th that `build` is given. */
export class ParticleGrid {
  /** Particles of the last build. */
  count = 0
  private margin = 0
  private largest = 0
  private inverseCell = 1
  /** Cell (x, y, z) has the slot x + strideY y + strideZ z, modulo the number of slots. */
  private strideY = 1
  private strideZ = 1
  private mask = 0
  /** First place of a slot in the arrays below, and the end of the last; the first slots come twice. */
  private start: Int32Array = new Int32Array(0)
  /** By place: particle, cell, centre and radius. */
  private particle: Int32Array = new Int32Array(0)
  private cell: Int32Array = new Int32Array(0)
  private ball: Float64Array = new Float64Array(0)
  /** Cell of a particle. */
  private home: Int32Array = new Int32Array(0)

  /**
   * Sorts `count` particles: particle k has its centre at `position[stride * row[k]]` and radius `radius[k]`. Two are near
   * where the gap between them is less than `margin` [m].
   */
  build(
    count: number,
    position: Float64Array,
    stride: number,
    row: Int32Array,
    radius: Float64Array,
    margin: number,
  ): void {
    this.reserve(count)
    this.count = count
    this.margin = margin
    let largest = 0
    for (let k = 0; k < count; k++) if (radius[k] > largest) largest = radius[k]
    this.largest = largest
    const reach = (2 * largest + margin) * CELL_SLACK
    // Points without margin are near nothing; any cell will do.
    this.inverseCell = reach > 0 ? 1 / reach : 1
    this.findCells(position, stride, row)
    this.countSlots()
    this.distribute(position, stride, row, radius)
  }

  /** Writes all pairs of near particles to `out`, sorted. */
  findPairs(out: PairList): void {
    this.collectPairs(out)
    out.sort(this.count)
  }

  /** The same in the order of their places, which is quicker and has neighbours together. */
  collectPairs(out: PairList): void {
    const { count, margin, mask, strideY, strideZ, start, particle, cell, ball } = this
    out.clear()
    let pairs = out.items
    let n = 0
    for (let i = 0; i < count; i++) {
      const x = ball[4 * i]
      const y = ball[4 * i + 1]
      const z = ball[4 * i + 2]
      const r = ball[4 * i + 3] + margin
      const cx = cell[3 * i]
      const cy = cell[3 * i + 1]
      const cz = cell[3 * i + 2]
      const id = particle[i]
      for (let line = -1; line < 4; line++) {
        // In its own row: what comes after it in its slot, and the next slot.
        let rowY = cy
        let rowZ = cz
        let from = i + 1
        let end = start[((Math.imul(cy, strideY) + Math.imul(cz, strideZ) + cx) & mask) + 2]
        if (line >= 0) {
          rowY += ROWS_Y[line]
          rowZ += ROWS_Z[line]
          const slot = (Math.imul(rowY, strideY) + Math.imul(rowZ, strideZ) + cx - 1) & mask
          from = start[slot]
          end = start[slot + RUN]
        }
        for (let j = from; j < end; j++) {
          const dx = ball[4 * j] - x
          const dy = ball[4 * j + 1] - y
          const dz = ball[4 * j + 2] - z
          const near = r + ball[4 * j + 3]
          if (!(dx * dx + dy * dy + dz * dz < near * near) || cell[3 * j + 1] !== rowY || cell[3 * j + 2] !== rowZ)
            continue
          if (2 * n === pairs.length) {
            out.count = n
            out.reserve(n + 1)
            pairs = out.items
          }
          const other = particle[j]
          pairs[2 * n] = id < other ? id : other
          pairs[2 * n + 1] = id < other ? other : id
          n++
        }
      }
    }
    out.count = n
  }

  /** Appends the particles whose balls, grown by the margin, touch the box at `box[o]`, ascending. */
  query(box: Float64Array, o: number, out: IntList): void {
    const { count, mask, strideY, strideZ, start, cell, inverseCell } = this
    const first = out.count
    const reach = (this.largest + this.margin) * CELL_SLACK
    const x0 = cellNumber((box[o] - reach) * inverseCell)
    const y0 = cellNumber((box[o + 1] - reach) * inverseCell)
    const z0 = cellNumber((box[o + 2] - reach) * inverseCell)
    const x1 = cellNumber((box[o + 3] + reach) * inverseCell)
    const y1 = cellNumber((box[o + 4] + reach) * inverseCell)
    const z1 = cellNumber((box[o + 5] + reach) * inverseCell)
    // A box of more cells than there are particles: they are looked through one after the other.
    if ((x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) >= count) {
      for (let i = 0; i < count; i++) this.take(i, box, o, out)
    } else {
      for (let z = z0; z <= z1; z++) {
        for (let y = y0; y <= y1; y++) {
          for (let x = x0; x <= x1; x++) {
            const slot = (Math.imul(y, strideY) + Math.imul(z, strideZ) + x) & mask
            for (let i = start[slot]; i < start[slot + 1]; i++) {
              if (cell[3 * i] === x && cell[3 * i + 1] === y && cell[3 * i + 2] === z) this.take(i, box, o, out)
            }
          }
        }
      }
    }
    out.sort(first)
  }

  /** Appends the particle at a place if it touches a box. */
  private take(i: number, box: Float64Array, o: number, out: IntList): void {
    const { ball } = this
    const x = ball[4 * i]
    const y = ball[4 * i + 1]
    const z = ball[4 * i + 2]
    const r = ball[4 * i + 3] + this.margin
    const dx = Math.max(box[o] - x, 0, x - box[o + 3])
    const dy = Math.max(box[o + 1] - y, 0, y - box[o + 4])
    const dz = Math.max(box[o + 2] - z, 0, z - box[o + 5])
    if (dx * dx + dy * dy + dz * dz <= r * r) out.push(this.particle[i])
  }

  private reserve(count: number): void {
    let slots = FEWEST_SLOTS
    while (slots < 2 * count) slots *= 2
    this.mask = slots - 1
    if (this.start.length < slots + RUN) this.start = new Int32Array(slots + RUN)
    if (this.home.length >= 3 * count) return
    this.home = new Int32Array(3 * slots)
    // Twice the particles: all may lie in the slots that are repeated.
    this.particle = new Int32Array(2 * slots)
    this.cell = new Int32Array(6 * slots)
    this.ball = new Float64Array(8 * slots)
  }

  /** Notes the cell of each particle, and sets strides by the range of them. */
  private findCells(position: Float64Array, stride: number, row: Int32Array): void {
    const { count, home, inverseCell } = this
    let x0 = LAST_CELL
    let x1 = -LAST_CELL
    let y0 = LAST_CELL
    let y1 = -LAST_CELL
    for (let k = 0; k < count; k++) {
      const p = stride * row[k]
      const x = cellNumber(position[p] * inverseCell)
      const y = cellNumber(position[p + 1] * inverseCell)
      home[3 * k] = x
      home[3 * k + 1] = y
      home[3 * k + 2] = cellNumber(position[p + 2] * inverseCell)
      if (x < x0) x0 = x
      if (x > x1) x1 = x
      if (y < y0) y0 = y
      if (y > y1) y1 = y
    }
    // Odd: rows that meet in one slot are then not all rows of a layer, nor all layers.
    this.strideY = (x1 - x0 + 2) | 1
    this.strideZ = Math.imul(this.strideY, y1 - y0 + 2) | 1
  }

  /** Makes `start` of a slot the end of its run. */
  private countSlots(): void {
    const { count, mask, strideY, strideZ, start, home } = this
    start.fill(0, 0, mask + 1)
    for (let k = 0; k < count; k++) {
      start[(Math.imul(home[3 * k + 1], strideY) + Math.imul(home[3 * k + 2], strideZ) + home[3 * k]) & mask]++
    }
    for (let s = 1; s <= mask; s++) start[s] += start[s - 1]
    start[mask + 1] = count
  }

  /** Puts particles in their places, the last first, so that equals keep their order; `start` becomes the first place. */
  private distribute(position: Float64Array, stride: number, row: Int32Array, radius: Float64Array): void {
    const { count, mask, strideY, strideZ, start, home, particle, cell, ball } = this
    for (let k = count - 1; k >= 0; k--) {
      const slot = (Math.imul(home[3 * k + 1], strideY) + Math.imul(home[3 * k + 2], strideZ) + home[3 * k]) & mask
      const i = --start[slot]
      const p = stride * row[k]
      particle[i] = k
      for (let c = 0; c < 3; c++) {
        cell[3 * i + c] = home[3 * k + c]
        ball[4 * i + c] = position[p + c]
      }
      ball[4 * i + 3] = radius[k]
    }
    const repeated = start[RUN - 1]
    particle.copyWithin(count, 0, repeated)
    cell.copyWithin(3 * count, 0, 3 * repeated)
    ball.copyWithin(4 * count, 0, 4 * repeated)
    for (let s = 1; s < RUN; s++) start[mask + 1 + s] = count + start[s]
  }
}

/** Number of the cell that a coordinate, in cells, lies in. What is not a number comes to lie in cell 0, near nothing. */
function cellNumber(x: number): number {
  return Math.floor(Math.max(-LAST_CELL, Math.min(LAST_CELL, x))) | 0
}
