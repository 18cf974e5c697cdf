/**
 * Runs the scenes without a picture: `npm run demo`. Progress goes to stderr, tables to stdout: of worlds, and of poses.
 *
 *   --scene NAME     only this one; may be given more than once
 *   --mesh FILE.obj  your own mesh for cloth and soft-body
 *   --steps N        this many steps, or frames of poses, instead of the scene's own
 *   --json           JSON instead of a table
 *   --help           says all this
 *
 * Exit status: 0, 1 when something became non-finite, 2 when the arguments are wrong.
 */

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { contactScene } from './lib/contacts.js'
import type { Mesh } from './lib/mesh.js'
import { parseObj } from './lib/obj.js'
import { isFinite, type RunResult, runScene } from './lib/run.js'
import { table } from './lib/table.js'
import { cardHouse, mixedPile } from './scenes/contacts/index.js'
import { isFinitePose, POSE_SCENES, type PoseResult, runPoseScene, type SkippedScene } from './scenes/ik/index.js'
import { clothScene, ragdollScene, ropeScene, type Scene, softBodyScene } from './scenes/index.js'

/** How each scene is made; `mesh` is the user's own, where there is one. */
const SCENES: Readonly<Record<string, (mesh: Mesh | undefined) => Scene>> = {
  rope: () => ropeScene(),
  cloth: (mesh) => clothScene(mesh && { mesh }),
  'soft-body': (mesh) => softBodyScene(mesh && { mesh }),
  ragdoll: () => ragdollScene(),
  pile: () => contactScene('pile', mixedPile(PILE), CONTACT_SECONDS, false),
  cards: () => contactScene('cards', cardHouse(CARD_LEVELS), CONTACT_SECONDS, true),
}

/** Worlds, then poses. */
const NAMES = [...Object.keys(SCENES), ...Object.keys(POSE_SCENES)]

/** Mixed shapes in the pile, and storeys of the house of cards: a few seconds each to run. */
const PILE = 64
const CARD_LEVELS = 5
/** Simulated [s]: the pile has come to rest. */
const CONTACT_SECONDS = 4

/** Scenes that a mesh is for. */
const FROM_MESH = ['cloth', 'soft-body']

/** Share of the run between two lines of progress, where lines cannot be overwritten [%]. */
const PROGRESS_STEP = 25

/** Arguments that are wrong: a message without a stack. */
class UsageError extends Error {}

const HELP = `Runs the scenes without a picture, and prints what became of them in tables.

npm run demo -- [options]

  --scene NAME      only this one; may be given more than once:
                    ${NAMES.join(', ')}
  --mesh FILE.obj   your own mesh, for ${FROM_MESH.join(' and ')}
  --steps N         so many steps, or frames of poses, instead of the scene's own
  --json            JSON instead of tables (npm run --silent demo -- --json)
  --help            this

npm start shows them live in the browser.`

interface Arguments {
  help: boolean
  names: string[]
  mesh: Mesh | undefined
  steps: number | undefined
  json: boolean
}

