/** Rows 2 and 3: what a change of the bits says, and how long tests and CI take. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type EngineScene, runScene } from '../../engines/entry.js'
import { differences, scenesOf, SHORT } from '../../engines/recorded.js'
import { figure, type Measured, type ReportRow, skipped } from '../report.js'

/** Asked of `npm test` on two quiet cores [s]. */
const MOST_WALL = 180
const MOST_CPU = 360
/** Lines that `npm test` may print when nothing fails: one every fifteen seconds, beginning and end. */
const MOST_LINES = 40
/** Asked of CI [s]. */
const MOST_CI = 1200

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const DIFFERENCE =
  /^\S+: differs first after step \d+; after step \d+ poses (differ by up to \S+ m \(body \d+\)|agree to 7 digits)/

interface Run {
  output: string
  status: number | null
  wall: number
  cpu: number
}

/** Runs a command, and takes the times of it and of all that it starts. */
function timed(command: string): Run {
  const script = `TIMEFORMAT='times %R %U %S'; time ${command}`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
    maxBuffer: 1e8,
  })
  const [, wall, user, system] = /^times (\S+) (\S+) (\S+)$/m.exec(stderr) ?? []
  const output = `${stdout}${stderr.replace(/^times .*\n/m, '')}`
  return { output, status, wall: Number(wall), cpu: Number(user) + Number(system) }
}

let tests: Run | undefined
/** `npm test`, run once for all rows. */
function testRun(): Run {
  return (tests ??= timed('npm test'))
}

function hashes(): Measured {
  const scenes = scenesOf(SHORT)
  const others = differences(
    scenes.map((scene) => runScene(scene, SHORT)),
    SHORT,
  )
  return {
    figures:
      others.length === 0 ? `${scenes.length} of ${scenes.length} scenes` : `${others.length} differ: ${others[0]}`,
    holds: others.length === 0,
  }
}

/** Moves the first body of a scene up by a millimetre. */
function moved(scene: EngineScene): EngineScene {
  const json = JSON.parse(scene.json) as { bodies: { type: string; position: number[] }[] }
  const body = json.bodies.find(({ type }) => type === 'dynamic')
  if (body !== undefined) body.position[1] += 1e-3
  return { ...scene, json: JSON.stringify(json) }
}

function messages(): Measured {
  const scenes = scenesOf(SHORT).map(moved)
  const found = differences(
    scenes.map((scene) => runScene(scene, SHORT)),
    SHORT,
  )
  const clear = found.filter((message) => DIFFERENCE.test(message))
  return {
    figures: `${found.length} of ${scenes.length} scenes differ, ${clear.length} messages say how: "${clear[0]}"`,
    holds: found.length > 0 && clear.length === found.length,
  }
}

function ciSeconds(): Measured {
  const log = process.env.TAUTLINE_CI_LOG
  const text = log === undefined ? timed('.ci/run').output : readFileSync(log, 'utf8')
  const [, seconds] = /^(\d+) s in all$/m.exec(text) ?? []
  if (seconds === undefined) return skipped('the log has no line "N s in all"')
  return { figures: `${seconds} s`, holds: Number(seconds) <= MOST_CI }
}

export const testRows: readonly ReportRow[] = [
  {
    id: '2.1',
    claim: 'One list of state hashes, and this engine has all of them',
    asked: 'all hashes as in the list',
    scene: `${scenesOf(SHORT).length} scenes of examples/engines, ${SHORT} steps; report \`engines\` runs other engines`,
    measure: () => Promise.resolve(hashes()),
  },
  {
    id: '2.2',
    claim: 'A hash that differs is told by scene, first step and largest difference in pose',
    asked: 'every message',
    scene: 'the same scenes, the first dynamic body of each 1 mm higher',
    measure: () => Promise.resolve(messages()),
  },
  {
    id: '3.1',
    claim: '`npm test` is short',
    asked: `at most ${MOST_WALL} s on two quiet cores, ${MOST_CPU} s of CPU`,
    scene: '`npm test`, installed',
    slow: true,
    measure() {
      const { wall, cpu, status } = testRun()
      const load = figure(loadavg()[0], 2)
      return Promise.resolve({
        figures: `${figure(wall)} s, ${figure(cpu)} s of CPU; ${cpus().length} cores, load ${load}; exit status ${status}`,
        holds: wall <= MOST_WALL && cpu <= MOST_CPU && status === 0,
      })
    },
  },
  {
    id: '3.2',
    claim: '`npm test` prints progress, failures and a summary',
    asked: `at most ${MOST_LINES} lines where nothing fails, how long it takes among them`,
    scene: '`npm test`, installed',
    slow: true,
    measure() {
      const lines = testRun().output.trim().split('\n')
      const told = lines.some((line) => /about \d+ minutes on two cores/.test(line))
      return Promise.resolve({
        figures: `${lines.length} lines, ${told ? 'one says' : 'none says'} how long it takes; the last: "${lines.at(-1)}"`,
        holds: lines.length <= MOST_LINES && told,
      })
    },
  },
  {
    id: '3.4',
    claim: 'CI is short',
    asked: `at most ${MOST_CI} s on two cores`,
    scene: '`.ci/run`, or the log of a run: `TAUTLINE_CI_LOG=FILE`',
    slow: true,
    measure: () => Promise.resolve(ciSeconds()),
  },
]
