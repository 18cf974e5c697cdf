/** Rows 1 to 4 and 9 to 11: errors, forces, sag, drives, clamping, volume. */

import {
  blockVolume,
  cantileverSag,
  drivenArm,
  exactChainForces,
  gridCloth,
  hangingChain,
  invert,
  loadedHinge,
  SOFT_BEAM,
  STIFF_BEAM,
  sunkenBar,
  tetraBlock,
  threeNodes,
} from '../../scenes/paper.js'
import { figure, figures, type ReportRow } from '../report.js'

/** Share of the start error, the larger of the two segments', that `iterations` sweeps leave of figure 6. */
function threeNodesLeft(rows: 'pairwise' | 'total', iterations: number, span: number): number {
  const { world, middle, length, error } = threeNodes(rows, iterations, span, 'thrown')
  const measure = (): number => {
    const half = 0.5 * span * length
    const [x, y] = middle.position
    return Math.max(...[half, -half].map((end) => Math.abs(Math.hypot(x - end, y) - length / 2)))
  }
  world.step(1 / 60)
  return measure() / error
}

/** Sweeps that pairwise rows need until a hundredth of the start error is left. */
function pairwiseIterations(span: number): number {
  for (let n = 1; n < 1000; n++) if (threeNodesLeft('pairwise', n, span) <= 1e-2) return n
  return Infinity
}

const figure6: ReportRow = {
  id: '1',
  claim: 'Figure 6: one total-length row against pairwise rows on three nodes',
  asked: 'left of the start error after 1 iteration <= 1e-2, after 2 <= 1e-4; pairwise > 10 iterations for 1e-2',
  scene: 'rope predicted 10 % too long, ends fixed 0.2 of its length apart; error of the worse segment',
  measure() {
    const span = 0.2
    const [one, two, pairs] = [
      threeNodesLeft('total', 1, span),
      threeNodesLeft('total', 2, span),
      pairwiseIterations(span),
    ]
    return {
      figures: `${figure(one)} and ${figure(two)}; pairwise ${pairs} iterations`,
      holds: one <= 1e-2 && two <= 1e-4 && pairs > 10,
    }
  },
}

/** Sum of |length − rest| over all links of figure 7's cloth, mean of the last second of four [m]. */
function clothError(total: boolean): number {
  const { world, links } = gridCloth(20, total)
  let sum = 0
  for (let step = 0; step < 240; step++) {
    world.step(1 / 60)
    if (step >= 180) for (const link of links) sum += link.error / 60
  }
  return sum
}

const figure7: ReportRow = {
  id: '2',
  claim: 'Figure 7: summed length error of a cloth with total-length rows over that without',
  asked: '<= 0.55',
  scene: '400 nodes hanging from two corners, 8 iterations, 1 substep, g = 100 m/s², 4 s, mean of the last second',
  measure() {
    const [without, withRows] = [clothError(false), clothError(true)]
    const ratio = withRows / without
    return {
      figures: `${figure(ratio)} (${figure(withRows)} m over ${figure(without)} m)`,
      holds: ratio <= 0.55,
    }
  },
}

const chainForce: ReportRow = {
  id: '3',
  claim: "Macklin's chain: mean error of the top link's force against the exact solution of every step",
  asked: '<= 6, 2, 0.5 % after 50, 100, 1000 iterations',
  scene: '20 particles of 1 kg, compliance 1e-8 m/N, 100 steps at 60 Hz, 1 substep',
  measure() {
    const steps = 100
    const exact = exactChainForces(20, 1e-8, 1 / 60, steps)
    const errors = [50, 100, 1000].map((iterations) => {
      const { world, top } = hangingChain(20, 1e-8, iterations)
      let sum = 0
      for (const force of exact) {
        world.step(1 / 60)
        sum += Math.abs(top.force - force) / force
      }
      return (100 * sum) / steps
    })
    return { figures: `${figures(errors)} %`, holds: errors[0] <= 6 && errors[1] <= 2 && errors[2] <= 0.5 }
  },
}

