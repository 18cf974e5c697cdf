/**
 * How many bytes a frame allocates, by case, as JSON: run by `allocation.test.ts` in a process of its own, natively. With --expose-gc, and
 * with a young generation so large that nothing is collected while it is measured.
 */

import { type Body, World } from '@tautline/core'
import { box, Collisions, plane } from '@tautline/collision'
import * as THREE from 'three'
import { distance, hinge, slider, swingTwist, universal } from '../../../constraints/src/index.js'
import {
  Bindings,
  DebugLines,
  Dragger,
  FixedStep,
  RopeLine,
  RopeTube,
  SkeletonBinding,
  Surface,
} from '../../src/index.js'
import { bindRagdoll } from '../../src/ragdoll.js'

const collect = (globalThis as { gc?: () => void }).gc
if (collect === undefined) throw new Error('run with --expose-gc')

const WARM_UP = 3000
const FRAMES = 100
const ROUNDS = 5
const BODIES = 100

const world = new World({ gravity: [0, -9.81, 0] })
const bodies: Body[] = []
for (let k = 0; k < BODIES; k++) {
  bodies.push(world.addBody({ position: [k, 0, 0], inertia: [1, 2, 3], angularVelocity: [1, 2, 3] }))
}
world.step()

const scene = new THREE.Scene()
const parent = new THREE.Object3D()
parent.position.set(1, 2, 3)
scene.add(parent)

const bindings = new Bindings(world)
for (const body of bodies) {
  const object = new THREE.Object3D()
  parent.add(object)
  bindings.bind(body, object, { position: [0, 0.1, 0] })
}

const instances = new Bindings(world)
instances.bindInstances(bodies, new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), BODIES))

const triangles: number[] = []
for (let k = 0; k + 10 < BODIES; k++) if (k % 10 < 9) triangles.push(k, k + 1, k + 10)
const surface = new Surface(bodies, triangles, { space: parent })
const line = new RopeLine(bodies, { segments: 2 })
const tube = new RopeTube(bodies, { radius: 0.1, segments: 2 })

const bones = Array.from({ length: 50 }, (_, k) => {
  const bone = new THREE.Bone()
  bone.name = `b${k}`
  bone.position.set(0, 0.1, 0)
  return bone
})
bones.forEach((bone, k) => (k === 0 ? parent : bones[k - 1]).add(bone))
const figure = new SkeletonBinding(new THREE.Skeleton(bones))
const puppets = new World()
const ragdoll = bindRagdoll(figure, puppets)
puppets.step()

const jointed = new World()
const collisions = new Collisions(jointed)
collisions.addCollider(null, { shape: plane([0, 1, 0]) })
const limits = { min: -1, max: 1 }
for (let k = 0; k < 20; k++) {
  const a = collisions.addBody({ shape: box([0.1, 0.1, 0.1]), position: [k, 0.1, 0] })
  const b = collisions.addBody({ shape: box([0.1, 0.1, 0.1]), position: [k, 0.1, 1] })
  const point: [number, number, number] = [k, 0.1, 0.5]
  if (k % 5 === 0) jointed.add(hinge, { a, b, point, axis: [1, 0, 0], limits })
  if (k % 5 === 1) jointed.add(slider, { a, b, point, axis: [0, 0, 1], limits })
  if (k % 5 === 2) jointed.add(universal, { a, b, point, axisA: [1, 0, 0], limitsA: limits, limitsB: limits })
  if (k % 5 === 3)
    jointed.add(swingTwist, { a, b, point, axis: [0, 0, 1], swing: { y: limits, z: limits }, twist: limits })
  if (k % 5 === 4) jointed.add(distance, { a, b })
}
jointed.step()
const debug = new DebugLines(jointed)
const coloured = new DebugLines(jointed, { colour: 'error' })

const dragger = new Dragger(bindings)
dragger.grabBody(bodies[0])
const ray = new THREE.Ray(new THREE.Vector3(0, 0, 5), new THREE.Vector3(0, 0, -1))

const still = new FixedStep(new World())

let time = 0
const alpha = (): number => (time = (time + 0.137) % 1)

const CASES: Record<string, () => void> = {
  bodies: () => bindings.update(alpha()),
  instances: () => instances.update(alpha()),
  surface: () => surface.update(alpha()),
  line: () => line.update(alpha()),
  tube: () => tube.update(alpha()),
  ragdoll: () => ragdoll.update(alpha()),
  debug: () => debug.update(1),
  between: () => debug.update(alpha()),
  coloured: () => coloured.update(1),
  dragger: () => {
    ray.origin.x = alpha()
    dragger.move(ray)
  },
  stepper: () => {
    still.advance(1 / 60)
  },
}

const bytes: Record<string, number> = {}
for (const [name, frame] of Object.entries(CASES)) {
  for (let k = 0; k < WARM_UP; k++) frame()
  bytes[name] = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    collect()
    const before = process.memoryUsage().heapUsed
    for (let k = 0; k < FRAMES; k++) frame()
    bytes[name] = Math.min(bytes[name], (process.memoryUsage().heapUsed - before) / FRAMES)
  }
}
console.log(JSON.stringify(bytes))
