/** What ragdolls are made of: parts, masses, shapes, joints; and what is refused. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type RagdollAsset,
  ragdollAsset,
  type RagdollBone,
  readRagdollAsset,
  validateAsset,
  writeRagdollAsset,
} from '../src/index.js'
import { Rig } from '@tautline/ik'
import { humanoid, nameless, random, randomTree } from './support/figures.js'
import { runs } from '../../core/test/support/runs.js'

/** Masses of a man's segments, % of the whole (de Leva 1996, table 4), by the parts of 15 that have them. */
const TABLE: Readonly<Record<string, number>> = {
  hips: 11.17 + 16.33,
  chest: 15.96,
  head: 6.94,
  leftUpperArm: 2.71,
  leftLowerArm: 1.62,
  leftHand: 0.61,
  leftUpperLeg: 14.16,
  leftLowerLeg: 4.33,
  leftFoot: 1.37,
}

const names = ({ parts }: RagdollAsset): string[] => parts.map(({ name }) => name)
const part = (asset: RagdollAsset, name: string): RagdollAsset['parts'][number] => {
  const found = asset.parts.find((candidate) => candidate.name === name)
  if (found === undefined) throw new RangeError(`no part ${name}`)
  return found
}

describe('parts of a humanoid', () => {
  it('are 11, 15 or 20 by the level of detail, with all other bones folded into them', () => {
    for (const detail of [11, 15, 20] as const) {
      const asset = ragdollAsset(humanoid(), { detail })
      expect(asset.parts.length).toBe(detail)
      const rows = asset.skeleton.names
      const owner = (name: string): string => asset.parts[asset.partOf[rows.indexOf(name)]].name
      expect(owner('leftEye')).toBe('head')
      expect(owner('leftUpperArmTwist')).toBe('leftUpperArm')
      expect(owner('rightIndexProximal')).toBe(detail === 11 ? 'rightLowerArm' : 'rightHand')
      expect(asset.partOf[rows.indexOf('root')]).toBe(-1)
    }
  })

  it('weigh what an adult of their stature weighs', () => {
    const asset = ragdollAsset(humanoid())
    expect(asset.stature).toBeGreaterThan(1.6)
    expect(asset.stature).toBeLessThan(1.9)
    for (const [name, share] of Object.entries(TABLE)) {
      expect(Math.abs((100 * part(asset, name).matter.mass) / asset.mass / share - 1), name).toBeLessThan(0.15)
    }
    expect(ragdollAsset(humanoid(), { mass: 60 }).mass).toBeCloseTo(60, 9)
    expect(ragdollAsset(humanoid(0.5)).mass).toBeCloseTo(asset.mass / 8, 6)
    expect(part(ragdollAsset(humanoid(), { masses: { head: 9 } }), 'head').matter.mass).toBe(9)
  })

  it('stand at rest within their limits, whatever way they face', () => {
    expect(validateAsset(ragdollAsset(humanoid(), { detail: 20 }))).toEqual([])
    const turned = humanoid().map((bone) =>
      bone.parent === null ? { ...bone, rotation: [0.5, 0.5, 0.5, 0.5] as [number, number, number, number] } : bone,
    )
    const asset = ragdollAsset(turned, { detail: 20 })
    expect(validateAsset(asset)).toEqual([])
    expect(asset.parts.map(({ matter }) => matter.mass)).toEqual(
      ragdollAsset(humanoid(), { detail: 20 }).parts.map(({ matter }) => expect.closeTo(matter.mass, 6)),
    )
  })

  it('are those that are named, by bone or role', () => {
    const asset = ragdollAsset(humanoid(), { bones: ['leftUpperArm', 'leftLowerArm', 'leftHand'] })
    expect(names(asset)).toEqual(['leftUpperArm', 'leftLowerArm', 'leftHand'])
    expect(() => ragdollAsset(humanoid(), { bones: ['leftHand', 'rightHand'] })).toThrow(
      /parts must hang on one root, got 2: "leftHand", "rightHand"/,
    )
    expect(() => ragdollAsset(humanoid(), { bones: ['tail'] })).toThrow(
      /bones\[0\] must be a bone or a role, got "tail"/,
    )
  })

  it('fit their skin', () => {
    const bones = humanoid()
    const positions: number[] = []
    const joints: number[] = []
    const weights: number[] = []
    const thigh = bones.findIndex(({ name }) => name === 'leftUpperLeg')
    // A tube of 6 cm about the left thigh, and a vertex far off.
    for (let k = 0; k < 200; k++) {
      const angle = 0.7 * k
      positions.push(0.09 + 0.06 * Math.cos(angle), 0.9 - (0.4 * k) / 200, 0.06 * Math.sin(angle))
      joints.push(thigh, 0, 0, 0)
      weights.push(1, 0, 0, 0)
    }
    positions.push(5, 5, 5)
    joints.push(thigh, 0, 0, 0)
    weights.push(1, 0, 0, 0)
    const skin = { positions, joints, weights }
    const { shape } = part(ragdollAsset(bones, { skin }), 'leftUpperLeg')
    expect(shape.name).toBe('capsule')
    expect(shape.params[0]).toBeCloseTo(0.06, 2)
    expect(2 * (shape.params[0] + shape.params[1])).toBeCloseTo(0.39, 1)
    for (const kind of ['taperedCapsule', 'box', 'hull', 'sphere'] as const) {
      const made = part(ragdollAsset(bones, { skin, shapes: { leftUpperLeg: kind } }), 'leftUpperLeg').shape
      expect(['convexHull', 'capsule', kind]).toContain(made.name)
    }
    expect(() => ragdollAsset(bones, { skin: { ...skin, weights: [1] } })).toThrow(
      /skin: weights must be 804, four a vertex, got 1/,
    )
  })
})