function spread(values: readonly number[]): number {
  return Math.max(...values) / Math.min(...values) - 1
}

const sag: ReportRow = {
  id: '4',
  claim: 'Sag of a compliant cantilever does not depend on substeps or iterations',
  asked: 'equal within 2 % over 5, 10, 20, 40 substeps, and over 5, 10, 20, 40 iterations at 10 substeps',
  scene:
    'fixed joints: 5 boxes of 0.5 m and 1 kg, 0.01 rad/(N m); at rest after 20 s at 60 Hz, 1 iteration unless said',
  measure() {
    const counts = [5, 10, 20, 40]
    const bySubsteps = counts.map((count) => cantileverSag(SOFT_BEAM, count, 1))
    const byIterations = counts.map((count) => cantileverSag(SOFT_BEAM, 10, count))
    const stiff = counts.map((count) => cantileverSag(STIFF_BEAM, count, 1))
    const [s, i] = [spread(bySubsteps), spread(byIterations)]
    return {
      figures:
        `${figures(bySubsteps, 5)} m, spread ${figure(100 * s)} %; ${figures(byIterations, 5)} m, spread ${figure(100 * i)} % ` +
        `(not asked: joints as stiff as one sweep a substep resolves, 8 boxes of 0.1 m and 0.1 kg, ${figures(stiff)} m)`,
      holds: s <= 0.02 && i <= 0.02 && bySubsteps[0] > 0.1,
    }
  },
}

const drive: ReportRow = {
  id: '9.1',
  claim: 'Drive: steady sag equals the torque balance, and torque never exceeds maxTorque',
  asked: 'sag within 1 %; torque <= maxTorque',
  scene: 'level arm of 2 kg and 0.5 m, stiffness 200 N m/rad, 20 substeps; then maxTorque 3 N m, too little to hold it',
  measure() {
    const strong = drivenArm(200, 20, Infinity)
    for (let step = 0; step < 600; step++) strong.world.step(1 / 60)
    const angle = Math.atan2(-strong.arm.position[1], strong.arm.position[0])
    // k φ = m g l/2 cos φ
    const balance = (strong.moment * Math.cos(angle)) / 200
    const weak = drivenArm(200, 20, 3)
    let greatest = 0
    for (let step = 0; step < 600; step++) {
      weak.world.step(1 / 60)
      greatest = Math.max(greatest, weak.drive.torque)
    }
    const error = Math.abs(angle / balance - 1)
    return {
      figures: `sag ${figure(angle, 5)} rad against ${figure(balance, 5)} rad; torque up to ${figure(greatest, 6)} N m of 3 N m`,
      holds: error <= 0.01 && greatest <= 3 * (1 + 1e-12) && greatest > 2.9,
    }
  },
}

const hingeLoad: ReportRow = {
  id: '9.2',
  claim: 'Hinge holds a load 100 times its leaf: how far the axes tilt',
  asked: '<= 1e-3 rad at 20 substeps',
  scene:
    'leaf of 1 kg, 100 kg fixed to its free end 1 m out, upright axis, 5 s at 60 Hz, largest of all steps, 1 sweep a substep',
  measure() {
    const { world } = loadedHinge(100, 20, 1)
    let [tilt, gap, behind] = [0, 0, 0]
    for (let step = 0; step < 300; step++) {
      world.step(1 / 60)
      const { hinge, fixed } = world.residual()
      tilt = Math.max(tilt, hinge.angular?.max ?? Infinity)
      gap = Math.max(gap, hinge.linear?.max ?? Infinity)
      behind = Math.max(behind, fixed.linear?.max ?? Infinity)
    }
    return {
      figures: `${figure(tilt)} rad (its gap ${figure(gap)} m; gap of the fixed joint that carries the load ${figure(behind)} m)`,
      holds: tilt <= 1e-3,
    }
  },
}

