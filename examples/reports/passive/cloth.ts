/** Rows 1.6, 1.9 and 3: cloths, nets and ropes of particles. */

import { type Body, type Constraint, World, type WorldOptions } from '@tautline/core'
import { ballSocket, distance, lineDistance } from '@tautline/constraints'
import { type NetSolver, randomNet, runNet } from '../../scenes/nets.js'
import { figure, type Measured, type ReportRow } from '../report.js'

const DT = 1 / 60
/** Largest gain that counts as none, share of m g L + kinetic energy at the start. */
const NO_GAIN = 0.01
/** [m] */
const NO_GAP = 1e-6

const PLAIN = { columns: 17, rows: 53, mass: 0.2, cell: 0.05, seconds: 5 }

/** A cloth with both diagonals, everything rigid, held by two corners of its narrow side, flat or upright at the start. */
function plainCloth(isFlat: boolean, options: WorldOptions): World {
  const { columns, rows, mass, cell } = PLAIN
  const world = new World(options)
  const bodies: Body[] = []
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const isCorner = j === 0 && (i === 0 || i === columns - 1)
      const position: [number, number, number] = isFlat ? [i * cell, 0, j * cell] : [i * cell, -j * cell, 0]
      bodies.push(world.addParticle({ position, mass: isCorner ? Infinity : mass / (columns * rows) }))
    }
  }
  const join = (a: number, b: number): unknown => world.add(distance, { a: bodies[a], b: bodies[b] })
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const k = j * columns + i
      if (i + 1 < columns) join(k, k + 1)
      if (j + 1 < rows) join(k, k + columns)
      if (i + 1 === columns || j + 1 === rows) continue
      join(k, k + columns + 1)
      join(k + 1, k + columns)
    }
  }
  return world
}

function measurePlain(): Measured {
  const texts: string[] = []
  let holds = true
  for (const isFlat of [true, false]) {
    for (const options of [{}, { substeps: 4 }]) {
      const world = plainCloth(isFlat, options)
      const start = world.energy().total
      let gain = 0
      let rms = 0
      const steps = PLAIN.seconds / DT
      for (let step = 1; step <= steps; step++) {
        world.step(DT)
        gain = Math.max(gain, world.energy().total - start)
        if (step > steps - 60) rms += (world.residual().distance.linear?.rms ?? NaN) / 60
      }
      holds &&= gain <= 0
      texts.push(
        `${isFlat ? 'flat' : 'upright'}, ${world.settings.substeps} substeps: ${figure(gain)} J, rms ${figure(1000 * rms)} mm`,
      )
    }
  }
  return { figures: texts.join('; '), holds }
}

const ROPE = { count: 20, link: 0.1, mass: 0.02, crate: 40, side: 0.5, seconds: 5 }

/** A rope of particles let go from the horizontal, hung up and loaded by ball sockets. */
function loadedRope(solver: 'lines' | 'auto', substeps: number): { world: World; held: Constraint[] } {
  const { count, link, mass, crate, side } = ROPE
  const world = new World({ substeps })
  const hook = world.addBody({ type: 'static' })
  const nodes = Array.from({ length: count }, (_, k) => world.addParticle({ position: [(k + 1) * link, 0, 0], mass }))
  const inertia = (crate * side * side) / 6
  const weight = world.addBody({ position: [count * link + side / 2, 0, 0], mass: crate, inertia })
  const held: Constraint[] = [world.add(ballSocket, { a: hook, b: nodes[0], point: [link, 0, 0] })]
  for (let k = 1; k < count; k++) {
    const ends = { a: nodes[k - 1], b: nodes[k] }
    held.push(solver === 'lines' ? world.add(lineDistance, ends) : world.add(distance, ends))
  }
  held.push(world.add(ballSocket, { a: nodes[count - 1], b: weight, point: [count * link, 0, 0] }))
  return { world, held }
}

