/** Files that are right, a few of each format: what is mutated. */

import {
  type Assembly,
  cloth,
  pulleys,
  ragdoll,
  type RagdollBone,
  rod,
  rope,
  softBody,
  vehicle,
} from '@tautline/assemblies'
import {
  box,
  capsule,
  Collisions,
  compound,
  convexHull,
  cylinder,
  heightfield,
  plane,
  sphere,
  taperedCapsule,
  triangleMesh,
} from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { chains, cloths, ragdolls, trees } from '@tautline/fast-check'
import fc from 'fast-check'

export type Format = 'scene' | 'collisions' | 'assemblies' | 'bvh' | 'urdf' | 'mjcf' | 'gltf'
export const FORMATS: readonly Format[] = ['scene', 'collisions', 'assemblies', 'bvh', 'urdf', 'mjcf', 'gltf']

/** Scenes of joints and cloth, after two steps. */
function joined(): string[] {
  return [chains({ size: 3 }), trees({ size: 3 }), cloths({ size: 2 }), ragdolls({ size: 3 })].map((kind) => {
    const [scene] = fc.sample(kind, { seed: 16, numRuns: 1 })
    const { world } = scene.with({ operations: [{ do: 'step', count: 2 }] }).run()
    return JSON.stringify(world)
  })
}

/** Every shape, in two scenes. */
function shaped(): string[] {
  const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
  const fixed = [
    plane([0, 1, 0]),
    heightfield({ heights: [0, 0.1, 0.2, 0], columns: 2, rows: 2, cellX: 1, cellZ: 1 }),
    triangleMesh(corners, [0, 1, 2, 0, 2, 3]),
  ]
  const moving = [
    [box([0.5, 0.5, 0.5]), capsule(0.3, 0.2), compound([{ shape: sphere(0.2) }, { shape: box([0.1, 0.2, 0.3]) }])],
    [cylinder(0.3, 0.2), convexHull(corners), taperedCapsule(0.3, 0.2, 0.1), sphere(0.3)],
  ]
  return moving.map((shapes) => {
    const world = new World()
    const collisions = new Collisions(world)
    for (const shape of fixed) collisions.addCollider(null, { shape })
    shapes.forEach((shape, k) => collisions.addBody({ shape, position: [0, 0.4 + 0.5 * k, 0] }))
    world.step()
    world.step()
    return JSON.stringify(world)
  })
}

/** A body with a box around it. */
function boxed({ collisions }: Grounded, position: [number, number, number]): Body {
  return collisions.addBody({ shape: box([0.5, 0.3, 1]), mass: 100, position })
}

/** A world with ground. */
interface Grounded {
  readonly world: World
  readonly collisions: Collisions
}

/** A trunk with a head and two arms. */
const BONES: readonly RagdollBone[] = [
  { name: 'trunk', parent: null, position: [0, 1, 0], tip: [0, 0.5, 0] },
  { name: 'head', parent: 'trunk', position: [0, 0.5, 0], tip: [0, 0.25, 0] },
  { name: 'arm', parent: 'trunk', position: [0.2, 0.4, 0], tip: [0.3, 0, 0] },
  { name: 'hand', parent: 'arm', position: [0.3, 0, 0], tip: [0.3, 0, 0] },
]
const SQUARE = { positions: [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1], indices: [0, 2, 1, 1, 2, 3] }
const TETRAHEDRA = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tetrahedra: [0, 1, 2, 3] }
const SKIN = { positions: TETRAHEDRA.positions, indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] }

