/** Row 9: the character mover on its course, beside Rapier's character controller. */

import { bench, NOT_INSTALLED } from '../joint-trees/process.js'
import { figure, type ReportRow } from '../report.js'

interface CourseResult {
  engine: string
  sections: { name: string; passed: boolean; figures: string }[]
  /** Of a move, in the mean [µs]. */
  microseconds: number
}

const SCRIPT = '../mover/course'

async function course(engine: string): Promise<CourseResult | typeof NOT_INSTALLED> {
  return bench<CourseResult>(SCRIPT, ['--engine', engine])
}

function read({ sections, microseconds }: CourseResult): string {
  const list = sections.map(({ name, passed, figures }) => `${name} ${passed ? 'passed' : 'FAILED'} (${figures})`)
  return `${list.join('; ')}; ${figure(microseconds)} µs a move`
}

const mover: ReportRow = {
  id: '9',
  claim: 'Mover: the course, without getting stuck',
  asked: 'stairs, slopes, lips, lift, turntable, crates; no tunnelling at 20 m/s',
  scene:
    'capsule of 1.8 m, steps of 0.3 m, slopes to 50°, 60 Hz and 0.5 to 8 m/s; a gap 4 cm wider than needed besides; 20 m/s at walls of 1 cm at 30, 60 and 144 Hz; @dimforge/rapier3d-compat 0.21 with its KinematicCharacterController at the same sizes, which carries nobody with a turntable',
  async measure() {
    const own = await course('tautline')
    const other = await course('rapier')
    if (own === NOT_INSTALLED) throw new Error('mover: the course is not installed')
    const beside =
      other === NOT_INSTALLED
        ? 'Rapier is not installed'
        : `Rapier: ${other.sections.filter(({ passed }) => passed).length} of ${other.sections.length} sections: ${read(other)}`
    return { figures: `${read(own)}. ${beside}`, holds: own.sections.every(({ passed }) => passed) }
  },
}

interface RandomResult {
  count: number
  stuck: number
  by: Record<string, { runs: number; stuck: number }>
  through: number
  climbed: number
}

const COUNT = 1000

async function random(engine: string): Promise<RandomResult | typeof NOT_INSTALLED> {
  return bench<RandomResult>('../mover/random', ['--engine', engine, '--count', String(COUNT), '--seed', '7'])
}

function readRandom({ count, stuck, by, through, climbed }: RandomResult): string {
  const kinds = Object.entries(by).map(([kind, { runs, stuck: of }]) => `${kind} ${of} of ${runs}`)
  return `${stuck} of ${count} stuck (${kinds.sort().join(', ')}), ${through} of ${count} through a wall, ${climbed} of ${count} onto a step that is too high`
}

const anywhere: ReportRow = {
  id: '9.1',
  claim: 'Mover: random courses, without getting stuck',
  asked: '0 stuck, 0 through a wall, 0 onto what is too high',
  scene: `${COUNT} random courses of stairs (0.05 to 0.29 m), slopes to 47°, curbs and landings, by capsules of 0.08 to 0.7 m radius and boxes, 0.3 to 12 m/s, straight and askew, 30 to 144 Hz; ${COUNT} runs of 20 m/s at walls of 1 to 50 mm that lean; @dimforge/rapier3d-compat 0.21 on the same`,
  async measure() {
    const own = await random('tautline')
    const other = await random('rapier')
    if (own === NOT_INSTALLED) throw new Error('mover: the courses are not installed')
    const beside = other === NOT_INSTALLED ? 'Rapier is not installed' : `Rapier: ${readRandom(other)}`
    return { figures: `${readRandom(own)}. ${beside}`, holds: own.stuck + own.through + own.climbed === 0 }
  },
}

export const moverRows: readonly ReportRow[] = [mover, anywhere]
