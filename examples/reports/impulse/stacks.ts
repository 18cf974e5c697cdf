/** Rows 2.1 to 2.3: Tamis and Maggiore's stack, cubes that intersect, funnel. */

import { ImpulseSolver, type ImpulseOptions } from '@tautline/impulse-compat'
import { type OverlapScene, topSpeed } from '../../scenes/contacts/index.js'
import { funnel, funnelOverlap, hasFallen, intersectingStack, parting, tamisStack } from '../../scenes/impulse/index.js'
import { figure, type ReportRow } from '../report.js'

const FRAME = 1 / 60
/** Until the cubes lie on each other [s]: before, they fall. */
const LANDED = 2
/** Asked of the stack with warm start [s]. */
const STANDS = 300
/** As long as a stack is waited for [s]. */
const PATIENCE = 3600
/** Tamis's settings, 10.1. */
const TAMIS = { iterations: 25, beta: 0.2, slop: 0, warmStart: 0, contacts: 'point' } as const
const AS_TAMIS = { ...TAMIS, stabilization: 'baumgarte', friction: 'pyramid' } as const
const BOUNDS = ['weight', 'normal'] as const

/** How far a cube is off the one below it, sideways [m]; the farthest. */
function offset({ bodies }: OverlapScene): number {
  const off = bodies.slice(1).map(({ position: [x, , z] }, k) => {
    const [px, , pz] = bodies[k].position
    return Math.hypot(x - px, z - pz)
  })
  return Math.max(...off)
}

/** When the stack falls [s], `seconds` at most, and how far it is out of line then. */
function standing(bound: (typeof BOUNDS)[number], warmStart: number, seconds: number): { time: number; off: number } {
  const scene = tamisStack()
  const solver = new ImpulseSolver(scene.world, { ...AS_TAMIS, bound, warmStart })
  for (let step = 1; step <= seconds / FRAME; step++) {
    solver.step(FRAME)
    if (step * FRAME > LANDED && hasFallen(scene)) return { time: step * FRAME, off: offset(scene) }
  }
  return { time: Infinity, off: offset(scene) }
}

function stackRow(id: string, claim: string, asked: string, seconds: number, slow: boolean): ReportRow {
  return {
    id,
    claim,
    asked,
    scene: `5 cubes of 2.4 m and 1.2 kg, 25 iterations, k = 0.2, 60 Hz, plain push, pyramid of friction 0.5 (the source names none) at the middle of a patch (the source: at each point), no slop, up to ${seconds} s`,
    slow,
    measure() {
      const told: string[] = []
      let holds = true
      for (const bound of BOUNDS) {
        const [cold, warm] = [0, 1].map((warmStart) => standing(bound, warmStart, seconds))
        const tell = ({ time, off }: typeof cold): string =>
          time < Infinity ? `falls after ${figure(time, 4)} s` : `stands, out of line by ${figure(1e3 * off)} mm`
        told.push(`friction bounded by ${bound}: cold ${tell(cold)}; warm ${tell(warm)}`)
        holds &&= cold.time < Infinity && warm.time === Infinity
      }
      return { figures: told.join('; '), holds }
    },
  }
}

const stands = stackRow(
  '2.1.1',
  'Tamis 10.1: the stack without cache, and with it',
  `cold falls (paper: 85 s), warm stands ${STANDS} s`,
  STANDS,
  false,
)

const falls = stackRow(
  '2.1.2',
  'Tamis 10.1: how long the stack stands',
  'cold falls (paper: 85 s), warm does not while cold is watched',
  PATIENCE,
  true,
)

/** Asked of cubes that intersect [m/s], [m]: a plain push leaves more, the single-frame push at most what a frame's fall gives. */
const THROWN = 1
const ONE_FALL = 10 * FRAME
const CLOSED = 1e-3
const PARTING_TIME = 0.5

