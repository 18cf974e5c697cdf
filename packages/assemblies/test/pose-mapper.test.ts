/** Poses mapped between skeletons of few and many bones: round trips, chains, locks, scaled and mirrored bones, a doll that leads a skin. */

import { World } from '@tautline/core'
import { Rig } from '@tautline/ik'
import { createPoseMapper, mapToHigh, mapToLow, type PoseData, type PoseMapperOptions } from '@tautline/ik/poses'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RagdollBone, ragdoll, ragdollAsset, restPose, type Skeleton } from '../src/index.js'
import { humanoid, random } from './support/figures.js'

type Vec = [number, number, number]

/** Round-off of a dozen turns and sums of lengths near 1 [1, m]. */
const ROUND_OFF = 1e-12
/** The same where lengths are centimetres. */
const ROUND_OFF_CM = 1e-10

const LOW = ['hips', 'chest', 'head'].concat(
  ['left', 'right'].flatMap((side) => ['UpperArm', 'LowerArm', 'UpperLeg', 'LowerLeg'].map((part) => side + part)),
)

/** The humanoid with a back of five, a neck of two and fingers: 67 bones. */
function detailed(): RagdollBone[] {
  const back: RagdollBone[] = []
  for (let k = 0; k < 4; k++) {
    back.push({
      name: `back ${k}`,
      parent: k === 0 ? 'hips' : `back ${k - 1}`,
      position: [0, k === 0 ? 0.02 : 0.05, 0.01 * k],
    })
  }
  const bones = humanoid().flatMap((bone): RagdollBone[] => {
    if (bone.name === 'spine') return back
    if (bone.name === 'chest') return [{ ...bone, parent: 'back 3', position: [0, 0.08, -0.02] }]
    if (bone.name === 'head') {
      const half: Vec = [0, 0.05, 0]
      return [
        { name: 'neck2', parent: 'neck', position: half },
        { ...bone, parent: 'neck2', position: half },
      ]
    }
    return [bone]
  })
  for (const side of ['left', 'right']) {
    for (let finger = 0; bones.length < (side === 'left' ? 49 : 67); finger++) {
      const parent = finger % 3 === 0 ? `${side}Hand` : `${side}Finger ${finger - 1}`
      bones.push({
        name: `${side}Finger ${finger}`,
        parent,
        position: [side === 'left' ? 0.03 : -0.03, 0, 0.01 * finger],
      })
    }
  }
  return bones
}

/** A doll's skeleton of 11 bones, at the same places. */
function coarse(): RagdollBone[] {
  const { names, worldPositions } = ragdollAsset(detailed()).skeleton
  const at = (name: string): number[] => Array.from(worldPositions.subarray(3 * names.indexOf(name)).subarray(0, 3))
  return LOW.map((name): RagdollBone => {
    const upper = name.replace('Lower', 'Upper')
    const parent = name === 'hips' ? null : upper !== name ? upper : /Leg|chest/.test(name) ? 'hips' : 'chest'
    const from = parent === null ? [0, 0, 0] : at(parent)
    return { name, parent, position: at(name).map((x, k) => x - from[k]) as Vec }
  })
}

const skeletonOf = (bones: readonly RagdollBone[], scale = 1): Skeleton =>
  ragdollAsset(bones, { scale, roles: 'none' }).skeleton

/** Any pose: every bone turned, the root moved, and all others off by `loose` [m]. */
function posed(skeleton: Skeleton, seed: number, loose: number, turns = 1): PoseData {
  const next = random(seed)
  const pose = restPose(skeleton)
  for (let i = 0; i < skeleton.names.length; i++) {
    const q = [0, 1, 2].map(() => turns * (next() - 0.5)).concat(1)
    const length = Math.hypot(...q)
    q.forEach((x, k) => (pose.rotations[4 * i + k] = x / length))
    const far = skeleton.parent[i] < 0 ? 1 : loose
    for (let k = 0; k < 3; k++) pose.positions[3 * i + k] += far * (next() - 0.5)
  }
  return pose
}

const copy = ({ positions, rotations }: PoseData): PoseData => ({
  positions: positions.slice(),
  rotations: rotations.slice(),
})

/** Largest difference of two poses, rotations but for their sign. */
function apart(a: PoseData, b: PoseData): number {
  let worst = 0
  a.positions.forEach((x, k) => (worst = Math.max(worst, Math.abs(x - b.positions[k]))))
  for (let i = 0; i < a.rotations.length; i += 4) {
    let d = 0
    for (let k = i; k < i + 4; k++) d += a.rotations[k] * b.rotations[k]
    for (let k = i; k < i + 4; k++) worst = Math.max(worst, Math.abs(a.rotations[k] - Math.sign(d) * b.rotations[k]))
  }
  return worst
}

