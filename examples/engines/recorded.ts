/**
 * The list of state hashes that every engine must reproduce, and what a run differs from it by. hashes.json has the hashes, trails.json
 * what it takes to say more than that two hashes differ: two digits of the hash after every step, and poses as 32-bit numbers.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { CHECKPOINTS, type EngineScene, type SceneRun } from './entry.js'
import { engineScenes, typeScenes } from './scenes.js'

/** Steps of every run, and of long runs of the scenes of many bodies. */
export const [SHORT, LONG] = CHECKPOINTS

/** By steps and scene. */
export type Hashes = Record<string, Record<string, string>>
/** By scene. */
export type Trails = Record<string, Trail>

interface Trail {
  /** Two digits a step. */
  hashes: string
  /** By step: 32-bit numbers in base 64, seven a body. */
  poses: Record<string, string>
}

/** Numbers of a body in a list of poses: x, y, z, qx, qy, qz, qw. */
const POSE = 7
/** Digits of a hash that a trail keeps of each step. */
const DIGITS = 2
/** What rounding to 32 bits does to a pose, as a share of it. */
const ROUNDING = 2 ** -23

const HASHES = new URL('hashes.json', import.meta.url)
const TRAILS = new URL('trails.json', import.meta.url)

export function readHashes(): Hashes {
  return JSON.parse(readFileSync(HASHES, 'utf8')) as Hashes
}

export function readTrails(): Trails {
  return JSON.parse(readFileSync(TRAILS, 'utf8')) as Trails
}

/** Scenes that are run for `steps` steps. */
export function scenesOf(steps: number): EngineScene[] {
  return steps === LONG ? engineScenes() : [...engineScenes(), ...typeScenes()]
}

/** What a script of engines.ts printed. */
export function parseRuns(output: string): SceneRun[] {
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as SceneRun)
}

function encodePoses(poses: readonly number[]): string {
  return Buffer.from(Float32Array.from(poses).buffer).toString('base64')
}

function decodePoses(text: string): Float32Array {
  return new Float32Array(new Uint8Array(Buffer.from(text, 'base64')).buffer)
}

/** Writes the list anew from short runs of all scenes and long runs of those of many bodies. */
export function writeRecorded(short: readonly SceneRun[], long: readonly SceneRun[]): void {
  const hashesOf = (runs: readonly SceneRun[], step: number): Record<string, string> =>
    Object.fromEntries(runs.map(({ name, hashes }) => [name, hashes[step]]))
  const hashes: Hashes = { [SHORT]: hashesOf(short, SHORT), [LONG]: hashesOf(long, LONG) }
  const trails: Trails = Object.fromEntries(
    [...short, ...long].map(({ name, trail, poses }) => [
      name,
      {
        hashes: trail,
        poses: Object.fromEntries(Object.entries(poses).map(([step, values]) => [step, encodePoses(values)])),
      },
    ]),
  )
  writeFileSync(HASHES, `${JSON.stringify(hashes, null, 2)}\n`)
  writeFileSync(TRAILS, `${JSON.stringify(trails, null, 2)}\n`)
}

/** How the scenes that do not have the hash of the list after `steps` steps differ from it: one message a scene. */
export function differences(
  runs: readonly SceneRun[],
  steps: number,
  hashes: Hashes = readHashes(),
  trails: Trails = readTrails(),
): string[] {
  const recorded = hashes[steps]
  const found = new Map(runs.map((run) => [run.name, run]))
  const messages = Object.keys(recorded).flatMap((name) => {
    const run = found.get(name)
    if (run === undefined) return [`${name}: did not run`]
    return run.hashes[steps] === recorded[name] ? [] : [`${name}: ${difference(run, steps, trails[name])}`]
  })
  for (const { name } of runs) if (!(name in recorded)) messages.push(`${name}: is not in the list`)
  return messages
}

function difference({ trail, poses }: SceneRun, steps: number, recorded: Trail): string {
  let first = 1
  const at = (text: string): string => text.slice(DIGITS * (first - 1), DIGITS * first)
  while (first < steps && at(trail) === at(recorded.hashes)) first++
  return `differs first after step ${first}; after step ${steps} ${poseDifference(poses[steps], decodePoses(recorded.poses[steps]))}`
}

/** The largest differences of positions and orientations. */
function poseDifference(poses: readonly number[], recorded: Float32Array): string {
  if (poses.length !== recorded.length) {
    return `there are ${poses.length / POSE} bodies, ${recorded.length / POSE} in the list`
  }
  const worst = { metres: 0, metresOf: 0, radians: 0, radiansOf: 0 }
  for (let body = 0; POSE * body < poses.length; body++) {
    const o = POSE * body
    const distance = Math.hypot(...[0, 1, 2].map((k) => apart(poses[o + k], recorded[o + k])))
    if (distance > worst.metres) Object.assign(worst, { metres: distance, metresOf: body })
    const angle = turnBetween(poses.slice(o + 3, o + POSE), recorded.subarray(o + 3, o + POSE))
    if (angle > worst.radians) Object.assign(worst, { radians: angle, radiansOf: body })
  }
  if (worst.metres === 0 && worst.radians === 0) return 'poses agree to 7 digits'
  const { metres, metresOf, radians, radiansOf } = worst
  return `poses differ by up to ${metres.toPrecision(2)} m (body ${metresOf}) and ${radians.toPrecision(2)} rad (body ${radiansOf})`
}

/** How far a number is from a recorded one, beyond what recording rounds; infinite where one of them is not finite. */
function apart(value: number, recorded: number): number {
  const distance = Math.abs(value - recorded)
  if (Number.isNaN(distance)) return Infinity
  return distance <= ROUNDING * Math.max(Math.abs(value), 1) ? 0 : distance
}

/** The angle between two unit quaternions: 2 asin of half the distance, for either sign [rad]. */
function turnBetween(q: readonly number[], recorded: Float32Array): number {
  const [less, more] = [-1, 1].map((sign) => Math.hypot(...q.map((x, k) => apart(x, -sign * recorded[k]))))
  return 4 * Math.asin(Math.min(1, 0.5 * Math.min(less, more)))
}