function readArguments(args: string[]): Arguments {
  const options = {
    scene: { type: 'string', multiple: true },
    mesh: { type: 'string' },
    steps: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const
  const { values } = asUsage(() => parseArgs({ args, options }))
  const mesh = values.mesh === undefined ? undefined : readMesh(values.mesh)
  const names = values.scene ?? (mesh === undefined ? NAMES : FROM_MESH)
  for (const name of names) {
    if (!NAMES.includes(name)) throw new UsageError(`--scene must be one of ${NAMES.join(', ')}, got ${name}`)
    if (mesh !== undefined && !FROM_MESH.includes(name)) {
      throw new UsageError(`--mesh goes with the scenes ${FROM_MESH.join(', ')}, got --scene ${name}`)
    }
  }
  const steps = values.steps === undefined ? undefined : Number(values.steps)
  if (steps !== undefined && !(Number.isInteger(steps) && steps >= 1)) {
    throw new UsageError(`--steps must be an integer >= 1, got ${values.steps}`)
  }
  return { names, mesh, steps, json: values.json, help: values.help }
}

function readMesh(file: string): Mesh {
  return asUsage(() => parseObj(readFileSync(file, 'utf8'), `--mesh ${file}`))
}

/** Runs something whose errors are the user's to mend. */
function asUsage<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Says how far a scene is: on a terminal in one line that is overwritten, else now and then in a line of its own. */
function progress(name: string): (made: number, steps: number) => void {
  const { stderr } = process
  let next = stderr.isTTY ? 0 : PROGRESS_STEP
  return (made, steps) => {
    const percent = Math.floor((100 * made) / steps)
    if (percent < next) return
    if (stderr.isTTY) {
      stderr.write(`\r${name} ${percent} %${made === steps ? '\n' : ''}`)
      next = percent + 1
    } else {
      stderr.write(`${name} ${percent} %\n`)
      next = percent - (percent % PROGRESS_STEP) + PROGRESS_STEP
    }
  }
}

const HEAD = [
  'scene',
  'bodies',
  'constraints',
  'steps',
  'substeps',
  'ms/step',
  'worst error m',
  'rad',
  'stretch %',
  'energy drift %',
  'gain %',
  'hash',
]

function cells(result: RunResult): string[] {
  const { worstError } = result
  return [
    result.scene,
    `${result.bodies}`,
    `${result.constraints}`,
    `${result.steps}`,
    `${result.substeps}`,
    result.msPerStep.toFixed(3),
    worstError.linear.toExponential(1),
    worstError.angular.toExponential(1),
    (100 * result.stretch).toFixed(3),
    (100 * result.energyDrift).toFixed(2),
    (100 * result.energyGain).toFixed(2),
    result.hash,
  ]
}

const POSE_HEAD = [
  'poses',
  'bones',
  'goals',
  'frames',
  'unmet',
  'iterations',
  'most',
  'ms/solve',
  'worst error m',
  'rad',
  'outside limits',
  'hash',
]

function poseCells(result: PoseResult): string[] {
  const { iterations, worstError } = result
  return [
    result.scene,
    `${result.bones}`,
    `${result.goals}`,
    `${result.frames}`,
    `${result.unmet}`,
    iterations.mean.toFixed(1),
    `${iterations.most}`,
    result.msPerSolve.toFixed(3),
    worstError.linear.toExponential(1),
    worstError.angular.toExponential(1),
    result.violation.toExponential(1),
    result.hash,
  ]
}

function figures({ scene, figures: own }: Pick<RunResult, 'scene' | 'figures'>): string {
  const list = Object.entries(own).map(([name, { value, unit }]) =>
    `${name} ${Number(value.toPrecision(3))} ${unit}`.trim(),
  )
  return `${scene}: ${list.join(', ')}`
}

function lost({ scene, nonFinite }: RunResult): string[] {
  return nonFinite.length === 0 ? [] : [`${scene}: became non-finite: ${nonFinite.join(', ')}`]
}

const NOTES = `
worst error: rows without softness, over the run. stretch: largest over the run. energy drift: change from start to end
(ragdoll: from where it is let go), share of the energy that moved; contact, damping and the method itself take energy away.
gain: most that was ever there beyond the start. Contacts come and go by themselves, and are not among the constraints.`

const POSE_NOTES = `
unmet: frames that ended without all goals met, each solved from the pose of the one before. Worst error of a goal over the
run; outside limits: farthest that a joint ever was [rad or m].`

function worldsText(results: readonly RunResult[]): string {
  if (results.length === 0) return ''
  return [table(HEAD, results.map(cells)), '', ...results.map(figures), ...results.flatMap(lost), NOTES].join('\n')
}

function posesText(results: readonly PoseResult[], skipped: readonly SkippedScene[]): string {
  const text = skipped.map(({ name, skipped: why }) => `${name}: skipped, as ${why}`)
  if (results.length > 0) text.unshift(table(POSE_HEAD, results.map(poseCells)), '', ...results.map(figures))
  return results.length > 0 ? [...text, POSE_NOTES].join('\n') : text.join('\n')
}

async function runPoses(names: readonly string[], frames: number | undefined): Promise<(PoseResult | SkippedScene)[]> {
  const results: (PoseResult | SkippedScene)[] = []
  for (const name of names) {
    const scene = await POSE_SCENES[name]()
    if ('skipped' in scene) results.push(scene)
    else results.push(runPoseScene(scene, { ...(frames !== undefined && { frames }), onFrame: progress(name) }))
  }
  return results
}

async function main(): Promise<number> {
  const { names, mesh, steps, json, help } = readArguments(process.argv.slice(2))
  if (help) {
    console.log(HELP)
    return 0
  }
  const worlds = names
    .filter((name) => name in SCENES)
    .map((name) => {
      // What can go wrong while a scene is made of the user's mesh is the mesh.
      const scene = mesh === undefined ? SCENES[name](mesh) : asUsage(() => SCENES[name](mesh))
      return runScene(scene, { ...(steps !== undefined && { steps }), onStep: progress(name) })
    })
  const all = await runPoses(
    names.filter((name) => name in POSE_SCENES),
    steps,
  )
  const skipped = all.filter((result): result is SkippedScene => 'skipped' in result)
  const poses = all.filter((result): result is PoseResult => !('skipped' in result))
  if (json) console.log(JSON.stringify([...worlds, ...all], null, 2))
  else console.log([worldsText(worlds), posesText(poses, skipped)].filter((text) => text !== '').join('\n\n'))
  return worlds.every(isFinite) && poses.every(isFinitePose) ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
