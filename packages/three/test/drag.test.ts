/** Pulling things about. */

import { type Body, fromJSON, solidSphere, World } from '@tautline/core'
import { ballSocket, distance, tetraVolume } from '../../constraints/src/index.js'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { Bindings, Dragger, RopeTube, Surface } from '../src/index.js'

interface Scene {
  world: World
  bindings: Bindings
  body: Body
  mesh: THREE.Mesh
}

/** A ball of 0.5 m at (0, 1, 0), shown. */
function ball(options: ConstructorParameters<typeof World>[0] = {}): Scene {
  const world = new World(options)
  const bindings = new Bindings(world)
  const body = world.addBody({ position: [0, 1, 0], mass: 2, inertia: solidSphere(2, 0.5), angularDamping: 2 })
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(0.5, 64, 32))
  new THREE.Scene().add(mesh)
  bindings.bind(body, mesh)
  bindings.update()
  return { world, bindings, body, mesh }
}

/** A cube of 2 x 2 x 2 cells of jelly, six tetrahedra a cell; node (i, j, k) is `nodes[i + 3 (j + 3 k)]`. */
function jelly(world: World): Body[] {
  const nodes: Body[] = []
  for (let n = 0; n < 27; n++) {
    const [i, j, k] = [n % 3, Math.floor(n / 3) % 3, Math.floor(n / 9)]
    nodes.push(world.addBody({ position: [0.1 * i, 0.1 * j, 0.1 * k], mass: 0.02, linearDamping: 0.5 }))
  }
  const edges = new Set<number>()
  for (const corner of [0, 1, 3, 4, 9, 10, 12, 13]) {
    // Along the axes in every order, from a corner to the one across: the six tetrahedra of a cube.
    for (const [first, second] of [
      [1, 3],
      [1, 9],
      [3, 1],
      [3, 9],
      [9, 1],
      [9, 3],
    ]) {
      const four = [corner, corner + first, corner + first + second, corner + 13]
      world.add(tetraVolume, { bodies: four.map((n) => nodes[n]) })
      for (let a = 0; a < 3; a++) for (let b = a + 1; b < 4; b++) edges.add(27 * four[a] + four[b])
    }
  }
  for (const edge of edges) {
    world.add(distance, { a: nodes[Math.floor(edge / 27)], b: nodes[edge % 27], compliance: 3e-4, damping: 2 })
  }
  return nodes
}

const ray = (origin: readonly number[], direction: readonly number[]): THREE.Ray =>
  new THREE.Ray(new THREE.Vector3().fromArray(origin as number[]), new THREE.Vector3().fromArray(direction as number[]))

