/** A rope as plain data, and back. */

import type { Body, Constraint } from '@tautline/core'
import { array, knownFields, nonNegative, object, positive } from '@tautline/core/kernel'
import type { SceneReader, SceneWriter } from '../scene.js'
import { readWinch, writeWinch } from '../parts/winch.js'
import type { RopeSettings, RopeWinch } from './definition.js'
import { gathered, type RopeState } from './state.js'

const FIELDS = ['settings', 'nodes', 'segments', 'bends', 'start', 'end', 'winch']
/** Settings that may be beyond all numbers. */
const ENDLESS = ['bendCompliance', 'breakForce'] as const

/** What `Rope.write` gives. Numbers beyond all are null. */
export function writeRope(scene: SceneWriter, settings: RopeSettings, state: RopeState): object {
  const row = (it: Constraint | undefined): number => (it?.alive === true ? scene.constraint(it) : -1)
  const plain = (value: number): number | null => (Number.isFinite(value) ? value : null)
  return {
    settings: { ...settings, ...Object.fromEntries(ENDLESS.map((name) => [name, plain(settings[name])])) },
    nodes: state.nodes.map((node) => scene.body(node)),
    segments: state.segments.map(row),
    bends: state.bends.map(row),
    start: row(state.start),
    end: row(state.end),
    winch: writeWinch(state.winch),
  }
}

/** Checks what {@link writeRope} gave, and makes of it what it was. */
export function readRopeJson(
  where: string,
  scene: SceneReader,
  data: unknown,
): { settings: RopeSettings; state: RopeState } {
  const json = knownFields(where, object(where, data), FIELDS) as Record<string, unknown>
  const list = (field: string): readonly unknown[] => array(`${where}: ${field}`, json[field])
  const row = (at: string, index: unknown): Constraint | undefined =>
    index === -1 ? undefined : scene.constraint(at, index)
  const nodes = list('nodes').map((index, k): Body => scene.body(`${where}: nodes[${k}]`, index))
  const segments = list('segments').map((index, k) => scene.constraint(`${where}: segments[${k}]`, index))
  if (nodes.length !== segments.length + 1) {
    throw new RangeError(`${where}: segments must be one fewer than nodes (${nodes.length}), got ${segments.length}`)
  }
  const state = gathered({
    nodes,
    segments,
    bends: list('bends').map((index, k) => row(`${where}: bends[${k}]`, index)),
    start: row(`${where}: start`, json.start),
    end: row(`${where}: end`, json.end),
    winch: readRopeWinch(`${where}: winch`, json.winch),
  })
  return { settings: readSettings(`${where}: settings`, json.settings), state }
}

function readRopeWinch(where: string, value: unknown): RopeWinch {
  const { end } = knownFields(where, object(where, value), ['end', 'target', 'speed', 'rate', 'force', 'pace'])
  if (end !== 'start' && end !== 'end') throw new TypeError(`${where}: end must be start or end, got ${String(end)}`)
  return { end, ...readWinch(where, value) }
}

function readSettings(where: string, value: unknown): RopeSettings {
  const json = { ...object(where, value) }
  for (const name of ENDLESS) if (json[name] === null) json[name] = Infinity
  for (const name of ['radius', 'lineDensity', 'segment']) positive(`${where}: ${name}`, json[name])
  for (const name of ['stretchCompliance', 'damping', 'linearDamping', 'friction'])
    nonNegative(`${where}: ${name}`, json[name])
  return json as unknown as RopeSettings
}
