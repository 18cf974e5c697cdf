/**
 * A soft body that falls on a floor: ms a step, with its errors beside it, as JSON.
 *
 *   soft.ts --engine tautline --mesh cube --work 5
 *
 * Run with `node --import tsx --conditions=@tautline/source bench/assemblies/soft.ts`, a process a measurement. dt 1/60 s, nothing sleeps; times are of
 * all steps after a warm-up in the air. Absolute times are this machine's: only ratios of one run count.
 */

import { parseArgs } from 'node:util'
import { BODY_ENGINES, engineOf } from './body-engines.js'
import {
  type BodyEngine,
  bodyMesh,
  type BodyMesh,
  DROP,
  GRAVITY,
  heightOf,
  kineticOf,
  lowest,
  MESHES,
  RADIUS,
  volumeOf,
} from './body.js'

/** What one process measured; an error is `null` where it is not finite. */
export interface BodyResult {
  engine: string
  note: string
  tetrahedra: number
  rows: number
  /** Of a step [ms]. */
  median: number
  p95: number
  /** Processor time of a step [ms]. */
  busy: number
  /** Share of its volume that it has: at rest, and in the worst instant. */
  volume: number | null
  leastVolume: number | null
  /** How far a node is into the floor, of its radius: at rest, and in the worst instant [m]. */
  depth: number | null
  deepest: number | null
  /** How far its centre of mass is below that of its undeformed shape on the floor, at rest [m]. */
  sag: number | null
  /** Most that kinetic and gravitational energy exceed those of the start, as a share of what the drop gives. */
  gain: number | null
  /** Root of the mean square speed at rest [m/s]. */
  restSpeed: number | null
}

const DT = 1 / 60
const STEPS = 240
const WARM_UP = 20
/** Steps at the end over which rest is averaged. */
const LAST = 30

interface Errors {
  volume: number
  leastVolume: number
  depth: number
  deepest: number
  sag: number
  gain: number
  restSpeed: number
}

/** Gathers errors from the positions of each step. */
function observer(mesh: BodyMesh): {
  see(before: Float64Array, x: Float64Array, isLast: boolean): void
  read(): Errors
} {
  const rest = volumeOf(mesh, mesh.positions)
  const undeformed = heightOf(mesh, mesh.positions) - DROP
  const mass = mesh.masses.reduce((sum, each) => sum + each, 0)
  const sum = { volume: 0, depth: 0, sag: 0, kinetic: 0 }
  let [leastVolume, deepest, gain, start] = [Infinity, -Infinity, -Infinity, NaN]
  return {
    see(before, x, isLast) {
      const volume = volumeOf(mesh, x) / rest
      const depth = RADIUS - lowest(x)
      const kinetic = kineticOf(mesh, before, x, DT)
      // Midway through the step, where its mean velocity is that of a free fall.
      const energy = kinetic + 0.5 * mass * GRAVITY * (heightOf(mesh, before) + heightOf(mesh, x))
      if (Number.isNaN(start)) start = energy
      // Math.min and Math.max hand on what is not a number.
      leastVolume = Math.min(leastVolume, volume)
      deepest = Math.max(deepest, depth)
      gain = Math.max(gain, (energy - start) / (mass * GRAVITY * DROP))
      if (!isLast) return
      sum.volume += volume / LAST
      sum.depth += depth / LAST
      sum.sag += (undeformed - heightOf(mesh, x)) / LAST
      sum.kinetic += kinetic / LAST
    },
    read() {
      const { volume, depth, sag, kinetic } = sum
      return { volume, leastVolume, depth, deepest, sag, gain, restSpeed: Math.sqrt((2 * kinetic) / mass) }
    },
  }
}

function measure(engine: BodyEngine, mesh: BodyMesh, work: number): BodyResult {
  const rows = engine.setup({ mesh, work })
  const { see, read } = observer(mesh)
  let [before, x] = [mesh.positions.slice(), mesh.positions.slice()]
  const times: number[] = []
  let busy = 0
  for (let step = 0; step < STEPS; step++) {
    const [began, start] = [performance.now(), process.cpuUsage()]
    engine.step(DT)
    const { user, system } = process.cpuUsage(start)
    if (step >= WARM_UP) {
      times.push(performance.now() - began)
      busy += (user + system) / 1000 / (STEPS - WARM_UP)
    }
    ;[before, x] = [x, before]
    engine.positions(x)
    see(before, x, step >= STEPS - LAST)
  }
  times.sort((r, s) => r - s)
  const { name, note } = engine
  return {
    engine: name,
    note,
    tetrahedra: mesh.tetrahedra.length / 4,
    rows,
    median: times[times.length >> 1],
    p95: times[Math.floor(0.95 * times.length)],
    busy,
    ...finite(read()),
  }
}

/** JSON has no numbers that are not finite. */
function finite(errors: Errors): Record<keyof Errors, number | null> {
  const entries = Object.entries(errors).map(([name, value]) => [
    name,
    Number.isFinite(value) ? (value as number) : null,
  ])
  return Object.fromEntries(entries) as Record<keyof Errors, number | null>
}

const { values } = parseArgs({
  options: { engine: { type: 'string' }, mesh: { type: 'string' }, work: { type: 'string' } },
})
const name = BODY_ENGINES.find((known) => known === values.engine)
if (name === undefined) {
  throw new Error(`soft: --engine must be one of ${BODY_ENGINES.join(', ')}, got ${values.engine ?? 'none'}`)
}
const mesh = MESHES.find((known) => known === values.mesh)
if (mesh === undefined)
  throw new Error(`soft: --mesh must be one of ${MESHES.join(', ')}, got ${values.mesh ?? 'none'}`)
const work = Number(values.work)
if (!Number.isInteger(work) || work < 1)
  throw new Error(`soft: --work must be a whole number from 1, got ${values.work ?? 'none'}`)
const engine = await engineOf(name)
await engine.load()
console.log(JSON.stringify(measure(engine, bodyMesh(mesh), work)))