/** One of every kind of assembly, a scene each. */
function assembled(): string[] {
  const kinds: readonly ((scene: Grounded) => Assembly)[] = [
    ({ world }) =>
      cloth(world, { ...SQUARE, position: [0, 2, 0], pins: [0], tether: 'geodesic', selfCollision: 'surface' }),
    (scene) =>
      rope(scene.world, {
        from: [0, 3, 0],
        to: [1, 3, 0],
        segments: 4,
        start: 'world',
        end: boxed(scene, [1, 3, 0]),
        bendCompliance: 10,
      }),
    ({ world }) => rod(world, { from: [0, 3, 0], to: [1, 3, 0], segments: 4, start: 'world' }),
    (scene) => pulleys(scene.world, { points: [{ point: [0, 3, 0] }, boxed(scene, [0, 1, 0]), { point: [1, 3, 0] }] }),
    (scene) =>
      vehicle(scene.world, {
        chassis: boxed(scene, [0, 1, 0]),
        wheels: [{ position: [-0.6, -0.3, 0], steered: true }, { position: [0.6, -0.3, 0] }],
      }),
    ({ world }) => softBody(world, { ...TETRAHEDRA, position: [0, 1, 0], pins: [3] }),
    ({ world }) => softBody(world, { ...TETRAHEDRA, position: [0, 1, 0], model: 'shape', clusters: 2 }),
    ({ world }) => softBody(world, { ...SKIN, position: [0, 1, 0], model: 'balloon' }),
    ({ world }) => ragdoll(world, { bones: BONES }, { roles: 'none' }),
  ]
  return kinds.map((make, k) => {
    const world = new World()
    const scene = { world, collisions: new Collisions(world) }
    scene.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const made = make(scene)
    if (k < 3) made.setLod({ levels: [{ distance: 10, simulate: false }] })
    world.step()
    world.step()
    return JSON.stringify(world)
  })
}

const BVH = `HIERARCHY
ROOT Hips
{
  OFFSET 0 1 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation
  JOINT Knee
  {
    OFFSET 0 -0.5 0
    CHANNELS 1 Xrotation
    End Site
    {
      OFFSET 0 -0.5 0
    }
  }
  JOINT Chest
  {
    OFFSET 0 0.5 0
    CHANNELS 3 Zrotation Yrotation Xrotation
  }
}
MOTION
Frames: 2
Frame Time: 0.0333333
0 1 0 0 0 0 10 0 0 5
0 1.1 0 1 -2 3 12 0 1e1 5
`

const URDF = `<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><inertial><mass value="4"/><inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="2.5"/></inertial></link>
  <link name="upper">
    <inertial>
      <origin xyz=".1 .2 .3" rpy="0 0 1.5"/>
      <mass value="2"/>
      <inertia ixx="1" ixy="0.1" ixz="0" iyy="2" iyz="0" izz="2.5"/>
    </inertial>
  </link>
  <link name="slide"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1" rpy=".3 -.4 .5"/>
    <axis xyz="0 0 2"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="rail" type="prismatic">
    <parent link="upper"/><child link="slide"/>
    <axis xyz="0 1 0"/>
    <limit lower="0" upper=".5" effort="1" velocity="1"/>
    <mimic joint="shoulder" multiplier="2" offset=".1"/>
  </joint>
</robot>
`

const MJCF = `<mujoco model="m">
  <compiler angle="degree" settotalmass="7"/>
  <default><joint damping="1"/><default class="arm"><geom size=".1"/><joint range="-45 45"/></default></default>
  <worldbody>
    <body name="b" pos="1 0 0" childclass="arm" quat="1 0 0 0.1">
      <freejoint/>
      <geom type="capsule" fromto="0 0 0 0 0 1" size=".05"/>
      <body name="c" pos="0 0 1" euler="10 20 30">
        <joint name="z" axis="0 0 1" pos="0 0 .1"/>
        <joint name="y" type="slide" axis="0 2 0" range="-1 2"/>
        <inertial pos="0 0 .1" mass="2" diaginertia="1 1 1"/>
        <site name="end" pos="0 0 1"/>
        <frame pos="0 1 0"><body name="d"><joint type="ball"/><geom type="box" size=".1 .2 .3" mass="3"/></body></frame>
      </body>
    </body>
  </worldbody>
</mujoco>
`

const GLTF = JSON.stringify({
  asset: { version: '2.0' },
  scene: 0,
  scenes: [{ nodes: [0] }],
  nodes: [
    { name: 'armature', rotation: [0, 0, 0, 1], scale: [1, 1, 1], children: [1] },
    { name: 'hips', translation: [0, 1, 0], children: [2, 4] },
    { name: 'spine', translation: [0, 0.2, 0], rotation: [0, 0.7071068, 0, 0.7071068], children: [3] },
    { name: 'head', translation: [0, 0.5, 0] },
    { name: 'leg', translation: [0.1, -0.5, 0] },
  ],
  skins: [{ name: 'skin', joints: [1, 2, 3, 4] }],
})

/** By format. Made once. */
export const SEEDS: Readonly<Record<Format, readonly string[]>> = {
  scene: joined(),
  collisions: shaped(),
  assemblies: assembled(),
  bvh: [BVH],
  urdf: [URDF],
  mjcf: [MJCF],
  gltf: [GLTF],
}