/** Steps the cubes by impulses, or by displacements, and says how they parted. */
function part(options: ImpulseOptions | undefined): ReturnType<typeof parting> {
  const scene = intersectingStack()
  // The row shows what each push does by itself: the guard would take from the plain one what it throws with.
  scene.world.configure({ energyGuard: false })
  const solver = options === undefined ? scene.world : new ImpulseSolver(scene.world, options)
  for (let step = 1; step <= PARTING_TIME / FRAME; step++) solver.step(FRAME)
  return parting(scene)
}

const intersecting: ReportRow = {
  id: '2.2',
  claim: `Tamis 10.2: cubes 0.4 m in each other and 1.2 m in the floor, after ${PARTING_TIME} s`,
  asked: `plain push above ${THROWN} m/s or a gap; single-frame push below the fall of a frame, ${figure(ONE_FALL)} m/s, and no gap (1 mm); the others printed`,
  scene:
    '25 iterations, k = 0.2, no slop, cold, 60 Hz; soft: with as many relaxing iterations, and as shipped in its school: 4 substeps of 1 + 1 iterations, warm, slop 5 mm, push of 4 m/s at most; displacements: 8 substeps of 1 sweep',
  measure() {
    const cases: readonly [string, ImpulseOptions | undefined][] = [
      ['none', { ...TAMIS, stabilization: 'none' }],
      ['plain', { ...TAMIS, stabilization: 'baumgarte' }],
      ['single-frame', { ...TAMIS, stabilization: 'singleFrame' }],
      ['split', { ...TAMIS, stabilization: 'split' }],
      ['soft', { ...TAMIS, stabilization: 'soft', relaxIterations: TAMIS.iterations }],
      ['soft as shipped', { stabilization: 'soft', substeps: 4, iterations: 1, maxPush: 4 }],
      ['displacements', undefined],
    ]
    const found = cases.map(([name, options]) => ({ name, ...part(options) }))
    const told = found.map(
      ({ name, speed, gap, overlap }) =>
        `${name} ${figure(speed, 2)} m/s, gap ${figure(Math.max(gap, 0), 2)} m, overlap ${figure(Math.max(overlap, 0), 2)} m`,
    )
    const [, plain, single] = found
    return {
      figures: told.join('; '),
      holds: (plain.speed > THROWN || plain.gap > CLOSED) && single.speed <= ONE_FALL && single.gap <= CLOSED,
    }
  },
}

/** What "reasonably stable" is taken for: [m/s], [m]. */
const AT_REST = 0.02
const SHALLOW = 0.01
const FUNNEL_TIME = 10

const funnelRow: ReportRow = {
  id: '2.3',
  claim: 'Tamis 10.3: 20 balls come to rest in a funnel of four planes without cache',
  asked: `reasonably stable: cold, after ${FUNNEL_TIME} s, slower than ${100 * AT_REST} cm/s and not deeper than ${100 * SHALLOW} cm`,
  scene: 'radius 0.5 m, walls of 45°, ν = 0.5; single-frame push, 25 iterations, k = 0.2, slop 5 mm, 60 Hz',
  measure() {
    const [cold, warm] = [0, 1].map((warmStart) => {
      const scene = funnel()
      const solver = new ImpulseSolver(scene.world, { stabilization: 'singleFrame', iterations: 25, warmStart })
      for (let step = 1; step <= FUNNEL_TIME / FRAME; step++) solver.step(FRAME)
      return { speed: topSpeed(scene.bodies), overlap: funnelOverlap(scene) }
    })
    const tell = ({ speed, overlap }: typeof cold): string =>
      `${figure(1e3 * speed, 2)} mm/s, overlap ${figure(1e3 * overlap, 2)} mm`
    return {
      figures: `cold ${tell(cold)}; warm ${tell(warm)}`,
      holds: cold.speed <= AT_REST && cold.overlap <= SHALLOW,
    }
  },
}

export const stacks: readonly ReportRow[] = [stands, falls, intersecting, funnelRow]
