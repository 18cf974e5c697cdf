/** The mannequin's file: what it holds, that it is what the command makes, and that its clips stand on the ground. */

import { readFileSync } from 'node:fs'
import { type Document, NodeIO } from '@gltf-transform/core'
import { IkSolver, Pose, Rig, WorldPose } from '@tautline/ik'
import { fromGltf } from '@tautline/ik/gltf'
import { humanoidJoints, humanoidRoles } from '@tautline/ik/vrm'
import validator from 'gltf-validator'
import { AnimationMixer, type Bone as ThreeBone, type SkinnedMesh, Vector3 } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { describe, expect, test } from 'vitest'
import type { Vector } from '../data/adult.js'
import { type Clip, mannequinClips } from '../mannequin/clips.js'
import { jump } from '../mannequin/jump.js'
import { curve } from '../mannequin/curve.js'
import { modelled, type Skin } from '../mannequin/mesh.js'
import { mannequinBones, mannequinRig, MASS } from '../mannequin/skeleton.js'
import { out, Surface } from '../mannequin/surface.js'
import { minus } from '../mannequin/vectors.js'
import { mannequinGlb } from '../mannequin/write.js'

const bytes = new Uint8Array(readFileSync(new URL('../data/mannequin.glb', import.meta.url)))
const document: Document = await new NodeIO().readBinary(bytes)
const bones = mannequinBones()
const rig = mannequinRig(bones)
const clips = mannequinClips(rig, jump)
const skin = skinOf(document)
const triangles = [...skin.body, ...skin.dark]
const count = skin.positions.length / 3

function skinOf(from: Document): Skin {
  const [body, dark] = from.getRoot().listMeshes()[0].listPrimitives()
  const column = (name: string) => body.getAttribute(name)!.getArray()!
  return {
    positions: column('POSITION') as Float32Array,
    normals: column('NORMAL') as Float32Array,
    joints: column('JOINTS_0') as Uint8Array,
    weights: column('WEIGHTS_0') as Uint8Array,
    body: [...body.getIndices()!.getArray()!],
    dark: [...dark.getIndices()!.getArray()!],
  }
}

const pointOf = (i: number): Vector => [skin.positions[3 * i], skin.positions[3 * i + 1], skin.positions[3 * i + 2]]

/** Where a vertex is when each bone puts its point somewhere. */
function skinned(i: number, place: (bone: number, p: Vector) => Vector): Vector {
  const sum: [number, number, number] = [0, 0, 0]
  for (let k = 4 * i; k < 4 * i + 4; k++) {
    const share = skin.weights[k] / 255
    if (share === 0) continue
    const bone = skin.joints[k]
    const at = place(bone, minus(pointOf(i), bones[bone].joint))
    for (let c = 0; c < 3; c++) sum[c] += share * at[c]
  }
  return sum
}

/** The lowest point of the skin in a pose [m]. */
function lowest(pose: Pose): number {
  const world = new WorldPose(rig).update(rig, pose)
  let low = Infinity
  for (let i = 0; i < count; i++) low = Math.min(low, skinned(i, (bone, p) => world.point(bone, p) as Vector)[1])
  return low
}

const clip = (name: string): Clip => clips.find((each) => each.name === name)!

