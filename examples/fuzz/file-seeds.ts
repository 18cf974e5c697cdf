/** Files that are right, a few of each format: what is mutated. */

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
import { World } from '@tautline/core'
import { chains, cloths, ragdolls, trees } from '@tautline/fast-check'
import fc from 'fast-check'

export type Format = 'scene' | 'collisions' | 'bvh' | 'urdf' | 'mjcf' | 'gltf'
export const FORMATS: readonly Format[] = ['scene', 'collisions', 'bvh', 'urdf', 'mjcf', 'gltf']

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
  bvh: [BVH],
  urdf: [URDF],
  mjcf: [MJCF],
  gltf: [GLTF],
}