describe('Dragger', () => {
  it('takes hold where a ray meets a body, and brings that point to where the next ones point', () => {
    const { world, bindings, body, mesh } = ball()
    const dragger = new Dragger(bindings)
    const grabbed = dragger.grab(ray([0.2, 1.1, 10], [0, 0, -1]))
    expect(grabbed?.body).toBe(body)
    expect(grabbed?.object).toBe(mesh)
    const [x, y, z] = grabbed!.point
    expect(Math.hypot(x, y, z)).toBeCloseTo(0.5, 2)
    expect([x, y]).toEqual([expect.closeTo(0.2, 6), expect.closeTo(0.1, 6)])
    // The plane across the ray, through the point: z stays.
    expect(dragger.move(ray([3, 2, 10], [0, 0, -1]))).toBe(true)
    const target = dragger.getTarget()
    expect(target).toEqual([3, 2, expect.closeTo(z, 9)])
    for (let k = 0; k < 600; k++) world.step()
    const at: [number, number, number] = [0, 0, 0]
    body.toWorld(grabbed!.point, at)
    // It hangs below by the sag m g/k of a spring of 3 Hz.
    const omega = 6 * Math.PI
    expect(Math.hypot(at[0] - 3, at[1] + 9.81 / (omega * omega) - 2, at[2] - z)).toBeLessThan(0.01)
    dragger.release()
    dragger.release()
    expect(dragger.held).toBeNull()
    expect(world.constraints()).toEqual([])
    expect(world.batches.every(({ count }) => count === 0)).toBe(true)
    expect(dragger.move(ray([0, 0, 0], [0, 0, -1]))).toBe(false)
  })

  it('holds what is soft by the sag of its spring, though the damper is that of the whole on one light node', () => {
    const world = new World({ dt: 1 / 60, substeps: 10 })
    const nodes = jelly(world)
    const dragger = new Dragger(new Bindings(world), { frequency: 3 })
    const top = nodes[16]
    dragger.grabBody(top)
    for (let k = 0; k < 300; k++) world.step()
    const omega = 6 * Math.PI
    // m g/k. Swept before the volumes, the damper holds the node where they have it, and the sag is twice as deep.
    expect(dragger.getTarget()[1] - top.position[1]).toBeCloseTo(9.81 / (omega * omega), 4)
    expect(dragger.constraint!.force).toBeCloseTo(27 * 0.02 * 9.81, 2)
  })

  it('never pulls more than it may', () => {
    const { world, bindings, body } = ball({ gravity: [0, 0, 0] })
    const dragger = new Dragger(bindings, { stiffness: 1e6, maxForce: 4 })
    dragger.grabBody(body)
    dragger.moveTo([100, 1, 0])
    for (let k = 0; k < 60; k++) {
      world.step()
      expect(dragger.constraint!.force).toBeLessThan(4 + 1e-6)
    }
    // F t/m
    expect(body.velocity[0]).toBeCloseTo((4 * 1) / 2, 2)
  })

  it('follows the recurrence of backward Euler', () => {
    const h = 1 / 480
    const { world, bindings, body } = ball({ gravity: [0, 0, 0], dt: 1 / 60, substeps: 8 })
    const dragger = new Dragger(bindings, { frequency: 1, dampingRatio: 0.5, mass: 2, maxForce: Infinity })
    dragger.grabBody(body)
    dragger.moveTo([1, 1, 0])
    const omega = 2 * Math.PI
    let [x, v] = [0, 0]
    for (let k = 0; k < 60; k++) {
      world.step()
      for (let s = 0; s < 8; s++) {
        // ν = 2 ζ m ω with ζ = 1/2: m ω.
        v = (v + h * omega * omega * (1 - x)) / (1 + h * omega + h * h * omega * omega)
        x += h * v
      }
      expect(body.position[0]).toBeCloseTo(x, 6)
    }
  })

  it('pulls cloth and rope by the nearest particle, with the strength to carry what hangs on it', () => {
    const world = new World()
    const bindings = new Bindings(world)
    const particles = Array.from({ length: 20 }, (_, k) => world.addParticle({ position: [0.1 * k, 0, 0], mass: 0.05 }))
    for (let k = 1; k < 20; k++) world.add(distance, { a: particles[k - 1], b: particles[k] })
    const tube = bindings.show(new RopeTube(particles, { radius: 0.03 }), new THREE.Mesh())
    const mesh = bindings.objects()[0] as THREE.Mesh
    mesh.geometry = tube.geometry
    const dragger = new Dragger(bindings)
    const grabbed = dragger.grab(ray([0.52, 0, 5], [0, 0, -1]))
    expect(grabbed).toEqual({ body: particles[5], point: [0, 0, 0], object: mesh })
    for (let k = 0; k < 600; k++) world.step()
    expect(particles[5].position[1]).toBeGreaterThan(-0.05)
    expect(particles[19].position[1]).toBeLessThan(-1)
    // A surface of three of them.
    const surface = new Surface(particles.slice(0, 3), [0, 1, 2])
    expect(surface.nearest(particles[1].position)?.body).toBe(particles[1])
  })

  it('passes through what does not move, is hidden, or far, and finds instances', () => {
    const { world, bindings, body, mesh } = ball()
    const wall = world.addBody({ type: 'static', position: [0, 1, 3], inertia: 1 })
    const front = new THREE.Mesh(new THREE.BoxGeometry())
    bindings.bind(wall, front)
    const instances = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 2)
    const crate = world.addBody({ position: [5, 1, 0], inertia: 1 })
    bindings.bindInstances([null, crate], instances)
    bindings.update()
    const dragger = new Dragger(bindings)
    const towards = ray([0, 1, 10], [0, 0, -1])
    expect(dragger.grab(towards)?.body).toBe(body)
    expect(dragger.grab(towards, { far: 5 })).toBeNull()
    expect(dragger.held).toBeNull()
    mesh.visible = false
    expect(dragger.grab(towards)).toBeNull()
    const grabbed = dragger.grab(ray([5.1, 1, 10], [0, 0, -3]))
    expect(grabbed?.body).toBe(crate)
    expect(grabbed?.point).toEqual([expect.closeTo(0.1, 6), expect.closeTo(0, 6), expect.closeTo(0.5, 6)])
    expect(dragger.grab(ray([5, 1, 10], [0, 0, -1]), { normal: [0, 1, 0] })?.body).toBe(crate)
    dragger.move(ray([7, 3, 2], [0, -1, 0]))
    expect(dragger.getTarget()).toEqual([7, 1, 2])
    // Parallel to the plane, or away from it, the target stays.
    dragger.move(ray([7, 3, 2], [1, 0, 0]))
    dragger.move(ray([9, 3, 2], [0, 1, 0]))
    expect(dragger.getTarget()).toEqual([7, 1, 2])
    dragger.push(0.5)
    expect(dragger.getTarget()).toEqual([7, 1.5, 2])
  })

  it('ends when the body goes, sleeps no more, and is not saved', () => {
    const { world, bindings, body } = ball()
    const dragger = new Dragger(bindings)
    dragger.grabBody(body, [0.1, 0, 0])
    expect(JSON.stringify(world.toJSON())).not.toContain('drag')
    expect(() => fromJSON(world.toJSON(), [ballSocket])).not.toThrow()
    body.sleep()
    dragger.moveTo([0, 2, 0])
    expect(body.asleep).toBe(false)
    body.remove()
    expect(dragger.held).toBeNull()
    expect(dragger.moveTo([0, 0, 0])).toBe(false)
    dragger.release()
  })

  it('can let go of what a snapshot brought back', () => {
    const { world, bindings, body } = ball()
    const dragger = new Dragger(bindings)
    dragger.grabBody(body)
    const snapshot = world.snapshot()
    dragger.release()
    expect(dragger.held).toBeNull()
    world.restore(snapshot)
    expect(dragger.held?.body).toBe(body)
    expect(dragger.moveTo([0, 3, 0])).toBe(true)
    dragger.release()
    expect(dragger.constraint).toBeNull()
    expect(world.batches.every(({ count }) => count === 0)).toBe(true)
  })

  it('refuses what it can not use', () => {
    const { world, bindings } = ball()
    expect(() => new Dragger(null as never)).toThrow('Dragger: bindings.world must be a World, got undefined')
    expect(() => new Dragger(bindings, { stiffness: 1, frequency: 2 })).toThrow('got some of both')
    expect(() => new Dragger(bindings, { damping: 1 })).toThrow('Dragger: damping must go with stiffness')
    expect(() => new Dragger(bindings, { frequency: 0 })).toThrow('Dragger: frequency must be > 0 and finite, got 0')
    expect(() => new Dragger(bindings, { maxForce: -1 })).toThrow('Dragger: maxForce must be >= 0, got -1')
    const dragger = new Dragger(bindings)
    expect(() => dragger.grab({} as THREE.Ray)).toThrow('grab: ray must be a Ray of three, got an object')
    expect(() => dragger.grab(ray([NaN, 0, 0], [0, 0, 1]))).toThrow('grab: ray.origin[0] must be finite, got NaN')
    const still = world.addBody({ type: 'static' })
    expect(() => dragger.grabBody(still)).toThrow('grabBody: body 2 must be dynamic, got static')
    expect(() => dragger.moveTo([0, NaN, 0])).toThrow('moveTo: point[1] must be finite, got NaN')
  })
})