describe('the file', () => {
  test('is what the command makes of the skin that it has', async () => {
    expect(Buffer.from(await mannequinGlb(bones, rig, skin, clips)).equals(Buffer.from(bytes))).toBe(true)
  })

  test('has a skin on the surface that it was made from', () => {
    const places = modelled(bones)
    const ankle = bones.find(({ name }) => name === 'leftFoot')!.joint[1]
    const surface = new Surface((bone) => places.get(bone)!, places.get('leftFoot')!.position[1] - ankle)
    let worst = 0
    for (let i = 0; i < count; i += 3) {
      const at = skinned(i, (bone, p) => out(places.get(bones[bone].name)!, p))
      worst = Math.max(worst, Math.abs(surface.distance(at)))
    }
    expect(worst).toBeLessThan(2e-4)
  })

  test('is small, and has nothing that a validator minds', async () => {
    expect(bytes.length).toBeLessThan(400_000)
    const { issues, info } = await validator.validateBytes(bytes)
    expect(issues.messages).toEqual([])
    expect(info).toMatchObject({ materialCount: 2, animationCount: 8, hasSkins: true })
    expect(document.getRoot().listExtensionsRequired()).toEqual([])
  })

  test('is closed, alike on both sides, and as heavy as the adult', () => {
    expect(triangles.length / 3).toBeGreaterThan(3000)
    expect(triangles.length / 3).toBeLessThan(6000)
    const edges = new Set<string>()
    for (let k = 0; k < triangles.length; k++) {
      const next = k % 3 === 2 ? k - 2 : k + 1
      edges.add(`${triangles[k]} ${triangles[next]}`)
    }
    expect(edges.size).toBe(triangles.length)
    for (const edge of edges) expect(edges.has(edge.split(' ').reverse().join(' '))).toBe(true)
    const round = (value: number): number => Math.round(1e4 * value) + 0
    const places = new Set(Array.from({ length: count }, (_, i) => pointOf(i).map(round).join(' ')))
    const twins = Array.from({ length: count }, (_, i) => pointOf(i)).filter(([x, y, z]) =>
      places.has([-x, y, z].map(round).join(' ')),
    )
    expect(twins.length / count).toBeGreaterThan(0.97)
    // A body is a little lighter than water with its lungs full, a little heavier without.
    expect(MASS / volume()).toBeGreaterThan(940)
    expect(MASS / volume()).toBeLessThan(1080)
  })

  test('hangs every vertex on bones by weights that add up', () => {
    for (let i = 0; i < count; i++) {
      const row = skin.weights.subarray(4 * i, 4 * i + 4)
      expect(row[0] + row[1] + row[2] + row[3]).toBe(255)
      const n = skin.normals.subarray(3 * i, 3 * i + 3)
      expect(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).toBeCloseTo(1, 5)
    }
    expect(new Set(skin.joints).size).toBe(bones.length)
  })

  function volume(): number {
    let six = 0
    for (let k = 0; k < triangles.length; k += 3) {
      const [a, b, c] = [pointOf(triangles[k]), pointOf(triangles[k + 1]), pointOf(triangles[k + 2])]
      six +=
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
    }
    return six / 6
  }
})

describe('readers', () => {
  test('of @tautline/ik find the bones, each by its role', () => {
    const read = Rig.from(fromGltf(document).bones)
    expect([...read.names].sort()).toEqual(bones.map(({ name }) => name).sort())
    const roles = humanoidRoles(read.names)
    expect(Object.keys(roles)).toHaveLength(bones.length)
    for (const [role, name] of Object.entries(roles)) expect(name).toBe(role)
    expect(Object.keys(humanoidJoints(read, roles))).toHaveLength(bones.length - 1)
  })

  test('of three.js load it and play it', async () => {
    const gltf = await new GLTFLoader().parseAsync(bytes.slice().buffer, '')
    expect(gltf.animations.map(({ name }) => name)).toEqual(clips.map(({ name }) => name))
    const mixer = new AnimationMixer(gltf.scene)
    const walk = gltf.animations.find(({ name }) => name === 'walk')!
    expect(walk.userData).toMatchObject({ loops: true, speed: clip('walk').speed })
    mixer.clipAction(walk).play()
    mixer.setTime(clip('walk').times[9])
    gltf.scene.updateMatrixWorld(true)
    const world = new WorldPose(rig).update(rig, clip('walk').poses[9])
    const at = new Vector3()
    for (const { name } of bones) {
      gltf.scene.getObjectByName(name)!.getWorldPosition(at)
      const expected = world.point(name)
      expect(Math.hypot(at.x - expected[0], at.y - expected[1], at.z - expected[2])).toBeLessThan(2e-4)
    }
    const mesh = gltf.scene.getObjectByName('mannequin')!
    const skinnedMeshes: SkinnedMesh[] = []
    mesh.traverse((node) => {
      if ((node as SkinnedMesh).isSkinnedMesh) skinnedMeshes.push(node as SkinnedMesh)
    })
    expect(skinnedMeshes).toHaveLength(2)
    expect(skinnedMeshes[0].skeleton.bones.map((bone: ThreeBone) => bone.name)).toEqual(bones.map(({ name }) => name))
  })
})

