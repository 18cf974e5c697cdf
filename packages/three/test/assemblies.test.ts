/** Cloth and ropes of geometries, and what shows them. */

import { rod, rope } from '@tautline/assemblies'
import { World } from '@tautline/core'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { clothFromGeometry, ropeMesh, softBodyFromMesh } from '../src/assemblies.js'
import { Bindings } from '../src/index.js'
import { FLOAT } from './support/three.js'

function xyz(geometry: THREE.BufferGeometry, v: number): THREE.Vector3 {
  return new THREE.Vector3().fromBufferAttribute(geometry.attributes.position, v)
}

describe('clothFromGeometry', () => {
  it('takes a plane in one line, and shows where its vertices are', () => {
    const world = new World()
    const plane = new THREE.PlaneGeometry(1, 1, 6, 6)
    const before = plane.attributes.position.array.slice()
    const flag = clothFromGeometry(world, plane, { pins: [0, 6] })
    expect(flag.cloth.vertices).toHaveLength(49)
    expect(flag.cloth.asset.report.woven).toBe(1)
    for (let k = 0; k < 30; k++) world.step()
    flag.update()
    flag.cloth.vertices.forEach((body, v) => {
      expect(xyz(flag.geometry, v).distanceTo(new THREE.Vector3(...body.position))).toBeLessThan(FLOAT)
    })
    expect(plane.attributes.position.array).toEqual(before)
    expect(flag.geometry.attributes.uv.array).toEqual(plane.attributes.uv.array)
  })

  it('takes a mesh where it stands, closes its seams, and writes in its space', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const mesh = new THREE.Mesh(new THREE.SphereGeometry(0.5, 12, 8))
    mesh.position.set(1, 2, 3)
    mesh.rotation.set(0.3, 0.4, 0.5)
    mesh.scale.setScalar(2)
    const given = mesh.geometry
    const local = xyz(given, 20)
    const bindings = new Bindings(world)
    const ball = bindings.show(clothFromGeometry(world, mesh, { pressure: 10 }), mesh)
    expect(mesh.geometry).toBe(ball.geometry)
    expect(mesh.geometry).not.toBe(given)
    expect(ball.cloth.asset.report.hem).toBe(0)
    expect(ball.cloth.measure().volume).toBeGreaterThan(3)
    expect(xyz(ball.geometry, 20).distanceTo(local)).toBeLessThan(FLOAT)
    const at = mesh.localToWorld(local.clone())
    expect(bindings.itemOf(mesh)).toBe(ball)
    expect(ball.nearest([at.x, at.y, at.z])?.body).toBe(ball.cloth.bodyOf(20))
  })

  it('keeps groups of materials, also where triangles without an area are dropped', () => {
    const world = new World()
    const geometry = new THREE.BufferGeometry()
    geometry.setAttribute('position', new THREE.Float32BufferAttribute([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], 3))
    geometry.setIndex([0, 1, 2, 0, 0, 1, 1, 3, 2])
    geometry.addGroup(0, 6, 0)
    geometry.addGroup(6, 3, 1)
    const { geometry: shown, cloth } = clothFromGeometry(world, geometry)
    expect(cloth.asset.report.dropped).toBe(1)
    expect(Array.from(shown.index!.array)).toEqual([0, 1, 2, 1, 3, 2])
    expect(shown.groups).toEqual([
      { start: 0, count: 3, materialIndex: 0 },
      { start: 3, count: 3, materialIndex: 1 },
    ])
  })

  it('parts the geometry where it tears, with its texture coordinates', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const plane = new THREE.PlaneGeometry(1, 1, 8, 8)
    const right = Array.from({ length: 9 }, (_, j) => 9 * j + 8)
    const left = right.map((v) => v - 8)
    const sheet = clothFromGeometry(world, plane, { pins: [...left, ...right], strength: 50, stretchCompliance: 1e-3 })
    const index = sheet.geometry.index
    for (let k = 0; k < 60 && sheet.cloth.vertices.length === 81; k++) {
      for (const v of right) {
        const [x, y, z] = sheet.cloth.bodyOf(v).position
        sheet.cloth.movePin(v, [x + 0.02, y, z])
      }
      world.step()
    }
    sheet.update()
    const { topology } = sheet.cloth
    expect(topology.source.length).toBeGreaterThan(81)
    const { position, uv } = sheet.geometry.attributes
    expect(position.count).toBe(topology.source.length)
    expect(sheet.geometry.index).not.toBe(index)
    topology.source.forEach((v, g) => {
      expect([uv.getX(g), uv.getY(g)]).toEqual([plane.attributes.uv.getX(v), plane.attributes.uv.getY(v)])
      const { position: at } = sheet.cloth.vertices[topology.vertexOf[g]]
      expect(xyz(sheet.geometry, g).distanceTo(new THREE.Vector3(...at))).toBeLessThan(FLOAT)
    })
  })

  it('says what is wrong, and adds nothing', () => {
    const world = new World()
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry())
    const { geometry } = mesh
    const { count } = world.bodies
    expect(() => clothFromGeometry(world, {} as never)).toThrow(/source must be a BufferGeometry or a Mesh/)
    expect(() => clothFromGeometry(world, new THREE.BufferGeometry())).toThrow(/must have positions/)
    expect(() => clothFromGeometry(world, mesh, { positions: [] } as never)).toThrow(
      /positions is that of the geometry/,
    )
    expect(() => clothFromGeometry(world, mesh, { position: [0, 1, 0] })).toThrow(/position is that of the mesh/)
    expect(() => clothFromGeometry(world, mesh, { pins: [99] })).toThrow(/99/)
    expect(mesh.geometry).toBe(geometry)
    expect(world.bodies.count).toBe(count)
  })
})