describe('scaled and mirrored bones', () => {
  it('weigh and stand as those that are not', () => {
    const plain = ragdollAsset(humanoid())
    const inCentimetres = ragdollAsset(humanoid(100), { scale: 0.01 })
    const scaled = humanoid(100).map((bone) => (bone.parent === null ? { ...bone, scale: 0.01 } : bone))
    // Everything below is written as its mirror image, and mirrored back by the root.
    const mirrored = humanoid().map((bone) =>
      bone.parent === null
        ? { ...bone, scale: [-1, 1, 1] as [number, number, number] }
        : { ...bone, position: [-bone.position[0], bone.position[1], bone.position[2]] as [number, number, number] },
    )
    for (const asset of [inCentimetres, ragdollAsset(scaled), ragdollAsset(mirrored)]) {
      expect(asset.mass).toBeCloseTo(plain.mass, 6)
      asset.skeleton.worldPositions.forEach((x, k) => expect(x).toBeCloseTo(plain.skeleton.worldPositions[k], 9))
      expect(validateAsset(asset)).toEqual([])
    }
  })
})

describe('other skeletons', () => {
  it('of any shape become parts within their limits, which JSON keeps', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
        const bones = randomTree(seed)
        const asset = ragdollAsset(bones)
        expect(validateAsset(asset)).toEqual([])
        expect(asset.partOf.every((of) => of >= 0)).toBe(true)
        for (const { matter } of asset.parts) {
          expect(matter.mass).toBeGreaterThan(0)
          for (const moment of matter.moments) expect(moment).toBeGreaterThan(0)
        }
        const json: unknown = JSON.parse(JSON.stringify(writeRagdollAsset(asset)))
        expect(JSON.parse(JSON.stringify(writeRagdollAsset(readRagdollAsset(json))))).toEqual(json)
      }),
      { numRuns: runs(100) },
    )
  })

  it('keep at most as many bones as asked, the longest', () => {
    const asset = ragdollAsset(nameless(humanoid()), { detail: 8 })
    expect(asset.parts.length).toBe(8)
    expect(asset.roles).toBeUndefined()
    expect(ragdollAsset(humanoid(), { roles: 'none', detail: 'all' }).parts.length).toBeGreaterThanOrEqual(20)
  })

  it('keep the masses that bones give, through a rig or not', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.constantFrom(1, 0.01), (seed, scale) => {
        const next = random(seed)
        const bones = randomTree(seed).map((bone): RagdollBone => {
          const position = bone.position as [number, number, number]
          const tip: [number, number, number] = [0.3 / scale, 0, 0]
          return {
            ...bone,
            position: [position[0] / scale, position[1] / scale, position[2] / scale],
            tip,
            ...(next() < 0.6 && { mass: 0.1 + 10 * next() }),
            ...(next() < 0.3 && { centre: [0.1 / scale, 0.05 / scale, 0] }),
          }
        })
        const [own, rigged] = [bones, Rig.from(bones)].map((source) => ragdollAsset(source, { scale, roles: 'none' }))
        own.parts.forEach(({ bone, matter }, k) => {
          const members = bones.filter((_, row) => own.partOf[row] === k)
          const given = members.reduce((total, { mass = 0 }) => total + mass, 0)
          if (given > 0) expect(matter.mass).toBeCloseTo(given, 9)
          const { mass, centre } = bones[bone]
          if (members.length === 1 && mass !== undefined && centre !== undefined) {
            matter.centre.forEach((x, axis) => expect(x).toBeCloseTo(scale * centre[axis], 9))
          }
          expect(rigged.parts[k].matter.mass).toBeCloseTo(matter.mass, 9)
          matter.centre.forEach((x, axis) => expect(rigged.parts[k].matter.centre[axis]).toBeCloseTo(x, 9))
          expect(Math.min(...matter.moments)).toBeGreaterThan(0)
        })
      }),
      { numRuns: runs(100) },
    )
  })

  it('of links with joints and masses keep both', () => {
    const link = { mass: 2, centre: [0, -0.2, 0] as [number, number, number], inertia: [0.01, 0.002, 0.01] }
    const asset = ragdollAsset([
      { name: 'base', parent: null, position: [0, 0, 0], ...link },
      {
        name: 'arm',
        parent: 'base',
        position: [0, -0.4, 0],
        ...link,
        joint: { kind: 'hinge', axis: [1, 0, 0], limits: { min: -1, max: 2 } },
      },
      {
        name: 'flange',
        parent: 'arm',
        position: [0, -0.4, 0],
        mass: 0.5,
        centre: [0, 0, 0],
        inertia: [1e-3, 1e-3, 1e-3],
        joint: { kind: 'locked' },
      },
    ])
    expect(names(asset)).toEqual(['base', 'arm'])
    const { joint, matter } = asset.parts[1]
    expect(joint?.kind).toBe('hinge')
    expect(joint?.limits).toEqual([-1, 2])
    expect(matter.mass).toBeCloseTo(2.5, 12)
    expect(matter.centre[1]).toBeCloseTo((2 * -0.2 + 0.5 * -0.4) / 2.5, 12)
  })
})

