/** A rod as plain data, and back. */

import type { Body, Constraint } from '@tautline/core'
import { array, knownFields, nonNegative, object, positive } from '@tautline/core/kernel'
import type { SceneReader, SceneWriter } from '../scene.js'
import type { RodJoint } from './build.js'
import type { RodSettings } from './definition.js'
import { gathered, type RodState } from './state.js'

const FIELDS = ['settings', 'links', 'joints', 'start', 'end']
/** Settings that may be beyond all numbers, written as null. */
const ENDLESS = ['yieldCurvature', 'breakForce'] as const
const POSITIVE = ['radius', 'lineDensity', 'link'] as const
const OTHERS = ['bendStiffness', 'twistStiffness', 'damping', 'linearDamping', 'creep'] as const

/** What `Rod.write` gives: a joint is two rows, −1 where there is none. */
export function writeRod(scene: SceneWriter, settings: RodSettings, state: RodState): object {
  const row = (it: Constraint | undefined): number => (it?.alive === true ? scene.constraint(it) : -1)
  const pair = (joint: RodJoint | undefined): [number, number] => [row(joint?.point), row(joint?.spring)]
  const endless = ENDLESS.map((name) => [name, settings[name] === Infinity ? null : settings[name]] as const)
  return {
    settings: { ...settings, ...Object.fromEntries(endless) },
    links: state.links.map((link) => scene.body(link)),
    joints: state.joints.map(pair),
    start: pair(state.start),
    end: pair(state.end),
  }
}

/** Checks what {@link writeRod} gave, and makes of it what it was. */
export function readRodJson(
  where: string,
  scene: SceneReader,
  data: unknown,
): { settings: RodSettings; state: RodState } {
  const json = knownFields(where, object(where, data), FIELDS) as Record<string, unknown>
  const joint = (at: string, value: unknown): RodJoint => {
    const pair = array(at, value)
    if (pair.length !== 2) throw new RangeError(`${at} must be two rows, got ${pair.length}`)
    const [point, spring] = pair.map((index) => (index === -1 ? undefined : scene.constraint(at, index)))
    return { point, spring }
  }
  const links = array(`${where}: links`, json.links).map((index, k): Body => scene.body(`${where}: links[${k}]`, index))
  const joints = array(`${where}: joints`, json.joints).map((pair, k) => joint(`${where}: joints[${k}]`, pair))
  if (links.length !== joints.length + 1) {
    throw new RangeError(`${where}: joints must be one fewer than links (${links.length}), got ${joints.length}`)
  }
  const [start, end] = [joint(`${where}: start`, json.start), joint(`${where}: end`, json.end)]
  return {
    settings: readSettings(`${where}: settings`, json.settings),
    state: gathered({ links, joints, start, end }),
  }
}

function readSettings(where: string, value: unknown): RodSettings {
  const json = { ...object(where, value) }
  for (const name of ENDLESS) json[name] = json[name] === null ? Infinity : positive(`${where}: ${name}`, json[name])
  knownFields(where, json, [...POSITIVE, ...OTHERS, ...ENDLESS])
  for (const name of POSITIVE) positive(`${where}: ${name}`, json[name])
  for (const name of OTHERS) nonNegative(`${where}: ${name}`, json[name])
  return json as unknown as RodSettings
}
