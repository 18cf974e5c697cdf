/** Poses taken over from one skeleton to another: turns, hips, feet that stand. */

import { compose, rotateVector, rotationBetween } from '@tautline/core/kernel'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { type BoneDef, IkSolver, Pose, PositionGoal, Rig, WorldPose } from '../src/index.js'
import { Retarget } from '../src/retarget.js'
import { parseBvh } from '../src/rigs/bvh.js'
import { dataFile } from './support/data.js'

/** Rotations composed along half a dozen bones. */
const ROUND_OFF = 1e-12

const LEGS = ['left', 'right'].flatMap((side, k) => [
  { name: `${side} thigh`, parent: 'hips', position: [k === 0 ? 0.1 : -0.1, 0, 0] },
  { name: `${side} shin`, parent: `${side} thigh`, position: [0, -0.4, 0] },
  { name: `${side} foot`, parent: `${side} shin`, position: [0, -0.4, 0.01] },
])
const BONES = [
  { name: 'hips', parent: null, position: [0, 0.9, 0] },
  ...LEGS,
  { name: 'chest', parent: 'hips', position: [0, 0.3, 0] },
  { name: 'head', parent: 'chest', position: [0, 0.3, 0] },
] as BoneDef[]
const TIPS: Record<string, readonly [number, number, number]> = {
  head: [0, 0.2, 0],
  'left foot': [0, -0.05, 0.15],
  'right foot': [0, -0.05, 0.15],
}

/**
 * The figure with legs and trunk of other lengths, its bones' axes turned at random and an extra bone in its spine, whose world places
 * at rest look like the first's.
 */
function figure(legs = 1, trunk = 1, random?: Random): Rig {
  const turns = new Map<string, readonly [number, number, number, number]>()
  const bones: BoneDef[] = []
  const of = (name: string | number | null): readonly [number, number, number, number] =>
    turns.get(String(name)) ?? [0, 0, 0, 1]
  for (const bone of BONES) {
    const turn =
      random === undefined ? ([0, 0, 0, 1] as const) : (random.rotation() as [number, number, number, number])
    turns.set(bone.name, turn)
    const lengths = bone.name === 'chest' || bone.name === 'head' ? trunk : legs
    const place = bone.position as readonly number[]
    const parent = conjugate(of(bone.parent as string))
    const tip = TIPS[bone.name]
    bones.push({
      ...bone,
      position:
        bone.parent === null
          ? [0, 0.9 * legs, 0]
          : rotated(
              parent,
              place.map((x) => lengths * x),
            ),
      rotation: bone.parent === null ? turn : times(parent, turn),
      ...(tip !== undefined && { tip: rotated(conjugate(turn), tip) }),
    })
  }
  return Rig.from(bones)
}

function conjugate([x, y, z, w]: readonly [number, number, number, number]): [number, number, number, number] {
  return [-x, -y, -z, w]
}

function times(p: ArrayLike<number>, q: ArrayLike<number>): [number, number, number, number] {
  const out = new Float64Array(4)
  compose(Float64Array.from(p), 0, Float64Array.from(q), 0, out, 0)
  return [out[0], out[1], out[2], out[3]]
}

function rotated(q: ArrayLike<number>, v: ArrayLike<number>): [number, number, number] {
  const out = new Float64Array(3)
  rotateVector(Float64Array.from(q), 0, v[0], v[1], v[2], out, 0)
  return [out[0], out[1], out[2]]
}

const SAME = Object.fromEntries(BONES.map(({ name }) => [name, name]))

function randomPose(rig: Rig, random: Random): Pose {
  const pose = new Pose(rig)
  for (let i = 0; i < rig.count; i++) pose.rotations.set(random.rotation(), 4 * i)
  for (let k = 0; k < 3; k++) pose.positions[k] += random.between(-1, 1)
  return pose
}

function places(rig: Rig, pose: Pose): WorldPose {
  return new WorldPose(rig).update(rig, pose)
}

