/** Bodies shown by objects, objects that bodies follow, and instances. */

import { type Body, solidSphere, World } from '@tautline/core'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { Bindings } from '../src/index.js'
import { expectAt, FLOAT, nested, offsetPose, worldOf } from './support/three.js'

function spinning(random: Random, world: World): Body {
  return world.addBody({
    position: random.vector(3),
    orientation: random.rotation(),
    velocity: random.vector(2),
    angularVelocity: random.vector(5),
    inertia: solidSphere(1, 0.3),
  })
}

describe(`Bindings (seed ${SEED})`, () => {
  const random = new Random(SEED)

  it('puts objects where their bodies are, under any parent, with an offset', () => {
    for (let round = 0; round < 20; round++) {
      const world = new World()
      const bindings = new Bindings(world)
      const scene = new THREE.Scene()
      const parent = nested(random, scene, round % 4)
      const body = spinning(random, world)
      const object = new THREE.Object3D()
      object.scale.set(1, 2, 3)
      parent.add(object)
      const p = new THREE.Vector3().fromArray(random.vector() as number[])
      const q = new THREE.Quaternion().fromArray(random.rotation() as number[])
      bindings.bind(body, object, {
        position: p.toArray(),
        orientation: q.toArray() as [number, number, number, number],
      })
      for (let k = 0; k < 3; k++) {
        world.step()
        parent.position.x += 0.1
        bindings.update()
        const want = offsetPose(body, p, q)
        expectAt(object, want.position, want.orientation)
        expect(object.scale.toArray()).toEqual([1, 2, 3])
      }
    }
  })

  it('keeps an offset that is there', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const bindings = new Bindings(world)
    const object = nested(random, new THREE.Scene(), 3)
    const before = worldOf(object)
    const body = spinning(random, world)
    bindings.bind(body, object, { keepOffset: true })
    bindings.update()
    expectAt(object, before.position.toArray(), before.quaternion.toArray())
  })

  it('interpolates along the line and about the shortest turn', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const bindings = new Bindings(world)
    const object = new THREE.Object3D()
    const body = world.addBody({ velocity: [6, 0, 0], angularVelocity: [0, 0, 12], inertia: 1 })
    bindings.bind(body, object)
    world.step(1 / 60)
    for (const alpha of [0, 0.25, 0.5, 1]) {
      bindings.update(alpha)
      expect(object.position.x).toBeCloseTo(0.1 * alpha, 12)
      expect(object.rotation.z).toBeCloseTo(0.2 * alpha, 6)
    }
    const position: [number, number, number] = [0, 0, 0]
    world.interpolate(body, position)
    bindings.update(world.alpha)
    expect(object.position.toArray()).toEqual(position)
    // What is set down somewhere else does not glide there.
    body.setPosition([5, 5, 5])
    bindings.update(0.3)
    expect(object.position.toArray()).toEqual([5, 5, 5])
  })

  it('turns what shows a static or kinematic body without inertia', () => {
    const world = new World()
    const bindings = new Bindings(world)
    for (const type of ['static', 'kinematic'] as const) {
      const object = new THREE.Object3D()
      bindings.bind(world.addBody({ type, orientation: [0, 0, 0.6, 0.8] }), object)
      bindings.update()
      expect(object.quaternion.toArray()).toEqual([0, 0, 0.6, 0.8])
    }
  })

  it('leaves the orientation of what shows a particle alone, and what shows nothing any more', () => {
    const world = new World()
    const bindings = new Bindings(world)
    const object = new THREE.Object3D()
    object.quaternion.set(0, 0.6, 0, 0.8)
    const particle = world.addParticle({ position: [1, 2, 3] })
    const binding = bindings.bind(particle, object)
    bindings.update()
    expect(object.position.toArray()).toEqual([1, 2, 3])
    expect(object.quaternion.toArray()).toEqual([0, 0.6, 0, 0.8])
    object.position.set(0, 0, 0)
    particle.remove()
    bindings.update()
    expect(object.position.toArray()).toEqual([0, 0, 0])
    binding.end()
    binding.end()
    expect(bindings.objects()).toEqual([])
  })

  it('moves a bound object below another bound one in one go, whichever was bound first', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const bindings = new Bindings(world)
    const [outer, inner] = [new THREE.Object3D(), new THREE.Object3D()]
    outer.add(inner)
    const [a, b] = [spinning(random, world), spinning(random, world)]
    bindings.bind(b, inner)
    bindings.bind(a, outer)
    for (let k = 0; k < 3; k++) {
      world.step()
      bindings.update()
      expectAt(outer, a.position, a.orientation)
      expectAt(inner, b.position, b.orientation)
    }
  })

  it('writes the matrix of what does not update its own', () => {
    const world = new World()
    const bindings = new Bindings(world)
    const object = new THREE.Object3D()
    object.matrixAutoUpdate = false
    bindings.bind(world.addBody({ position: [1, 2, 3], inertia: 1 }), object)
    bindings.update()
    expect(object.matrix.elements.slice(12, 15)).toEqual([1, 2, 3])
  })

  it('lets kinematic bodies follow objects, over the steps of a frame', () => {
    const world = new World()
    const bindings = new Bindings(world)
    const object = nested(random, new THREE.Scene(), 2)
    const p = new THREE.Vector3(0.1, 0.2, 0.3)
    const q = new THREE.Quaternion().fromArray(random.rotation() as number[])
    const body = world.addBody({ type: 'kinematic', inertia: 1 })
    const offset = { position: p.toArray(), orientation: q.toArray() as [number, number, number, number] }
    bindings.drive(body, object, offset)
    for (let frame = 0; frame < 5; frame++) {
      object.position.fromArray(random.vector() as number[])
      object.quaternion.fromArray(random.rotation() as number[])
      const from = body.position
      const speeds: number[] = []
      for (let k = 0; k < 3; k++) {
        bindings.aim(k, 3)
        world.step()
        speeds.push(Math.hypot(...body.velocity))
      }
      const want = offsetPose(body, p, q)
      expectAt(object, want.position, want.orientation, 1e-9)
      // Evenly: the same speed in each step.
      expect(Math.max(...speeds) - Math.min(...speeds)).toBeLessThan(1e-9)
      expect(from).not.toEqual(body.position)
    }
    expect(bindings.bodyOf(object)).toBe(body)
  })

  it('shows piles by instances, in the mesh’s space, with bounds', () => {
    for (let round = 0; round < 10; round++) {
      const world = new World()
      const bindings = new Bindings(world)
      const bodies = Array.from({ length: 7 }, () => spinning(random, world))
      const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(1, 2, 3), new THREE.MeshBasicMaterial(), 10)
      if (round > 0) nested(random, new THREE.Scene(), 2).add(mesh)
      const scale = bodies.map(() => random.between(0.5, 2))
      const binding = bindings.bindInstances([...bodies, null], mesh, { scale: [...scale, 1] })
      expect(mesh.count).toBe(8)
      bodies[3].remove()
      world.step()
      bindings.update()
      mesh.updateWorldMatrix(true, false)
      const m = new THREE.Matrix4()
      bodies.forEach((body, k) => {
        mesh.getMatrixAt(k, m)
        if (k === 3) return expect(m.elements.slice(0, 12).every((x) => x === 0)).toBe(true)
        m.premultiply(mesh.matrixWorld)
        const at = new THREE.Vector3().setFromMatrixPosition(m)
        Array.from(body.position).forEach((x, n) => expect(Math.abs(at.getComponent(n) - x)).toBeLessThan(20 * FLOAT))
        const x = new THREE.Vector3(1, 0, 0).transformDirection(m)
        const want = new THREE.Vector3(1, 0, 0).applyQuaternion(
          new THREE.Quaternion().fromArray(body.orientation as number[]),
        )
        expect(x.distanceTo(want)).toBeLessThan(20 * FLOAT)
        expect(m.getMaxScaleOnAxis() / scale[k]).toBeCloseTo(1, 4)
        // Corners lie in the sphere, which culling and rays trust.
        for (const corner of [new THREE.Vector3(0.5, 1, 1.5), new THREE.Vector3(-0.5, 1, -1.5)]) {
          mesh.getMatrixAt(k, m)
          expect(corner.applyMatrix4(m).distanceTo(mesh.boundingSphere!.center)).toBeLessThan(
            mesh.boundingSphere!.radius * (1 + FLOAT),
          )
        }
      })
      binding.set(9, bodies[0])
      binding.set(0, null)
      expect(mesh.count).toBe(10)
      bindings.update()
      mesh.getMatrixAt(0, m)
      expect(m.elements[0]).toBe(0)
      for (const body of world.bodies.all()) body.remove()
      bindings.update()
      expect(mesh.boundingSphere!.isEmpty()).toBe(true)
    }
  })

  it('finds what shows what, and forgets', () => {
    const world = new World()
    const bindings = new Bindings(world)
    const body = world.addBody({ inertia: 1 })
    const [object, child, other] = [new THREE.Object3D(), new THREE.Object3D(), new THREE.Object3D()]
    object.add(child)
    bindings.bind(body, object)
    let updates = 0
    const item = bindings.show({ update: () => updates++ }, other)
    expect(bindings.bodyOf(child)).toBe(body)
    expect(bindings.bodyOf(other)).toBeNull()
    expect(bindings.itemOf(other)).toBe(item)
    bindings.update()
    expect(updates).toBe(1)
    expect(bindings.remove(object)).toBe(true)
    expect(bindings.remove(object)).toBe(false)
    expect(bindings.remove(item)).toBe(true)
    bindings.bind(body, object)
    bindings.clear()
    expect(bindings.objects()).toEqual([])
  })

  it('refuses what it can not use', () => {
    const world = new World()
    const bindings = new Bindings(world)
    const body = world.addBody({ name: 'crate', inertia: 1 })
    const object = new THREE.Object3D()
    const stranger = new World().addBody({})
    const gone = world.addBody({})
    gone.remove()
    expect(() => new Bindings({} as World)).toThrow('Bindings: world must be a World, got an object')
    expect(() => bindings.bind(null as unknown as Body, object)).toThrow('bind: body must be a body, got null')
    expect(() => bindings.bind(stranger, object)).toThrow("must be of this world, got another's")
    expect(() => bindings.bind(gone, object)).toThrow('must exist, got a removed one')
    expect(() => bindings.bind(body, {} as THREE.Object3D)).toThrow('bind: object must be an Object3D of three')
    expect(() => bindings.bind(body, object, { position: [0, NaN, 0] })).toThrow(
      'bind: position[1] must be finite, got NaN',
    )
    expect(() => bindings.bind(body, object, { orientation: [0, 0, 0, 2] })).toThrow('bind: orientation must be a unit')
    expect(() => bindings.bind(body, object, { offset: 1 } as object)).toThrow(
      /options must be known ones \(.*\), got offset/,
    )
    expect(() => bindings.bind(body, object, { keepOffset: true, position: [0, 0, 0] })).toThrow('got both')
    expect(bindings.objects()).toEqual([])
    bindings.bind(body, object)
    expect(() => bindings.bind(body, object)).toThrow('object must be bound to one body')
    expect(() => bindings.drive(body, new THREE.Object3D())).toThrow(
      'drive: body 1 "crate" must be kinematic, got dynamic',
    )
    expect(() => bindings.update(2)).toThrow('update: alpha must be in [0, 1], got 2')
    expect(() => bindings.update('1' as unknown as number)).toThrow(TypeError)
    expect(() => bindings.show({} as never)).toThrow('show: item must have an update')
    const mesh = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 1)
    expect(() => bindings.bindInstances([body, body], mesh)).toThrow('mesh must have room for 2 instances, got 1')
    expect(() => bindings.bindInstances([body], object as THREE.InstancedMesh)).toThrow('must be an InstancedMesh')
    expect(() => bindings.bindInstances([body], mesh, { scale: [0] })).toThrow('bindInstances: scale[0] must be > 0')
    expect(() => bindings.bindInstances([body], mesh).set(1, body)).toThrow('set: index must be below 1, got 1')
  })
})
