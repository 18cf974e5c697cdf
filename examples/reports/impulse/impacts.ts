/** Rows 2.11 and 2.12: collisions at one instant (rigid body notes, 2.2). */

import { complementarityResidual, ImpulseSolver } from '@tautline/impulse-compat'
import { cradle, cradleSpeeds, type ImpactScene, normalSpeeds, sevenBodies } from '../../scenes/impulse/index.js'
import { figure, figures, type ReportRow } from '../report.js'

/** Asked of speeds [m/s], impulses [N s], energy and momentum. */
const EXACT = 1e-9
const CONVERGED = { iterations: 20_000, tolerance: 1e-15, stabilization: 'none' } as const
const RESTITUTION = 0.5

/** Entries of A that two contacts with a body in common have. */
function structure({ pairs }: ImpactScene): number {
  let count = 0
  for (const first of pairs) for (const other of pairs) if (first.some((i) => i >= 0 && other.includes(i))) count++
  return count
}

const seven: ReportRow = {
  id: '2.11',
  claim: 'Notes 2.2: seven bodies and two walls, twelve contacts at once',
  asked:
    'A is zero but where contacts share a body; n·v⁺ = −c_r n·v⁻ where the impulse is positive and never below; λ >= 0, complementary to 1e-9',
  scene: `c_r = ${RESTITUTION}, sequential impulses until changes are below 1e-15 m/s`,
  measure() {
    const scene = sevenBodies(RESTITUTION)
    const before = normalSpeeds(scene)
    const solver = new ImpulseSolver(scene.world, CONVERGED)
    solver.step(1 / 60)
    const after = normalSpeeds(scene)
    const { A, size, b, lower, upper } = solver.problem()
    const filled = A.reduce((sum, entry) => (entry === 0 ? sum : sum + 1), 0)
    const impulses = solver.system.impulse.subarray(0, size)
    let [law, below, pushing] = [0, 0, 0]
    impulses.forEach((impulse, k) => {
      const excess = after[k] + RESTITUTION * before[k]
      below = Math.max(below, -excess)
      if (impulse <= EXACT) return
      pushing++
      law = Math.max(law, Math.abs(excess))
    })
    const residual = complementarityResidual({ A, size, b, lower, upper }, impulses)
    return {
      figures: `${filled} of ${size * size} entries (${structure(scene)} share a body); ${pushing} of ${size} push, n·v⁺ + c_r n·v⁻ within ${figure(law, 2)} m/s there and never below ${figure(-below, 2)}; residual ${figure(residual, 2)} N s`,
      holds: filled === structure(scene) && law <= EXACT && below <= EXACT && residual <= EXACT,
    }
  },
}

interface Blow {
  count: number
  struck: number
  restitution: 'simultaneous' | 'sequential'
  expected: readonly number[]
}

const BLOWS: readonly Blow[] = [
  { count: 3, struck: 1, restitution: 'simultaneous', expected: [-1 / 3, 2 / 3, 2 / 3] },
  { count: 3, struck: 1, restitution: 'sequential', expected: cradleSpeeds(3, 1) },
  { count: 5, struck: 2, restitution: 'sequential', expected: cradleSpeeds(5, 2) },
]

/** The cradle after the blow, and how far off speeds [m/s], energy and momentum (shares) are. */
function strike({ count, struck, restitution, expected }: Blow): { speeds: number[]; off: number; kept: number } {
  const { world, bodies } = cradle(count, struck)
  const start = { energy: world.energy().kinetic, momentum: world.momentum().linear[0] }
  new ImpulseSolver(world, { ...CONVERGED, restitution }).step(1 / 60)
  const speeds = bodies.map(({ velocity }) => velocity[0])
  const energy = world.energy().kinetic / start.energy - 1
  const momentum = world.momentum().linear[0] / start.momentum - 1
  return {
    speeds,
    off: Math.max(...speeds.map((speed, k) => Math.abs(speed - expected[k]))),
    kept: Math.max(Math.abs(energy), Math.abs(momentum)),
  }
}

const newton: ReportRow = {
  id: '2.12',
  claim: "Newton's cradle, balls that touch, e = 1",
  asked:
    'simultaneous, 1 into 2: −1/3, 2/3, 2/3; one at a time: 0, 0, 1, and 2 into 3: 0, 0, 0, 1, 1; speeds, energy and momentum to 1e-9',
  scene: 'balls of 1 kg, 1 m/s',
  measure() {
    const found = BLOWS.map((blow) => ({ ...blow, ...strike(blow) }))
    const told = found.map(
      ({ count, struck, restitution, speeds, off, kept }) =>
        `${restitution}, ${struck} into ${count - struck}: ${figures(
          speeds.map((speed) => speed + 0),
          4,
        )} (off ${figure(off, 2)}, energy and momentum ${figure(kept, 2)})`,
    )
    return { figures: told.join('; '), holds: found.every(({ off, kept }) => off <= EXACT && kept <= EXACT) }
  },
}

export const impacts: readonly ReportRow[] = [seven, newton]