function angleBetween(a: Float64Array, b: Float64Array, i: number): number {
  const v = new Float64Array(3)
  rotationBetween(a, 4 * i, b, 4 * i, v, 0)
  return Math.hypot(...v)
}

/** A walk: the feet stand by turns, to round-off, on a straight line. */
function walk(rig: Rig): { poses: Pose[]; stands: ('left' | 'right')[] } {
  const poses: Pose[] = []
  const stands: ('left' | 'right')[] = []
  const goals = rig.names.flatMap((name, i) => (name.endsWith('foot') ? [{ name, i }] : []))
  const pose = new Pose(rig)
  rig.root('free')
  const rest = places(rig, pose).positions.slice()
  for (let k = 0; k < 80; k++) {
    const t = k / 20
    const phase = Math.floor(t)
    const stand = phase % 2 === 0 ? 'left' : 'right'
    pose.positions.set([0, 0.85, 0.3 * t])
    const limb = new IkSolver(rig, { tolerance: 1e-10, iterations: 200 })
    for (const { name, i } of goals) {
      const own = name.startsWith(stand)
      const z = own ? 0.3 * (phase + 0.5) : 0.3 * (phase - 0.5) + 0.6 * (t - phase)
      const lift = own ? 0 : 0.1 * Math.sin(Math.PI * (t - phase))
      const side = name.startsWith('left') ? 'left thigh' : 'right thigh'
      const target: [number, number, number] = [rest[3 * i], rest[3 * i + 1] + lift, z]
      limb.add(new PositionGoal(rig, i, target, { point: [0, 0, 0], chain: side }))
    }
    limb.solve(pose)
    poses.push(new Pose(rig).copy(pose))
    stands.push(stand)
  }
  return { poses, stands }
}