/** Places of bones in the skeleton's space, by what `unit` and `mirror` are said to be. */
function places({ names, parent, order, unit, mirror }: Skeleton, pose: PoseData): Map<string, Vec> {
  const [x, q]: [Vec[], number[][]] = [[], []]
  for (const i of order) {
    const local = [0, 1, 2].map((k) => unit[3 * i + k] * pose.positions[3 * i + k]) as Vec
    const turn = [0, 1, 2, 3].map((k) => pose.rotations[4 * i + k] * (k < 3 ? mirror[3 * i + k] : 1))
    const p = parent[i]
    x[i] = p < 0 ? local : (turned(q[p], local).map((value, k) => value + x[p][k]) as Vec)
    q[i] = p < 0 ? turn : times(q[p], turn)
  }
  return new Map(names.map((name, i) => [name, x[i]]))
}

function times([ax, ay, az, aw]: number[], [bx, by, bz, bw]: number[]): number[] {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ]
}

function turned(q: number[], v: Vec): number[] {
  return times(times(q, [...v, 0]), [-q[0], -q[1], -q[2], q[3]])
}

const far = (a: readonly number[], b: readonly number[]): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])

const high = skeletonOf(detailed())
const low = skeletonOf(coarse())

describe('mapping between skeletons', () => {
  it('has 11 and 67 bones, and gives rest for rest both ways', () => {
    expect([low.names.length, high.names.length]).toEqual([11, 67])
    const mapper = createPoseMapper(low, high)
    const [a, b] = [restPose(low), restPose(high)]
    expect(apart(mapToHigh(mapper, posed(high, 1, 1), a), b)).toBeLessThan(ROUND_OFF)
    expect(apart(mapToLow(mapper, posed(low, 2, 1), b), a)).toBeLessThan(ROUND_OFF)
  })

  it('comes back from the high skeleton with the pose it went with, joints torn or not, whatever leads', () => {
    const mapper = createPoseMapper(low, high)
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), fc.double({ min: 0, max: 0.3, noNaN: true }), (seed, leads, loose) => {
        const pose = posed(low, seed, loose, 2)
        const lead = leads ? posed(high, seed + 1, 0.05) : undefined
        const there = mapToHigh(mapper, restPose(high), pose, lead)
        expect(apart(mapToLow(mapper, restPose(low), there), pose)).toBeLessThan(ROUND_OFF)
      }),
    )
  })

  it('leaves the pose that leads alone where the low skeleton says the same, alias or not', () => {
    const mapper = createPoseMapper(low, high)
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const lead = posed(high, seed, 0.02, 0.8)
        const same = copy(lead)
        expect(apart(mapToHigh(mapper, same, mapToLow(mapper, restPose(low), lead), same), lead)).toBeLessThan(
          ROUND_OFF,
        )
      }),
    )
  })

  it('has chains meet their ends, spread over their bones', () => {
    const mapper = createPoseMapper(low, high)
    const stiff = createPoseMapper(low, high, { spread: 0 })
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const pose = posed(low, seed, 0.03, 0.8)
        const [there, whole] = [mapper, stiff].map((each) => places(high, mapToHigh(each, restPose(high), pose)))
        const from = places(low, pose)
        for (const name of LOW) {
          expect(far(there.get(name) as Vec, from.get(name) as Vec)).toBeLessThan(ROUND_OFF)
          expect(far(whole.get(name) as Vec, from.get(name) as Vec)).toBeLessThan(ROUND_OFF)
        }
        // All lengths of a chain are stretched alike: none of its joints takes the gap by itself.
        const rest = places(high, restPose(high))
        const chain = ['back 0', 'back 1', 'back 2', 'back 3', 'chest']
        const ratios = chain.slice(1).map((name, k) => {
          const length = (at: Map<string, Vec>): number => far(at.get(name) as Vec, at.get(chain[k]) as Vec)
          return length(there) / length(rest)
        })
        for (const ratio of ratios) expect(Math.abs(ratio - ratios[0])).toBeLessThan(ROUND_OFF * 100)
      }),
    )
  })

  it('spreads nothing over what leads to one of a pair of limbs, unless it is asked to', () => {
    const turnOf = (spread: number | undefined, bone: string, name: string): number => {
      const pose = restPose(low)
      pose.rotations.set([0.6, 0, 0, 0.8], 4 * low.names.indexOf(bone))
      const out = mapToHigh(createPoseMapper(low, high, spread === undefined ? {} : { spread }), restPose(high), pose)
      return Math.abs(out.rotations[4 * high.names.indexOf(name)])
    }
    expect(turnOf(undefined, 'leftUpperArm', 'leftShoulder')).toBeLessThan(ROUND_OFF)
    expect(turnOf(1, 'leftUpperArm', 'leftShoulder')).toBeGreaterThan(0.05)
    for (const [bone, name] of [
      ['head', 'neck2'],
      ['chest', 'back 2'],
    ]) {
      expect(turnOf(undefined, bone, name)).toBeCloseTo(turnOf(1, bone, name), 12)
      expect(turnOf(undefined, bone, name)).toBeGreaterThan(0.05)
    }
  })

  it('bends a straight chain as a clamped rod and twists it in shares by length', () => {
    const bone = (name: string, parent: string | null, y: number): RagdollBone => ({
      name,
      parent,
      position: [0, y, 0],
    })
    const rod = skeletonOf([
      bone('a', null, 0),
      bone('1', 'a', 0),
      bone('2', '1', 0.2),
      bone('3', '2', 0.2),
      bone('b', '3', 0.4),
    ])
    const ends = skeletonOf([bone('a', null, 0), bone('b', 'a', 0.8)])
    const mapper = createPoseMapper(ends, rod)
    const angles = (axis: number, angle: number): number[] => {
      const pose = restPose(ends)
      pose.rotations[4 + axis] = Math.sin(angle / 2)
      pose.rotations[7] = Math.cos(angle / 2)
      const { rotations } = mapToHigh(mapper, restPose(rod), pose)
      return [1, 2, 3, 4].map((i) => 2 * Math.asin(rotations[4 * i + axis]))
    }
    // Turns in the parents: s over the middles 1/8, 3/8, 3/4, and the rest at the end.
    angles(1, 0.8).forEach((angle, k) => expect(angle).toBeCloseTo(0.8 * [0.125, 0.25, 0.375, 0.25][k], 12))
    // [s³ − s²] by length: −3/16, −5/16, 1/4, 1; to the second order of the angle.
    angles(0, 1e-4).forEach((angle, k) => expect(angle / 1e-4).toBeCloseTo([-3 / 16, -1 / 8, 9 / 16, 3 / 4][k], 6))
  })

  it('keeps lengths where it is asked to, and the root free', () => {
    const all = createPoseMapper(low, high, { lockTranslations: true })
    const one = createPoseMapper(low, high, { lockTranslations: ['leftLowerArm'] })
    const rest = restPose(high)
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const pose = posed(low, seed, 0.1)
        const there = mapToHigh(all, restPose(high), pose)
        for (let i = 0; i < high.names.length; i++) {
          if (high.names[i] === 'hips') continue
          for (let k = 3 * i; k < 3 * i + 3; k++) expect(there.positions[k]).toBe(rest.positions[k])
        }
        expect(far(places(high, there).get('hips') as Vec, places(low, pose).get('hips') as Vec)).toBeLessThan(
          ROUND_OFF,
        )
        // Turns are kept whole, and so are poses whose joints were not torn.
        const whole = posed(low, seed, 0)
        expect(apart(mapToLow(all, restPose(low), mapToHigh(all, restPose(high), whole)), whole)).toBeLessThan(
          ROUND_OFF,
        )
        const i = high.names.indexOf('leftLowerArm')
        const held = mapToHigh(one, restPose(high), pose)
        expect([...held.positions.subarray(3 * i, 3 * i + 3)]).toEqual([...rest.positions.subarray(3 * i, 3 * i + 3)])
      }),
    )
  })

  it('maps bones that are scaled and mirrored, and skeletons of other units', () => {
    const centimetres = detailed().map((bone) => ({
      ...bone,
      position: [...(bone.position as Vec)].map((x) => 100 * x) as Vec,
    }))
    const scaled = skeletonOf(centimetres.map((bone) => (bone.parent === null ? { ...bone, scale: 0.01 } : bone)))
    const mirrored = skeletonOf(
      detailed().map((bone) =>
        bone.parent === null
          ? { ...bone, scale: [-1, 1, 1] as Vec }
          : { ...bone, position: [-(bone.position as Vec)[0], ...(bone.position as Vec).slice(1)] as Vec },
      ),
    )
    const inCentimetres = skeletonOf(centimetres)
    const cases: [Skeleton, PoseMapperOptions, number][] = [
      [scaled, {}, 1],
      [mirrored, {}, 1],
      [inCentimetres, { scale: 100 }, 100],
    ]
    for (const [skeleton, options, unit] of cases) {
      const mapper = createPoseMapper(low, skeleton, options)
      fc.assert(
        fc.property(fc.nat(), (seed) => {
          const pose = posed(low, seed, 0.1)
          const there = mapToHigh(mapper, restPose(skeleton), pose)
          const [at, from] = [places(skeleton, there), places(low, pose)]
          for (const name of LOW) {
            const [x, y, z] = (at.get(name) as Vec).map((value) => value / unit)
            expect(far([x, y, z], from.get(name) as Vec)).toBeLessThan(ROUND_OFF_CM)
          }
          expect(apart(mapToLow(mapper, restPose(low), there), pose)).toBeLessThan(ROUND_OFF_CM)
        }),
      )
    }
  })

  it('finds bones by role, by a map, by a list; rigs as well', () => {
    const names: Record<string, string> = { hips: 'pelvis', chest: 'spine_02', head: 'head' }
    for (const [side, s] of [
      ['left', 'l'],
      ['right', 'r'],
    ]) {
      names[`${side}UpperArm`] = `upperarm_${s}`
      names[`${side}LowerArm`] = `lowerarm_${s}`
      names[`${side}UpperLeg`] = `thigh_${s}`
      names[`${side}LowerLeg`] = `calf_${s}`
    }
    const unreal = coarse().map((bone) => ({
      ...bone,
      name: bone.name === 'head' ? 'Head' : names[bone.name],
      parent: bone.parent === null ? null : names[bone.parent as string],
    }))
    const byRole = createPoseMapper(skeletonOf(unreal), high)
    const byMap = createPoseMapper(skeletonOf(unreal), high, {
      bones: Object.fromEntries(LOW.map((name) => [name === 'head' ? 'Head' : names[name], name])),
    })
    const byRig = createPoseMapper(Rig.from(coarse()), Rig.from(detailed()), { bones: LOW })
    const pose = posed(low, 7, 0.1)
    const expected = mapToHigh(createPoseMapper(low, high), restPose(high), pose)
    for (const mapper of [byRole, byMap, byRig, structuredClone(byRig)]) {
      expect(mapToHigh(mapper, restPose(high), pose)).toEqual(expected)
    }
  })

  it('refuses what cannot be mapped', () => {
    const other = skeletonOf([{ name: 'box', parent: null, position: [0, 0, 0], tip: [0, 1, 0] }])
    expect(() => createPoseMapper(low, other)).toThrow(/bones must be given/)
    expect(() => createPoseMapper(low, high, { bones: { hips: 'tail' } })).toThrow(/"tail"/)
    expect(() => createPoseMapper(low, high, { bones: { hips: 'hips', chest: 'hips' } })).toThrow(/"hips" twice/)
    expect(() => createPoseMapper(low, high, { bones: {} })).toThrow(/at least one/)
    expect(() => createPoseMapper(low, high, { spread: 2 })).toThrow(/spread/)
    expect(() => createPoseMapper(low, high, { scale: 0 })).toThrow(/scale/)
    expect(() => createPoseMapper(low, high, { lock: true } as object)).toThrow(/lock/)
    expect(() => createPoseMapper({ ...low, parent: [1, 0, ...low.parent.slice(2)] }, high)).toThrow(/cycles/)
    const mapper = createPoseMapper(low, high)
    expect(() => mapToHigh(mapper, restPose(low), restPose(low))).toThrow(/out must have .* 67 bones/)
    expect(() => mapToLow(mapper, restPose(low), restPose(low))).toThrow(/pose must have .* 67 bones/)
  })

  it('has a doll of 11 bones lead 67', () => {
    const world = new World({ substeps: 2, gravity: [0, 0, 0] })
    const doll = ragdoll(world, coarse())
    expect(doll.asset.parts).toHaveLength(11)
    const mapper = createPoseMapper(doll.asset.skeleton, high)
    const [pose, skin] = [restPose(doll.asset.skeleton), restPose(high)]
    doll.hit('chest', [0, 5, -20])
    for (let frame = 0; frame < 20; frame++) {
      world.step()
      mapToHigh(mapper, skin, doll.pose(pose))
      const [at, from] = [places(high, skin), places(doll.asset.skeleton, pose)]
      for (const name of LOW) expect(far(at.get(name) as Vec, from.get(name) as Vec)).toBeLessThan(ROUND_OFF)
    }
    expect(apart(skin, restPose(high))).toBeGreaterThan(0.01)
  })
})