function measureRope(): Measured {
  const texts: string[] = []
  let holds = true
  for (const solver of ['lines', 'auto'] as const) {
    for (const substeps of [8, 1]) {
      const { world, held } = loadedRope(solver, substeps)
      const start = world.energy().total
      let gap = 0
      let gain = 0
      for (let step = 0; step < ROPE.seconds / DT; step++) {
        world.step(DT)
        for (const joint of held) gap = Math.max(gap, Math.abs(joint.error))
        gain = Math.max(gain, world.energy().total - start)
      }
      holds &&= gap <= NO_GAP && gain <= 0
      texts.push(`${solver}, ${substeps}: ${figure(gap)} m, gain ${figure(gain)} J`)
    }
  }
  return { figures: texts.join('; '), holds }
}

const NET_SECONDS = 5

/** Nets of the seeds in turn; the worst, and what it was. */
function measureNets(seeds: number, solvers: readonly NetSolver[]): Measured {
  const texts: string[] = []
  let holds = true
  for (const solver of solvers) {
    let sum = 0
    let beyond = 0
    let worst = { gain: -1, label: '' }
    for (let seed = 0; seed < seeds; seed++) {
      const net = randomNet(seed, solver)
      const { gain } = runNet(net, NET_SECONDS)
      sum += gain
      if (!(gain <= NO_GAIN)) beyond++
      if (!(gain <= worst.gain)) worst = { gain, label: net.label }
    }
    holds &&= beyond === 0
    texts.push(
      `${solver}: ${beyond} of ${seeds} gain, mean ${figure(sum / seeds)}, worst ${figure(worst.gain)} (${worst.label})`,
    )
  }
  return { figures: texts.join('; '), holds }
}

const NETS =
  'grids, triangle meshes, graphs, lattices with volumes and ropes of 2 to 250 particles, rigid, soft and mixed, with and without bending, ' +
  'masses equal to 1000:1, pinned anywhere or free, let go, thrown, spun and shaken, 1 to 16 substeps at 30, 60 and 144 Hz, no damping, ' +
  `else at defaults, ${NET_SECONDS} s; elastic energy is ½ compliance f², f the force of a row`

function netsRow(id: string, seeds: number, solvers: readonly NetSolver[], isSlow: boolean): ReportRow {
  return {
    id,
    claim: `Random cloths and particle nets by ${solvers.join(' and ')}: no energy from nothing (before: up to 2·10¹ and 1.7·10² times, 2 % of the nets)`,
    asked: `energy never above the start by more than ${100 * NO_GAIN} % of m g L + kinetic energy at the start`,
    scene: `seeds 0 to ${seeds - 1}: ${NETS}`,
    slow: isSlow,
    measure: () => measureNets(seeds, solvers),
  }
}

export const cloth: readonly ReportRow[] = [
  {
    id: '1.6',
    claim:
      'Plain cloth at defaults gains nothing (before: 0.4 J at 8 substeps, 22 J to 3·10⁴ J at 4, not finite upright)',
    asked: 'gain 0 J',
    scene: `${PLAIN.columns}×${PLAIN.rows} particles every ${PLAIN.cell} m, ${PLAIN.mass} kg, structural and both shear rows rigid, held by two corners of the narrow side, ${PLAIN.seconds} s at 60 Hz from flat and from upright, default 8 and 4 substeps; rms error of the last second beside it (one-directional sweep: 1.1 mm at 8)`,
    measure: measurePlain,
  },
  {
    id: '1.9',
    claim: 'A rope of particles by lines with a body at its end holds together (before: sag 0.30 m, sockets 0.15 m)',
    asked: `gaps of links and sockets ≤ ${NO_GAP} m, gain 0 J`,
    scene: `${ROPE.count} particles of ${ROPE.mass} kg every ${ROPE.link} m, hung up by a ball socket, a crate of ${ROPE.crate} kg on a ball socket at its end, let go from the horizontal, worst of all steps of ${ROPE.seconds} s at 60 Hz, 8 substeps and 1`,
    measure: measureRope,
  },
  netsRow('3.1', 30, ['auto', 'lines'], false),
  netsRow('3.2', 500, ['auto'], true),
  netsRow('3.3', 500, ['lines'], true),
]
