/** A ragdoll as plain data. */

import type { Constraint } from '@tautline/core'
import type { SceneWriter } from '../scene.js'
import { checkAsset, type RagdollAsset, type RagdollPart } from './data.js'
import type { RagdollSettings } from './definition.js'
import { COLUMNS, type Motion, WEIGHTS } from './motion.js'
import { writeProfiles } from './profiles.js'
import type { RagdollState } from './state.js'

/** Numbers of a skeleton that are written. */
export const SKELETON_LISTS = [
  'positions',
  'rotations',
  'unit',
  'mirror',
  'own',
  'worldPositions',
  'worldRotations',
] as const

/** What `Ragdoll.write` gives. Numbers beyond all are null. */
export function writeRagdoll(
  scene: SceneWriter,
  asset: RagdollAsset,
  settings: RagdollSettings,
  { bodies, joints, pins, held }: RagdollState,
  motion: Motion,
): object {
  const row = (it: Constraint | undefined): number => (it?.alive === true ? scene.constraint(it) : -1)
  return {
    settings: { ...settings, profiles: writeProfiles(settings.profiles) },
    asset: writeAsset(asset),
    bodies: bodies.map((body) => scene.body(body)),
    joints: joints.map(row),
    pins: pins.map((pin) => [row(pin?.point), row(pin?.turn)]),
    held: held
      .filter(({ joint }) => joint.alive)
      .map(({ part, body, joint }) => ({ part, body: scene.body(body), joint: row(joint) })),
    motion: writeMotion(motion),
  }
}

/** An asset as plain data, which `readRagdollAsset` reads. */
export function writeAsset(asset: RagdollAsset): object {
  checkAsset('writeRagdollAsset: asset', asset)
  const { skeleton, parts, partOf, roles, overlaps, stature, mass } = asset
  return {
    skeleton: {
      names: [...skeleton.names],
      parent: Array.from(skeleton.parent),
      order: Array.from(skeleton.order),
      ...Object.fromEntries(SKELETON_LISTS.map((name) => [name, Array.from(skeleton[name])])),
    },
    parts: parts.map(writePart),
    partOf: Array.from(partOf),
    ...(roles !== undefined && { roles }),
    overlaps: overlaps.map((pair) => [...pair]),
    stature,
    mass,
  }
}

function writePart({ shape, joint, role, ...part }: RagdollPart): object {
  const plain = (value: number): number | null => (Number.isFinite(value) ? value : null)
  return {
    ...part,
    ...(role !== undefined && { role }),
    shape: shape.toJSON(),
    ...(joint !== undefined && {
      joint: { ...joint, limits: joint.limits.map(plain), strength: plain(joint.strength) },
    }),
  }
}

function writeMotion({ weights, target, time, driven, bears, ...columns }: Motion): object {
  return {
    weights: Object.fromEntries(
      WEIGHTS.map((name) => [
        name,
        Array.from(weights[name], (value) => (Number.isFinite(value) ? value : Number.isNaN(value) ? null : -1)),
      ]),
    ),
    ...Object.fromEntries(COLUMNS.map((name) => [name, Array.from(columns[name])])),
    target: { positions: Array.from(target.positions), rotations: Array.from(target.rotations) },
    time,
    driven,
    bears,
  }
}