describe('clips', () => {
  test('end as they begin where they loop, and at ease where they do not', () => {
    const ease = clip('idle').poses[0]
    for (const { loops, poses } of clips) {
      const [first, last] = [poses[0], poses[poses.length - 1]]
      const expected = loops ? first : ease
      expect(distance(expected, last)).toBeLessThan(1e-9)
    }
    expect(clips.map(({ name, loops }) => [name, loops])).toEqual([
      ['idle', true],
      ['walk', true],
      ['run', true],
      ['jump', false],
      ['getUpFront', false],
      ['getUpBack', false],
      ['getUpLeft', false],
      ['getUpRight', false],
    ])
  })

  test.each(clips.map(({ name }) => name))('%s neither sinks into the ground nor floats where it stands', (name) => {
    const { times, poses, contacts, duration, loops } = clip(name)
    const all = [...contacts.leftFoot, ...contacts.rightFoot]
    const stands = (time: number): boolean =>
      all.some(([from, to]) => [time, time + (loops ? duration : 0)].some((t) => t >= from + 0.01 && t <= to - 0.01))
    poses.forEach((pose, k) => {
      if (k % 2 === 1) return
      const low = lowest(pose)
      expect(low, `${name} at ${times[k]} s`).toBeGreaterThan(-0.015)
      if (stands(times[k])) expect(low, `${name} at ${times[k]} s`).toBeLessThan(0.012)
    })
  })

  // Between keys too, as a player sees them: rotations on the chord.
  test.each(clips.map(({ name }) => name))('%s plants its feet: they slide by less than a centimetre', (name) => {
    const { contacts, speed, duration, loops } = clip(name)
    for (const [foot, stands] of Object.entries(contacts)) {
      const toes = foot === 'leftFoot' ? 'leftToes' : 'rightToes'
      for (const [from, to] of stands) {
        const track: number[][] = []
        for (let time = from; time <= to + 1e-9; time += 1 / 120) {
          const world = new WorldPose(rig).update(rig, between(clip(name), loops ? time % duration : time))
          // The toes' joint stands from when the sole is flat to the last; before, the foot is on its heel.
          const [x, y, z] = world.point(toes)
          if (y < 0.034 || track.length > 0) track.push([x, y, z + speed * time])
        }
        expect(track.length).toBeGreaterThan(2)
        for (const axis of [0, 1, 2]) {
          const values = track.map((p) => p[axis])
          expect(Math.max(...values) - Math.min(...values), `${name} ${foot} axis ${axis}`).toBeLessThan(0.01)
        }
      }
    }
  })

  test('walk and idle stay within the ranges of an adult', () => {
    const limited = mannequinRig(bones)
    limited.setJoints(humanoidJoints(limited, humanoidRoles(limited.names)))
    const solver = new IkSolver(limited)
    for (const name of ['idle', 'walk']) {
      for (const pose of clip(name).poses) expect(solver.violation(pose)).toBeLessThan(0.05)
    }
  })

  test('jump flies as a thrown body does', () => {
    const { poses, times } = clip('jump')
    const heights = poses.map((pose) => pose.positions[1])
    const top = Math.max(...heights)
    expect(top).toBeGreaterThan(1.2)
    const flight = times.map((t, k) => [t, heights[k]] as const).filter(([t]) => t > 0.66 && t < 1.06)
    for (const [t, y] of flight) expect(y).toBeCloseTo(top - 0.5 * 9.81 * (t - 0.86) * (t - 0.86), 1.5)
  })

  /** The pose at a time, as a player interpolates it. */
  function between({ times, poses }: Clip, time: number): Pose {
    const k = Math.min(
      Math.max(
        times.findIndex((t) => t >= time - 1e-9),
        1,
      ),
      times.length - 1,
    )
    const s = (time - times[k - 1]) / (times[k] - times[k - 1])
    const pose = new Pose(rig)
    const mixed = (a: Float64Array, b: Float64Array, o: number): number => a[o] + s * (b[o] - a[o])
    for (let i = 0; i < 3; i++) pose.positions[i] = mixed(poses[k - 1].positions, poses[k].positions, i)
    for (let o = 0; o < 4 * rig.count; o += 4) {
      const a = poses[k - 1].rotations.subarray(o, o + 4)
      const b = poses[k].rotations.subarray(o, o + 4)
      const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1
      const q = [0, 1, 2, 3].map((c) => (1 - s) * a[c] + s * sign * b[c])
      const size = Math.hypot(...q)
      for (let c = 0; c < 4; c++) pose.rotations[o + c] = q[c] / size
    }
    return pose
  }

  /** How far a joint of one pose is from that of the other, at most [m]. */
  function distance(a: Pose, b: Pose): number {
    const [one, other] = [new WorldPose(rig).update(rig, a), new WorldPose(rig).update(rig, b)]
    return one.positions.reduce((most, x, k) => Math.max(most, Math.abs(x - other.positions[k])), 0)
  }
})

describe('curves', () => {
  const keys = [
    [0, 1],
    [1, 1],
    [2, 3],
    [4, 2],
  ] as const

  test('go through their keys, stand still between equal ones, and never overshoot', () => {
    for (const [time, value] of keys) expect(curve(keys, time)).toBeCloseTo(value, 12)
    for (let time = 0; time <= 1; time += 0.1) expect(curve(keys, time)).toBeCloseTo(1, 12)
    for (let time = -1; time <= 5; time += 0.05) {
      expect(curve(keys, time)).toBeGreaterThanOrEqual(1 - 1e-12)
      expect(curve(keys, time)).toBeLessThanOrEqual(3 + 1e-12)
    }
  })

  test('join at the end of a loop', () => {
    expect(curve(keys, 5, 5)).toBeCloseTo(curve(keys, 0, 5), 12)
    expect(curve(keys, 4.999999, 5)).toBeCloseTo(1, 5)
    expect(curve(keys, -1, 5)).toBeCloseTo(2, 12)
  })
})