/** The bar's rise above the plane, Σλ, and take-off speed, with λ accumulated and clamped, or only increments clamped. */
function supportBar(count: number): { above: number; lambda: number; speed: number } {
  const depth = 0.01
  const { world, bar, contacts } = sunkenBar(count, depth, 400)
  world.step(1 / 60)
  const above = Math.max(...[-1, 1].map((x) => bar.toWorld([x, 0, 0])[1]))
  const lambda = contacts.reduce((sum, { multipliers }) => sum + multipliers[0], 0)
  return { above, lambda, speed: bar.velocity[1] + 60 * depth }
}

/** The same bar in one dimension and one angle, with each increment clamped instead: what (90) and (95) print. */
function supportByIncrements(count: number, depth: number): { above: number; lambda: number; speed: number } {
  const [mass, inertia] = [1, (4 + 0.01) / 12]
  let [y, angle, sum] = [-depth, 0, 0]
  const anchors = Array.from({ length: count }, (_, k) => -1 + (2 * k) / (count - 1))
  for (let sweep = 0; sweep < 400; sweep++) {
    for (const x of anchors) {
      const delta = Math.max(-(y + x * angle) / (1 / mass + (x * x) / inertia), 0)
      y += delta / mass
      angle += (x * delta) / inertia
      sum += delta
    }
  }
  return { above: Math.max(y + angle, y - angle), lambda: sum, speed: (y + depth) * 60 }
}

const clamping: ReportRow = {
  id: '10',
  claim: 'Accumulated clamping: a rigid bar predicted 1 cm deep on 4 and 8 coplanar contacts comes to exact support',
  asked: 'no point above the plane by more than 1e-9 m; Σλ = m depth; what it is sped up by is depth/h and not more',
  scene: '1 kg, 2 m, no push-out handling, one substep of 1/60 s, 400 sweeps; increments clamped beside it',
  measure() {
    const depth = 0.01
    const texts: string[] = []
    let holds = true
    for (const count of [4, 8]) {
      const { above, lambda, speed } = supportBar(count)
      const printed = supportByIncrements(count, depth)
      holds &&= above <= 1e-9 && Math.abs(lambda / depth - 1) <= 1e-9 && speed <= depth * 60 * (1 + 1e-9)
      texts.push(
        `${count}: ${figure(above, 2)} m above, Σλ ${figure(lambda, 6)} kg m, ${figure(speed, 4)} m/s ` +
          `(increments: ${figure(printed.above)} m, ${figure(printed.lambda)} kg m, ${figure(printed.speed)} m/s)`,
      )
    }
    return { figures: texts.join('; '), holds }
  },
}

const inversion: ReportRow = {
  id: '11',
  claim: 'Tetra soft body turned inside out through its own plane recovers its volume',
  asked: '>= 1000 tetrahedra; total volume within 1 %, and every tetrahedron the right way out',
  scene: '6³ cubes of 5 tetrahedra, mirrored through its base plane, 20 substeps, 10 s at 60 Hz, no gravity',
  measure() {
    const { world, nodes, tetrahedra, restVolume } = tetraBlock(6, 1e-3, { gravity: [0, 0, 0], substeps: 20 })
    invert(nodes)
    const inverted = blockVolume(nodes, tetrahedra) / restVolume
    for (let step = 0; step < 600; step++) world.step(1 / 60)
    const ratio = blockVolume(nodes, tetrahedra) / restVolume
    const wrong = tetrahedra.filter((t) => blockVolume(nodes, [t]) <= 0).length
    return {
      figures: `${tetrahedra.length} tetrahedra; volume ${figure(inverted)} of rest, then ${figure(ratio, 6)}; ${wrong} inside out`,
      holds: tetrahedra.length >= 1000 && Math.abs(ratio - 1) <= 0.01 && wrong === 0,
    }
  },
}

export const statics: readonly ReportRow[] = [figure6, figure7, chainForce, sag, drive, hingeLoad, clamping, inversion]
