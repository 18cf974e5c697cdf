/** Pulleys as plain data, and back. */

import { knownFields, object, positive } from '@tautline/core/kernel'
import type { SceneReader, SceneWriter } from '../scene.js'
import { readWinch, writeWinch } from '../parts/winch-json.js'
import type { PulleysState } from './state.js'

/** What `Pulleys.write` gives. */
export function writePulleys(scene: SceneWriter, { rope, winch, breakForce }: PulleysState): object {
  return {
    rope: rope?.alive === true ? scene.constraint(rope) : -1,
    winch: writeWinch(winch),
    ...(breakForce < Infinity ? { breakForce } : {}),
  }
}

/** Checks what {@link writePulleys} gave, and makes of it what it was. */
export function readPulleysJson(where: string, scene: SceneReader, data: unknown): PulleysState {
  const json = knownFields(where, object(where, data), ['rope', 'winch', 'breakForce']) as Record<string, unknown>
  const rope = json.rope === -1 ? undefined : scene.constraint(`${where}: rope`, json.rope)
  knownFields(`${where}: winch`, object(`${where}: winch`, json.winch), ['target', 'speed', 'force', 'pace'])
  const breakForce = json.breakForce === undefined ? Infinity : positive(`${where}: breakForce`, json.breakForce)
  return {
    bodies: [],
    constraints: rope === undefined ? [] : [rope],
    rope,
    winch: readWinch(`${where}: winch`, json.winch),
    breakForce,
  }
}
