/** Pulleys as plain data, and back. */

import { knownFields, object, positive } from '@tautline/core/kernel'
import type { SceneReader, SceneWriter } from '../scene.js'
import { readWinch, writeWinch, type Winch } from '../parts/winch.js'
import type { Constraint } from '@tautline/core'
import type { AssemblyState } from '../assembly.js'

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
  knownFields(`${where}: winch`, object(`${where}: winch`, json.winch), ['target', 'speed', 'rate', 'force', 'pace'])
  const breakForce = json.breakForce === undefined ? Infinity : positive(`${where}: breakForce`, json.breakForce)
  return {
    bodies: [],
    constraints: rope === undefined ? [] : [rope],
    rope,
    winch: readWinch(`${where}: winch`, json.winch),
    breakForce,
  }
}

/** What pulleys consist of. */
export interface PulleysState extends AssemblyState {
  /** Its row; none where a body that it ran over was gone when it was saved. */
  readonly rope: Constraint | undefined
  readonly winch: Winch
  /** Tension at which it breaks [N]. */
  readonly breakForce: number
}
