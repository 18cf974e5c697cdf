/** Objects of bodies under parents that are mirrored or scaled unevenly. */

import { solidBox, World } from '@tautline/core'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { Bindings } from '../src/index.js'
import { nested, ROUND_OFF } from './support/three.js'

const UNEVEN = /parents of .* must be scaled evenly, as it turns with its body, got a scale of/

/** The linear part of where a mesh is drawn. */
function drawn(object: THREE.Object3D): THREE.Matrix4 {
  object.updateWorldMatrix(true, false)
  return object.matrixWorld.clone().setPosition(0, 0, 0)
}

function distance(a: THREE.Matrix4, b: THREE.Matrix4): number {
  return Math.max(...a.elements.map((value, k) => Math.abs(value - b.elements[k])))
}

/** A chain of parents with the signs of their scales drawn. */
function mirrored(random: Random): THREE.Object3D {
  const parent = nested(random, new THREE.Scene(), 3)
  for (let up: THREE.Object3D | null = parent; up !== null; up = up.parent) {
    for (const axis of ['x', 'y', 'z'] as const) if (random.chance(0.5)) up.scale[axis] *= -1
  }
  return parent
}

describe(`parents (seed ${SEED})`, () => {
  const random = new Random(SEED)
  const spinning = (world: World, type: 'dynamic' | 'kinematic') =>
    world.addBody({
      type,
      position: random.vector(3),
      orientation: random.rotation(),
      velocity: random.vector(2),
      angularVelocity: random.vector(5),
      inertia: solidBox(1, [0.3, 0.4, 0.5]),
    })

  it('that are mirrored turn and move objects with their bodies, and keep an offset', () => {
    for (let round = 0; round < 40; round++) {
      const world = new World({ gravity: [0, 0, 0] })
      const bindings = new Bindings(world)
      const body = spinning(world, 'dynamic')
      const object = new THREE.Object3D()
      mirrored(random).add(object)
      object.position.fromArray(random.vector() as number[])
      object.quaternion.fromArray(random.rotation() as number[])
      object.scale.set(1, random.chance(0.5) ? -2 : 2, 3)
      const first = drawn(object)
      const q = new THREE.Quaternion().fromArray(body.orientation as number[])
      bindings.bind(body, object, { keepOffset: true })
      bindings.update()
      expect(distance(drawn(object), first)).toBeLessThan(100 * ROUND_OFF)
      for (let k = 0; k < 3; k++) {
        world.step()
        bindings.update()
        const turn = new THREE.Quaternion().fromArray(body.orientation as number[]).multiply(q.clone().invert())
        const wanted = new THREE.Matrix4().makeRotationFromQuaternion(turn).multiply(first)
        expect(distance(drawn(object), wanted)).toBeLessThan(100 * ROUND_OFF)
      }
    }
  })

  it('that are mirrored hand a driven body the turn of its object', () => {
    for (let round = 0; round < 40; round++) {
      const world = new World({ gravity: [0, 0, 0] })
      const bindings = new Bindings(world)
      const body = spinning(world, 'kinematic')
      const object = new THREE.Object3D()
      mirrored(random).add(object)
      bindings.drive(body, object)
      bindings.aim()
      world.step()
      const before = drawn(object)
      const q = new THREE.Quaternion().fromArray(body.orientation as number[])
      object.quaternion.fromArray(random.rotation() as number[])
      bindings.aim()
      world.step()
      const turn = new THREE.Quaternion().fromArray(body.orientation as number[]).multiply(q.invert())
      const wanted = new THREE.Matrix4().makeRotationFromQuaternion(turn).multiply(before)
      expect(distance(drawn(object), wanted)).toBeLessThan(1e-9)
    }
  })

  it('that are scaled unevenly or sheared are refused where the object turns', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const bindings = new Bindings(world)
    const sheared = new THREE.Object3D()
    const inner = new THREE.Object3D()
    sheared.scale.set(1, 2, 1)
    inner.rotation.z = 0.5
    sheared.add(inner)
    for (const parent of [sheared, inner]) {
      const object = new THREE.Object3D()
      parent.add(object)
      expect(() => bindings.bind(spinning(world, 'dynamic'), object)).toThrow(UNEVEN)
      expect(() => bindings.drive(spinning(world, 'kinematic'), object)).toThrow(UNEVEN)
    }
    expect(bindings.objects()).toEqual([])
    const [shown, driver] = [new THREE.Object3D(), new THREE.Object3D()]
    const later = new THREE.Object3D()
    later.add(shown)
    bindings.bind(spinning(world, 'dynamic'), shown)
    bindings.update()
    later.scale.set(1, 1.5, 1)
    expect(() => bindings.update()).toThrow(UNEVEN)
    bindings.clear()
    const other = new THREE.Object3D()
    other.add(driver)
    bindings.drive(spinning(world, 'kinematic'), driver)
    bindings.aim()
    other.scale.set(1, 1.5, 1)
    expect(() => bindings.aim()).toThrow(UNEVEN)
  })

  it('that are scaled unevenly show particles and instances where they are', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const bindings = new Bindings(world)
    const parent = new THREE.Object3D()
    parent.scale.set(1, 2, -3)
    const [object, mesh] = [new THREE.Object3D(), new THREE.InstancedMesh(new THREE.BoxGeometry(), undefined, 1)]
    parent.add(object, mesh)
    const body = spinning(world, 'dynamic')
    bindings.bind(world.addParticle({ position: [1, 2, 3] }), object)
    bindings.bindInstances([body], mesh)
    bindings.update()
    expect(object.getWorldPosition(new THREE.Vector3()).toArray()).toEqual([1, 2, 3])
    const matrix = new THREE.Matrix4()
    mesh.getMatrixAt(0, matrix)
    const wanted = new THREE.Matrix4().makeRotationFromQuaternion(
      new THREE.Quaternion().fromArray(body.orientation as number[]),
    )
    expect(distance(drawn(mesh).multiply(matrix).setPosition(0, 0, 0), wanted)).toBeLessThan(1e-6)
  })
})
