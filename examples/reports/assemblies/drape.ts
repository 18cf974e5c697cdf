/** Row 8: drape of a circle of cloth over a disc, as Cusick's drapemeter has it. */

import { cloth, type ClothMaterialName } from '@tautline/assemblies'
import { World } from '@tautline/core'
import { figures, type Measured, type ReportRow } from '../report.js'
import { level } from './meshes.js'

/** Radii of the sample and of the disc that holds it [m]: BS 5058 (1973), as Cusick's drapemeter has them. */
const SAMPLE = 0.15
const DISC = 0.09
/** Side of a cell of the shadow [m]. */
const CELL = 0.001
/** Corners of triangles that a vertex within a sheet of quads has. */
const CORNERS = 6
/** Directions in which the shadow's hem is looked at, and how far it goes out and in of a fold at least [m]. */
const DIRECTIONS = 360
const FOLD = 0.004

/**
 * Folds that fabrics for clothes have on this disc: four to eight, counted by Chu, Cummings and Teixeira (1950) and after them. A weak source: of fabrics, not of these, and
 * which of them one has differs from try to try.
 */
const FOLDS = [4, 8] as const

interface Drape {
  /** Share of the ring beyond the disc that is in the shadow. */
  coefficient: number
  folds: number
}

/** Lets a circle hang: quads whose middle is within it, n across. */
function drape(material: ClothMaterialName, n: number, substeps: number): Drape {
  const mesh = level(n, n, 2 * SAMPLE)
  const x = mesh.positions.map((value, k) => (k % 3 === 1 ? 0 : value - SAMPLE))
  const cell = (2 * SAMPLE) / (n - 1)
  const indices = mesh.indices.filter((_, k) => {
    const corner = 3 * mesh.indices[k - (k % 6)]
    return Math.hypot(x[corner] + 0.5 * cell, x[corner + 2] + 0.5 * cell) <= SAMPLE
  })
  const used = new Set(indices)
  // The hem is round: what has not all of its four quads goes out to the circle.
  const corners = new Map<number, number>()
  for (const v of indices) corners.set(v, (corners.get(v) ?? 0) + 1)
  for (const [v, count] of corners) {
    const out = count < CORNERS ? SAMPLE / Math.hypot(x[3 * v], x[3 * v + 2]) : 1
    x[3 * v] *= out
    x[3 * v + 2] *= out
  }
  const held = [...used].filter((v) => Math.hypot(x[3 * v], x[3 * v + 2]) <= DISC)
  const world = new World({ substeps })
  const sheet = cloth(world, { positions: x, indices, material, pins: held, drag: 1, damping: 0.01 })
  // What is level and even all round would stay so: it is touched lightly.
  sheet.vertices.forEach((body, v) => {
    if (body.type === 'dynamic') body.setVelocity([0, 0.02 * Math.sin(7 * v * v), 0])
  })
  for (let k = 0; k < 360; k++) world.step()
  const at = new Float64Array(x.length)
  sheet.positions(at)
  return shadowOf(at, indices)
}

/** The shadow from above, cell by cell. */
function shadowOf(x: Float64Array, triangles: readonly number[]): Drape {
  const size = Math.ceil((2 * SAMPLE) / CELL) + 2
  const dark = new Uint8Array(size * size)
  const place = (value: number): number => (value + SAMPLE) / CELL + 1
  for (let t = 0; t < triangles.length; t += 3) {
    const at = [0, 1, 2].map((k) => [place(x[3 * triangles[t + k]]), place(x[3 * triangles[t + k] + 2])])
    darken(dark, size, at)
  }
  let cells = 0
  for (const one of dark) cells += one
  const outline = Array.from({ length: DIRECTIONS }, (_, k) => {
    const angle = (2 * Math.PI * k) / DIRECTIONS
    let r = SAMPLE
    const isDark = (): number =>
      dark[Math.floor(place(r * Math.cos(angle))) + size * Math.floor(place(r * Math.sin(angle)))]
    while (r > 0 && isDark() === 0) r -= CELL
    return r
  })
  const ring = Math.PI * (SAMPLE * SAMPLE - DISC * DISC)
  return { coefficient: (cells * CELL * CELL - Math.PI * DISC * DISC) / ring, folds: foldsOf(outline) }
}

/** Marks the cells whose middle is in a triangle. */
function darken(dark: Uint8Array, size: number, [a, b, c]: number[][]): void {
  const side = (p: number[], q: number[], i: number, j: number): number =>
    (q[0] - p[0]) * (j - p[1]) - (q[1] - p[1]) * (i - p[0])
  const [low, high] = [0, 1].map((axis) => [Math.min(a[axis], b[axis], c[axis]), Math.max(a[axis], b[axis], c[axis])])
  for (let j = Math.floor(high[0]); j <= high[1]; j++) {
    for (let i = Math.floor(low[0]); i <= low[1]; i++) {
      const [u, v, w] = [side(a, b, i + 0.5, j + 0.5), side(b, c, i + 0.5, j + 0.5), side(c, a, i + 0.5, j + 0.5)]
      if ((u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0)) dark[i + size * j] = 1
    }
  }
}

/** How often the hem goes out beyond its middle and in again. */
function foldsOf(outline: readonly number[]): number {
  const middle = outline.reduce((sum, r) => sum + r, 0) / outline.length
  const sides = outline.map((r) => (r > middle + 0.5 * FOLD ? 1 : r < middle - 0.5 * FOLD ? -1 : 0)).filter(Boolean)
  return sides.filter((side, k) => side > 0 && sides.at(k - 1) === -1).length
}

/** By bending length (B/w)^⅓, w the weight of a square metre: 1.8, 1.9, 2.8 and 2.9 cm. */
const MATERIALS = ['cotton', 'silk', 'denim', 'polyester'] as const
const VERTICES = 25
const SUBSTEPS = [8, 32]

function drapes(): Measured {
  const all = MATERIALS.map((material) => SUBSTEPS.map((substeps) => drape(material, VERTICES, substeps)))
  const texts = MATERIALS.map((material, m) => {
    const shares = figures(all[m].map(({ coefficient }) => 100 * coefficient))
    return `${material} ${shares} %, ${all[m].map(({ folds }) => folds).join(' and ')} folds`
  })
  const fine = all.map((list) => list[SUBSTEPS.length - 1].coefficient)
  const rises = fine.every((share, m) => m === 0 || share > fine[m - 1])
  const isFolded = all.flat().every(({ folds }) => folds >= FOLDS[0] && folds <= FOLDS[1])
  return { figures: texts.join('; '), holds: rises && isFolded }
}

export const drapeRows: readonly ReportRow[] = [
  {
    id: '8',
    claim: 'A circle of cloth over a disc drapes as fabrics do on Cusick’s drapemeter',
    asked: `${FOLDS.join(' to ')} folds (Chu, Cummings and Teixeira, 1950: a weak source, of fabrics for clothes, not of these); the more of the ring in shadow, the longer the bending length (Cusick, 1965)`,
    scene: `30 cm on a disc of 18 cm (BS 5058), ${VERTICES} vertices across, ${SUBSTEPS.join(' and ')} substeps (bending is softer at few), materials by name in the order of their bending length, 6 s, damping 10 ms`,
    measure: drapes,
  },
]
