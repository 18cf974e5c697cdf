/** Rows 1.4 and 4: small fast bodies, random impacts, thin walls. */

import { box, capsule, type Shape } from '@tautline/collision'
import {
  aimedShot,
  fire,
  type Missile,
  MISSILES,
  randomShot,
  type Shot,
  type ShotResult,
  type Target,
} from '../../scenes/impacts.js'
import { figure, type ReportRow } from '../report.js'

/** Energy that counts as gained, as a share of that at the start. */
const GAIN = 1e-3
const SHOTS = 60

interface Aimed {
  what: string
  missile: Shape
  kind: Missile
  speed: number
  substeps: number
  target: Target
  thickness: number
}

const CUBE = box([0.01, 0.01, 0.01])
const BRICK = box([0.01, 0.012, 0.008])
const CRATE = box([0.25, 0.25, 0.25])
const PILL = capsule(0.01, 0.02)
const [PLANE, MESH] = ['plane', 'mesh'] as const

const SMALL: readonly Aimed[] = [
  { what: 'cube', missile: CUBE, speed: 50, substeps: 8 },
  { what: 'brick', missile: BRICK, speed: 50, substeps: 8 },
  { what: 'cube', missile: CUBE, speed: 200, substeps: 8 },
  { what: 'brick', missile: BRICK, speed: 200, substeps: 8 },
  { what: 'cube', missile: CUBE, speed: 10, substeps: 1 },
  { what: 'brick', missile: BRICK, speed: 10, substeps: 1 },
].map((shot) => ({ ...shot, kind: 'box', target: PLANE, thickness: Infinity }))

const AT_MESH: readonly Aimed[] = [
  { what: 'capsule', missile: PILL, kind: 'capsule', speed: 200, substeps: 8, target: MESH, thickness: 0.01 },
  { what: 'brick', missile: BRICK, kind: 'box', speed: 200, substeps: 8, target: MESH, thickness: 0.01 },
]

const AT_WALL: readonly Aimed[] = [
  { what: 'crate', missile: CRATE, kind: 'box', speed: 60, substeps: 1, target: 'box', thickness: 0.002 },
]

const shotOf = (seed: number, aimed: Aimed): Shot => aimedShot(seed, { ...aimed, seconds: 1 })

/** Results of shots, added up. */
class Tally {
  shots = 0
  gains = 0
  passes = 0
  worst = 0
  impacts = 0
  scaled = 0

  add({ gain, passed, impacts, scaled }: ShotResult): void {
    this.shots++
    if (!(gain <= GAIN)) this.gains++
    if (passed) this.passes++
    if (!(gain <= this.worst)) this.worst = gain
    this.impacts += impacts
    this.scaled += scaled
  }

  get holds(): boolean {
    return this.gains === 0 && this.passes === 0
  }

  toString(): string {
    return `${this.gains} gain, worst ${figure(this.worst, 2)}, ${this.passes} through of ${this.shots}`
  }
}

function aimedRow(id: string, claim: string, before: string, shots: readonly Aimed[]): ReportRow {
  return {
    id,
    claim,
    asked: `no gain beyond ${GAIN} of the energy at the start, none through`,
    scene: `${SHOTS} shots each, seeds 1 to ${SHOTS}, any rotation, up to 27° aside, e = 0, ν = 0.5, 1 s at 60 Hz; before: ${before}`,
    measure() {
      const found = shots.map((aimed) => {
        const tally = new Tally()
        for (let seed = 1; seed <= SHOTS; seed++) tally.add(fire(shotOf(seed, aimed)))
        return { text: `${aimed.what} at ${aimed.speed} m/s, ${aimed.substeps} substeps: ${tally}`, tally }
      })
      return {
        figures: found.map(({ text }) => text).join('; '),
        holds: found.every(({ tally }) => tally.holds),
      }
    },
  }
}

/** Boxes that bounce without loss and rub. */
const bouncing: ReportRow = {
  id: '1.4.4',
  claim: 'Boxes with e = 1 and friction do not gain',
  asked: `no gain beyond ${GAIN} of the energy at the start, in the bounces of 3 s`,
  scene: `${SHOTS} boxes of 0.2 × 0.3 × 0.4 m at 5 m/s on a plane, seeds 1 to ${SHOTS}, ν = 0.1, 0.5 and 1, default substeps, 60 Hz; before: up to 6 %`,
  measure() {
    const tally = new Tally()
    const missile = box([0.1, 0.15, 0.2])
    for (const friction of [0.1, 0.5, 1]) {
      for (let seed = 1; seed <= SHOTS; seed++) {
        const aimed = {
          missile,
          kind: 'box',
          target: PLANE,
          thickness: Infinity,
          substeps: 8,
          speed: 5,
          seconds: 3,
        } as const
        tally.add(fire(aimedShot(seed, aimed, { restitution: 1, friction })))
      }
    }
    return { figures: `${tally}; ${tally.impacts} impacts, scaled back in ${tally.scaled}`, holds: tally.holds }
  },
}

function randomRow(id: string, shots: number, slow: boolean): ReportRow {
  return {
    id,
    claim: 'Random impacts gain nothing, and stop',
    asked: `no gain beyond ${GAIN} of the energy at the start, none through, in ${shots} shots`,
    scene: `seeds 1 to ${shots}: ${MISSILES.join(', ')} of 5 mm to 5 m, 1 to 300 m/s, spins to 50 rad/s an axis, at planes, boxes and closed meshes of 5 mm to 1 m and at each other (densities 10 to 10⁵ kg/m³), e 0 to 1, ν 0 to 1, 1 to 8 substeps, 30, 60 and 144 Hz; energy with velocities of the instant (v + h g/2); before: 121 gain and 30 through of the first 500`,
    slow,
    measure() {
      const all = new Tally()
      const kinds = new Map(MISSILES.map((kind) => [kind, new Tally()]))
      for (let seed = 1; seed <= shots; seed++) {
        const shot = randomShot(seed)
        const result = fire(shot)
        all.add(result)
        kinds.get(shot.kind)?.add(result)
      }
      const byKind = [...kinds].map(
        ([kind, { shots: count, passes, worst }]) => `${kind} ${passes} of ${count}, ${figure(worst, 2)}`,
      )
      return {
        figures: `${all}; through and worst gain by kind: ${byKind.join('; ')}; ${all.impacts} impacts, scaled back in ${all.scaled}`,
        holds: all.holds,
      }
    },
  }
}

export const impacts: readonly ReportRow[] = [
  aimedRow(
    '1.4.1',
    'Boxes of 2 cm on a plane',
    '3 of 60 gain at 50 m/s (42×), 9 at 200 m/s (315×), 45 at 10 m/s and one substep',
    SMALL,
  ),
  aimedRow('1.4.2', 'At 200 m/s against a closed mesh of 1 cm', 'capsules pass in 17 of 60, boxes in 9', AT_MESH),
  aimedRow('1.4.3', 'A crate of 0.5 m against a wall of 2 mm', '28 of 60 pass', AT_WALL),
  bouncing,
  randomRow('4.1', 500, false),
  randomRow('4.2', 10_000, true),
]
