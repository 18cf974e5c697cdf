/** A figure for calls that go well. */

import type { BoneDef } from '@tautline/ik'

function bonesOf(): BoneDef[] {
  const limb = (side: string, x: number, y: number, names: readonly [string, string, string]): BoneDef[] =>
    names.map((name, k) => ({
      name: side + name,
      parent: k > 0 ? side + names[k - 1] : y > 0 ? 'chest' : 'hips',
      position: k === 0 ? [x, y, 0] : [0, -0.4, 0.02 * (k === 1 ? 1 : -1)],
      tip: k === 2 ? [0, 0, 0.1] : [0, -0.4, 0.02],
    }))
  return [
    { name: 'hips', parent: null, position: [0, 1, 0] },
    { name: 'chest', parent: 'hips', position: [0, 0.3, 0], tip: [0, 0.3, 0] },
    { name: 'head', parent: 'chest', position: [0, 0.3, 0], tip: [0, 0.2, 0] },
    ...limb('left', 0.2, 0.2, ['UpperArm', 'LowerArm', 'Hand']),
    ...limb('right', -0.2, 0.2, ['UpperArm', 'LowerArm', 'Hand']),
    ...limb('left', 0.1, 0, ['UpperLeg', 'LowerLeg', 'Foot']),
    ...limb('right', -0.1, 0, ['UpperLeg', 'LowerLeg', 'Foot']),
  ]
}

/** Two arms and two legs, which all of IK can take up. */
export const FIGURE: readonly BoneDef[] = bonesOf()
