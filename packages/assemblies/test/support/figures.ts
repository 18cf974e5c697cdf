/** Skeletons for tests of ragdolls: a humanoid of boxes of names, and random trees. */

import type { RagdollBone } from '../../src/index.js'

type Vec = [number, number, number]

/** Joints of a humanoid of 1.75 m in the T-pose, by VRM's names: parent, place in the world. */
const PLACES: readonly [string, string | null, Vec][] = [
  ['root', null, [0, 0, 0]],
  ['hips', 'root', [0, 0.95, 0]],
  ['spine', 'hips', [0, 1.05, 0]],
  ['chest', 'spine', [0, 1.2, 0]],
  ['neck', 'chest', [0, 1.45, 0]],
  ['head', 'neck', [0, 1.55, 0]],
  ['head_end', 'head', [0, 1.75, 0]],
  ['leftEye', 'head', [0.03, 1.62, 0.08]],
  ...(['left', 'right'] as const).flatMap((side): [string, string, Vec][] => {
    const s = side === 'left' ? 1 : -1
    return [
      [`${side}Shoulder`, 'chest', [0.05 * s, 1.4, 0]],
      [`${side}UpperArm`, `${side}Shoulder`, [0.18 * s, 1.42, 0]],
      [`${side}UpperArmTwist`, `${side}UpperArm`, [0.3 * s, 1.42, 0]],
      [`${side}LowerArm`, `${side}UpperArm`, [0.46 * s, 1.42, 0]],
      [`${side}Hand`, `${side}LowerArm`, [0.72 * s, 1.42, 0]],
      [`${side}ThumbProximal`, `${side}Hand`, [0.75 * s, 1.41, 0.04]],
      [`${side}IndexProximal`, `${side}Hand`, [0.8 * s, 1.42, 0.02]],
      [`${side}UpperLeg`, 'hips', [0.09 * s, 0.91, 0]],
      [`${side}LowerLeg`, `${side}UpperLeg`, [0.09 * s, 0.5, 0]],
      [`${side}Foot`, `${side}LowerLeg`, [0.09 * s, 0.08, 0]],
      [`${side}Toes`, `${side}Foot`, [0.09 * s, 0.02, 0.13]],
    ]
  }),
]

/** A humanoid as bones without rotations; `scale` of all lengths. */
export function humanoid(scale = 1): RagdollBone[] {
  const places = new Map(PLACES.map(([name, , at]) => [name, at]))
  return PLACES.map(([name, parent, at]) => {
    const from = parent === null ? [0, 0, 0] : (places.get(parent) as Vec)
    return { name, parent, position: at.map((x, k) => scale * (x - from[k])) as Vec }
  })
}

/** The same under one name by number, so that nothing tells that it is one. */
export function nameless(bones: readonly RagdollBone[]): RagdollBone[] {
  const names = bones.map(({ name }) => name)
  return bones.map((bone, k) => ({
    ...bone,
    name: `b${k}`,
    parent: bone.parent === null ? null : `b${names.indexOf(bone.parent as string)}`,
  }))
}

/** Numbers in [0, 1) that a seed decides. */
export function random(seed: number): () => number {
  let state = (seed * 2654435761 + 12345) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 4294967296
  }
}

/** A tree of 2 to 30 bones with any rotations, in any order of siblings. */
export function randomTree(seed: number): RagdollBone[] {
  const next = random(seed)
  const count = 2 + Math.floor(29 * next())
  const bones: RagdollBone[] = []
  for (let k = 0; k < count; k++) {
    const q = [0, 1, 2, 3].map(() => next() - 0.5)
    const length = Math.hypot(...q)
    const size = 0.05 + 0.4 * next()
    const way = [0, 1, 2].map(() => next() - 0.5)
    const far = Math.hypot(...way)
    bones.push({
      name: `bone ${k}`,
      parent: k === 0 ? null : Math.floor(next() * k),
      position: way.map((x) => (k === 0 ? 0 : (size * x) / far)) as Vec,
      rotation: q.map((x) => x / length) as [number, number, number, number],
      ...(next() < 0.5 && { tip: [0.1 + 0.2 * next(), 0, 0] as Vec }),
    })
  }
  return bones
}