describe('what is refused', () => {
  const at = { position: [0, 0, 0] as [number, number, number] }
  it('is said by name', () => {
    expect(() => ragdollAsset([])).toThrow(/bones must be at least one, got none/)
    expect(() => ragdollAsset([{ name: 'a', parent: null, ...at }])).toThrow(/bones must include one with a length/)
    expect(() =>
      ragdollAsset([
        { name: 'a', parent: 'b', ...at },
        { name: 'b', parent: 'a', ...at },
      ]),
    ).toThrow(/bones must not go round in a circle, got one with "[ab]"/)
    const two = [
      ...nameless(humanoid()),
      {
        name: 'x',
        parent: null,
        position: [1, 0, 0] as [number, number, number],
        tip: [0, 1, 0] as [number, number, number],
      },
    ]
    expect(() => ragdollAsset(two)).toThrow(/parts must hang on one root, got 2: "b0", "x"/)
    expect(() => ragdollAsset([{ name: 'a', parent: 'c', ...at }])).toThrow(
      /bone "a": parent must be a bone or null, got "c"/,
    )
    expect(() => ragdollAsset(humanoid(1000))).toThrow(/a humanoid must be between 0.02 and 100 m tall, got \d+.*scale/)
    const sheared = humanoid().map((bone) =>
      bone.name === 'spine' ? { ...bone, scale: [1, 2, 1] as [number, number, number] } : bone,
    )
    expect(() => ragdollAsset(sheared)).toThrow(
      /bone "spine": scale must be of one size on all axes where a bone has children/,
    )
    expect(() => ragdollAsset(humanoid(), { masss: 3 } as object)).toThrow(/known fields.*masss/)
    expect(() => ragdollAsset(humanoid(), { masses: { tail: 3 } })).toThrow(/masses: must name parts, got "tail"/)
    expect(() => ragdollAsset(humanoid(), { detail: 12 as 11 })).toThrow(/detail must be/)
    expect(() => ragdollAsset(humanoid(), { roles: { hips: 'hips' } })).toThrow(/roles must have leftUpperArm/)
  })
})