describe('ropeMesh', () => {
  it('follows a rope that is reeled out, its texture in place', () => {
    const world = new World()
    const line = rope(world, { from: [0, 5, 0], to: [0, 4, 0], start: 'world', segments: 5 })
    const mesh = ropeMesh(line, new THREE.MeshBasicMaterial(), { textureLength: 0.5 })
    const bindings = new Bindings(world)
    bindings.show(mesh, mesh)
    const first = mesh.geometry
    line.reel(1)
    for (let k = 0; k < 60; k++) world.step()
    bindings.update()
    expect(line.bodies.length).toBeGreaterThan(6)
    expect(mesh.geometry).not.toBe(first)
    const box = mesh.geometry.boundingBox!
    expect(box.max.y).toBeCloseTo(5, 2)
    expect(box.min.y).toBeCloseTo(line.bodies.at(-1)!.position[1], 2)
    // The far end keeps its place on the texture.
    const { uv } = mesh.geometry.attributes
    const last = Array.from({ length: uv.count }, (_, k) => uv.getY(k))
    expect(Math.max(...last)).toBeCloseTo(0, 5)
    expect(Math.min(...last)).toBeCloseTo(-line.length / 0.5, 4)
  })

  it('shows a rod from end to end', () => {
    const world = new World()
    const mesh = ropeMesh(rod(world, { from: [0, 0, 0], to: [1, 0, 0], radius: 0.05, segments: 6 }))
    const { min, max } = mesh.geometry.boundingBox!
    expect(min.x).toBeCloseTo(0, 12)
    expect(max.x).toBeCloseTo(1, 6)
    expect(max.y).toBeCloseTo(0.05, 6)
  })

  it('shows nothing of a single node, where a rope parts at its end or begins as one', () => {
    const world = new World()
    const weight = world.addBody({ mass: 100, inertia: 2 })
    const line = rope(world, { from: [0, 2, 0], to: [0, 0, 0], start: 'world', end: weight, breakForce: 300 })
    const mesh = ropeMesh(line)
    const count = (): number => mesh.geometry.attributes.position.count
    expect(count()).toBeGreaterThan(0)
    world.step()
    expect(line.bodies).toHaveLength(1)
    mesh.update()
    expect(count()).toBe(0)
    expect(mesh.nearest([0, 2, 0])).toBeNull()
    expect(ropeMesh(line).geometry.attributes.position.count).toBe(0)
  })

  it('stands still when the rope is removed, and refuses what is none', () => {
    const world = new World()
    const line = rope(world, { from: [0, 1, 0], to: [0, 0, 0] })
    const mesh = ropeMesh(line)
    line.remove()
    mesh.update()
    expect(() => ropeMesh({} as never)).toThrow(/rope must be a rope or a rod/)
    expect(() => ropeMesh(rope(world, { from: [0, 1, 0], to: [0, 0, 0] }), undefined, { radii: 1 } as never)).toThrow(
      /radii/,
    )
  })
})

describe('softBodyFromMesh', () => {
  it('fills a mesh where it stands, and has its vertices ride', () => {
    const world = new World()
    const mesh = new THREE.Mesh(new THREE.BoxGeometry(0.4, 0.4, 0.4, 4, 4, 4))
    mesh.position.set(0, 1, 0)
    mesh.rotation.y = 0.5
    const given = mesh.geometry
    const before = xyz(given, 7)
    const bindings = new Bindings(world)
    const jelly = bindings.show(softBodyFromMesh(world, mesh, { size: 0.15 }), mesh)
    expect(mesh.geometry).toBe(jelly.geometry)
    expect(xyz(jelly.geometry, 7).distanceTo(before)).toBeLessThan(10 * FLOAT)
    // Hard edges stay hard: each side has its own normals.
    const normal = new THREE.Vector3().fromBufferAttribute(jelly.geometry.attributes.normal, 0)
    expect(Math.max(...normal.toArray().map(Math.abs))).toBeCloseTo(1, 4)
    for (let k = 0; k < 12; k++) world.step()
    bindings.update()
    expect(xyz(jelly.geometry, 7).y).toBeLessThan(before.y - 0.1)
    expect(jelly.nearest([0, 1, 0])?.body).toBeDefined()
    jelly.softBody.remove()
    bindings.update()
  })

  it('says what is wrong, and adds nothing', () => {
    const world = new World()
    const open = new THREE.Mesh(new THREE.PlaneGeometry())
    const { geometry } = open
    expect(() => softBodyFromMesh(world, open)).toThrow()
    expect(open.geometry).toBe(geometry)
    expect(() => softBodyFromMesh(world, open, { asset: 1 } as never)).toThrow(/asset is that of the mesh/)
    expect(world.bodies.all()).toHaveLength(new World().bodies.all().length)
  })
})