describe(`retargeting (seed ${SEED})`, () => {
  it('gives a rig its own pose back', () => {
    const random = new Random(SEED)
    const rig = figure()
    const same = new Retarget(rig, rig, SAME, { feet: ['left foot', 'right foot'] })
    expect(same.scale).toBe(1)
    for (let k = 0; k < 50; k++) {
      const pose = randomPose(rig, random)
      const out = same.apply(pose, new Pose(rig))
      for (let i = 0; i < rig.count; i++) expect(angleBetween(out.rotations, pose.rotations, i)).toBeLessThan(ROUND_OFF)
      out.positions.forEach((x, k) => expect(x).toBeCloseTo(pose.positions[k], 12))
    }
  })

  it('measures legs from the joint on that both rigs have', () => {
    const to = figure()
    // The same, with a bone from the hips' middle to each thigh.
    const from = Rig.from(
      BONES.flatMap((bone): BoneDef[] =>
        bone.name.endsWith('thigh')
          ? [
              { name: `${bone.name} joint`, parent: 'hips', position: bone.position },
              { ...bone, parent: `${bone.name} joint`, position: [0, -0.2, 0] },
            ]
          : [bone],
      ),
    )
    const feet = ['left foot', 'right foot']
    expect(new Retarget(from, to, SAME, { feet }).scale).toBeCloseTo(1, 12)
    expect(new Retarget(to, from, SAME, { feet }).scale).toBeCloseTo(1, 12)
    // Where hips and feet alone are mapped there are only the whole legs.
    const ends = { hips: 'hips', 'left foot': 'left foot', 'right foot': 'right foot' }
    expect(new Retarget(from, to, ends, { feet }).scale).toBeCloseTo(0.8, 2)
  })

  it('is blind to the axes and lengths of bones', () => {
    const random = new Random(SEED)
    const from = figure(1, 1, random)
    const to = figure(0.5, 2, random)
    const [rest, toRest] = [places(from, new Pose(from)), places(to, new Pose(to))]
    const map = new Retarget(from, to, SAME, { feet: ['left foot', 'right foot'] })
    expect(map.scale).toBeCloseTo(0.5, 12)
    for (let k = 0; k < 50; k++) {
      const pose = randomPose(from, random)
      const world = places(from, pose)
      const out = places(to, map.apply(pose, new Pose(to)))
      for (let i = 0; i < from.count; i++) {
        const turn = (now: WorldPose, then: WorldPose): number[] =>
          times(now.rotations.slice(4 * i, 4 * i + 4), conjugate([...then.rotations.slice(4 * i, 4 * i + 4)] as never))
        const [mine, theirs] = [turn(out, toRest), turn(world, rest)].map((q) => Float64Array.from(q))
        expect(angleBetween(mine, theirs, 0)).toBeLessThan(ROUND_OFF)
      }
      for (let k = 0; k < 3; k++) {
        const way = world.positions[k] - rest.positions[k]
        expect(out.positions[k] - toRest.positions[k]).toBeCloseTo(0.5 * way, 12)
      }
    }
  })

  it('turns into another world, from poses that look alike', () => {
    const random = new Random(SEED)
    const from = figure()
    const to = figure()
    // The second rig rests with a bent knee and faces x: its reference pose straightens it.
    const bent = new Pose(to)
    const align = [0, Math.SQRT1_2, 0, Math.SQRT1_2] as const
    bent.rotations.set(times(align, bent.rotations.subarray(0, 4)), 0)
    const map = new Retarget(from, to, SAME, { align, reference: { to: bent } })
    const pose = randomPose(from, random)
    const [a, b] = [places(from, pose), places(to, map.apply(pose, new Pose(to)))]
    for (let i = 0; i < from.count; i++) {
      const seen = times(align, a.rotations.slice(4 * i, 4 * i + 4))
      expect(
        angleBetween(Float64Array.from(times(seen, [0, 0, 0, 1])), b.rotations.slice(4 * i, 4 * i + 4), 0),
      ).toBeLessThan(ROUND_OFF)
      // The figure turned as a whole about where the hips were.
      const way = rotated(
        align,
        [0, 1, 2].map((k) => a.positions[3 * i + k] - (k === 1 ? 0.9 : 0)),
      )
      way.forEach((x, k) => expect(b.positions[3 * i + k]).toBeCloseTo(x + (k === 1 ? 0.9 : 0), 12))
    }
  })

  it('leaves bones without a counterpart at rest, and hips below a root go where they belong', () => {
    const from = figure()
    const to = Rig.from([
      { name: 'world', parent: null, position: [0, 0, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
      { name: 'pelvis', parent: 0, position: [0.9, 0, 0], rotation: [0, 0, -Math.SQRT1_2, Math.SQRT1_2] },
      { name: 'spine', parent: 1, position: [0, 0.15, 0] },
      { name: 'chest', parent: 2, position: [0, 0.15, 0], tip: [0, 0.3, 0] },
    ])
    const map = new Retarget(from, to, { pelvis: 'hips', chest: 'chest' }, { scale: 1 })
    const pose = randomPose(from, new Random(SEED))
    const out = map.apply(pose, new Pose(to))
    expect([...out.rotations.slice(8, 12)]).toEqual([0, 0, 0, 1])
    const [a, b] = [places(from, pose), places(to, out)]
    for (let k = 0; k < 3; k++) expect(b.positions[3 + k]).toBeCloseTo(a.positions[k], 12)
    const chest = from.indexOf('chest')
    expect(angleBetween(a.rotations.slice(4 * chest), b.rotations.slice(12), 0)).toBeLessThan(ROUND_OFF)
  })

  it('keeps feet from sliding with goals on them', () => {
    const from = figure()
    const to = figure(0.8, 1.1, new Random(5)).root('free')
    // Shorter shins than thighs: no scale makes the feet stand.
    for (const shin of ['left shin', 'right shin']) {
      const o = 3 * to.indexOf(shin)
      for (let k = o; k < o + 3; k++) to.restPosition[k] *= 1.25
    }
    const { poses, stands } = walk(from)
    const slide = (withGoals: boolean): number => {
      const map = new Retarget(from, to, SAME, { feet: ['left foot', 'right foot'] })
      const solver = new IkSolver(to, { iterations: 60, tolerance: 1e-5 })
      if (withGoals) map.addFeet(solver, { orientationWeight: 0.05 })
      let most = 0
      let landed = new Float64Array(3)
      poses.forEach((pose, k) => {
        const out = map.apply(pose, new Pose(to))
        if (withGoals) solver.solve(out)
        const o = 3 * to.indexOf(`${stands[k]} foot`)
        const now = places(to, out).positions.slice(o, o + 3)
        if (k === 0 || stands[k] !== stands[k - 1]) landed = now
        most = Math.max(most, Math.hypot(...[0, 1, 2].map((c) => now[c] - landed[c])))
      })
      return most
    }
    expect(slide(false)).toBeGreaterThan(5e-3)
    expect(slide(true)).toBeLessThan(5e-4)
  })

  const file = dataFile('mocap/01_01.bvh')
  it.skipIf(file === undefined)('puts real motion on another figure (needs mocap/01_01.bvh)', () => {
    const bvh = parseBvh(new TextDecoder().decode(file), { scale: 0.0564 })
    const from = Rig.from(bvh.bones)
    const to = figure(1.1)
    const map = new Retarget(
      from,
      to,
      {
        hips: 'Hips',
        chest: 'Spine1',
        head: 'Head',
        'left thigh': 'LeftUpLeg',
        'left shin': 'LeftLeg',
        'left foot': 'LeftFoot',
        'right thigh': 'RightUpLeg',
        'right shin': 'RightLeg',
        'right foot': 'RightFoot',
      },
      { feet: ['left foot', 'right foot'] },
    )
    // Thighs and shins against thighs and shins: the file has bones of their own between hips and thighs.
    const sum = (rig: Rig, names: readonly string[]): number =>
      names.reduce((l, name) => l + Math.hypot(...rig.restPosition.slice(3 * rig.indexOf(name)).slice(0, 3)), 0)
    const legs = ['left shin', 'left foot', 'right shin', 'right foot']
    const ratio = sum(to, legs) / sum(from, ['LeftLeg', 'LeftFoot', 'RightLeg', 'RightFoot'])
    expect(map.scale).toBeCloseTo(ratio, 12)
    const pose = new Pose(from)
    for (let k = 0; k < bvh.frameCount; k += 50) {
      bvh.pose(k, pose)
      const out = map.apply(pose, new Pose(to))
      expect(out.rotations.every((x) => Number.isFinite(x))).toBe(true)
      const head = places(to, out).positions[3 * to.indexOf('head') + 1]
      expect(head).toBeGreaterThan(0.3)
    }
  })

  it('names what is wrong', () => {
    const rig = figure()
    expect(() => new Retarget(rig, rig, { neck: 'head' })).toThrow(
      /Retarget: mapping: bone must be one of the rig, got neck/,
    )
    expect(() => new Retarget(rig, rig, {})).toThrow(/mapping must have a bone/)
    expect(() => new Retarget(rig, rig, { hips: 'hips' }, { feet: ['left foot'] })).toThrow(
      /feet must be bones of the mapping/,
    )
    expect(() => new Retarget(rig, rig, SAME, { feet: ['hips'] })).toThrow(
      /feet must hang on the hips by a leg, got "hips"/,
    )
    expect(() => new Retarget(rig, rig, SAME, { scale: 0 })).toThrow(/scale must be > 0/)
    expect(() => new Retarget(rig, rig, SAME, { align: [1, 1, 1, 1] })).toThrow(/align must be a unit quaternion/)
    const map = new Retarget(rig, rig, SAME)
    expect(() => map.addFeet(new IkSolver(rig))).toThrow(/feet must be given/)
    const legs = new Retarget(rig, rig, SAME, { feet: ['left foot'] })
    expect(() => legs.addFeet(new IkSolver(rig))).toThrow(/root of the second rig must be free/)
    expect(() => map.addFeet(new IkSolver(figure()))).toThrow(/solver must be one of the second rig/)
  })
})
