/** Surfaces, lines and tubes that follow bodies. */

import { type Body, World } from '@tautline/core'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { embed, RopeLine, RopeTube, Surface } from '../src/index.js'
import { FLOAT, nested } from './support/three.js'

function points(world: World, places: readonly (readonly number[])[]): Body[] {
  return places.map((place) => world.addParticle({ position: place as [number, number, number] }))
}

/** A sheet of n × n particles with some relief, and its triangles. */
function sheet(random: Random, world: World, n: number): { nodes: Body[]; triangles: number[] } {
  const places = Array.from({ length: n * n }, (_, k) => [k % n, Math.floor(k / n), random.between(-0.3, 0.3)])
  const triangles: number[] = []
  for (let j = 0; j + 1 < n; j++) {
    for (let i = 0; i + 1 < n; i++) {
      const a = j * n + i
      triangles.push(a, a + 1, a + n, a + n, a + 1, a + n + 1)
    }
  }
  return { nodes: points(world, places), triangles }
}

function expectInside(geometry: THREE.BufferGeometry): void {
  const { position } = geometry.attributes
  const at = new THREE.Vector3()
  for (let v = 0; v < position.count; v++) {
    at.fromBufferAttribute(position, v)
    const { center, radius } = geometry.boundingSphere!
    expect(at.distanceTo(center)).toBeLessThan(radius * (1 + FLOAT) + FLOAT)
    expect(geometry.boundingBox!.clone().expandByScalar(FLOAT).containsPoint(at)).toBe(true)
  }
}

describe(`Surface (seed ${SEED})`, () => {
  const random = new Random(SEED)

  it('has the normals of three, and bounds that follow', () => {
    const world = new World()
    const { nodes, triangles } = sheet(random, world, 6)
    const surface = new Surface(nodes, triangles)
    for (let step = 0; step < 3; step++) {
      for (const node of nodes)
        node.setPosition([0, 1, 2].map((k) => node.position[k] + random.between(-0.1, 0.1)) as never)
      surface.update()
      const own = surface.geometry.attributes.normal.array.slice()
      const copy = surface.geometry.clone()
      copy.computeVertexNormals()
      own.forEach((x, k) => expect(Math.abs(x - copy.attributes.normal.array[k])).toBeLessThan(10 * FLOAT))
      nodes.forEach((node, v) => expect(surface.geometry.attributes.position.getY(v)).toBeCloseTo(node.position[1], 5))
      expectInside(surface.geometry)
    }
    expect((surface.geometry.attributes.position as THREE.BufferAttribute).version).toBeGreaterThan(2)
  })

  it('shares normals and nodes across a seam', () => {
    const world = new World()
    const nodes = points(world, [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
      [1, 0, 1],
    ])
    // Vertices 4 and 5 are nodes 1 and 2 again.
    const surface = new Surface(nodes, [0, 1, 2, 5, 4, 3], {
      vertices: [0, 1, 2, 3, 1, 2],
      uv: [0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0],
    })
    const { normal, position, uv } = surface.geometry.attributes
    expect(position.count).toBe(6)
    expect(uv.count).toBe(6)
    for (const [a, b] of [
      [1, 4],
      [2, 5],
    ]) {
      expect(Array.from(normal.array.slice(3 * a, 3 * a + 3))).toEqual(Array.from(normal.array.slice(3 * b, 3 * b + 3)))
      expect(position.getX(a)).toBe(position.getX(b))
    }
  })

  it('follows a lattice by an embedding, exactly for what is affine', () => {
    const world = new World()
    const corners = Array.from({ length: 8 }, (_, k) => [k & 1, (k >> 1) & 1, (k >> 2) & 1])
    const nodes = points(world, corners)
    const tets = [0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7, 0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7]
    const fine = new THREE.SphereGeometry(0.6, 12, 8).translate(0.5, 0.5, 0.5)
    const rest = fine.attributes.position.array.slice()
    const embedding = embed(rest, corners.flat(), tets)
    const surface = new Surface(nodes, undefined, { geometry: fine, embedding })
    expect(surface.geometry).toBe(fine)
    const m = new THREE.Matrix4().set(1, 0.2, 0, 1, -0.1, 0.9, 0.3, 2, 0, 0.1, 1.2, 3, 0, 0, 0, 1)
    const at = new THREE.Vector3()
    nodes.forEach((node, k) => node.setPosition(at.fromArray(corners[k]).applyMatrix4(m).toArray()))
    surface.update()
    for (let v = 0; v < rest.length / 3; v++) {
      at.fromArray(rest, 3 * v).applyMatrix4(m)
      expect(at.distanceTo(new THREE.Vector3().fromBufferAttribute(fine.attributes.position, v))).toBeLessThan(
        10 * FLOAT,
      )
    }
    expectInside(fine)
    for (let v = 0; v < rest.length / 3; v++) {
      let sum = 0
      for (let k = 0; k < 4; k++) sum += embedding.weights[4 * v + k]
      expect(sum).toBeCloseTo(1, 12)
    }
  })

  it('writes in the space of a mesh, wherever it stands', () => {
    const world = new World()
    const { nodes, triangles } = sheet(random, world, 3)
    const mesh = new THREE.Mesh()
    nested(random, new THREE.Scene(), 2).add(mesh)
    const surface = new Surface(nodes, triangles, { space: mesh })
    mesh.geometry = surface.geometry
    const at = new THREE.Vector3()
    mesh.parent!.position.x += 1
    surface.update()
    mesh.updateWorldMatrix(true, false)
    nodes.forEach((node, v) => {
      at.fromBufferAttribute(surface.geometry.attributes.position, v).applyMatrix4(mesh.matrixWorld)
      Array.from(node.position).forEach((x, k) => expect(Math.abs(at.getComponent(k) - x)).toBeLessThan(20 * FLOAT))
    })
  })

  it('goes through points of bodies that turn, between steps', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const body = world.addBody({ inertia: 1, angularVelocity: [0, 0, 6] })
    const line = new RopeLine([body, { body, point: [1, 0, 0] }])
    world.step(1 / 60)
    line.update(0.5)
    const { position } = line.geometry.attributes
    expect(position.getX(1)).toBeCloseTo(Math.cos(0.05), 6)
    expect(position.getY(1)).toBeCloseTo(Math.sin(0.05), 5)
    expect(line.nearest([0.9, 0, 0])).toEqual({ body, point: [1, 0, 0] })
  })

  it('refuses what it can not use', () => {
    const world = new World()
    const nodes = points(world, [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ])
    expect(() => new Surface([], [])).toThrow('Surface: nodes must be at least 1, got 0')
    expect(() => new Surface(null as never, [])).toThrow('Surface: nodes must be an array of bodies, got null')
    expect(() => new Surface([...nodes, {} as Body], [0, 1, 2])).toThrow('Surface: nodes[3] must be a body')
    expect(() => new Surface(nodes, [0, 1, 3])).toThrow('Surface: triangles[2] must be an integer in [0, 3), got 3')
    expect(() => new Surface(nodes, [0, 1])).toThrow('Surface: triangles must be three numbers each, got 2 entries')
    expect(() => new Surface(nodes)).toThrow('Surface: triangles must be given')
    expect(() => new Surface(nodes, [0, 1, 2], { uv: [0] })).toThrow('Surface: uv must be an array of 6 numbers')
    expect(() => new Surface(nodes, [0, 1, 2], { weld: [0] })).toThrow('Surface: weld must be 3 numbers')
    expect(() => new Surface(nodes, [0, 1, 2], { geometry: new THREE.BoxGeometry() })).toThrow('must have 3 vertices')
    expect(() => new Surface(nodes, [0, 1, 2], { vertices: [0], embedding: { nodes: [], weights: [] } })).toThrow(
      'both',
    )
    const stranger = new World().addParticle({})
    expect(() => new Surface([...nodes, stranger], [0, 1, 2])).toThrow("nodes[3] must be of the first one's world")
    expect(() => embed([0, 0], [0, 0, 0], [])).toThrow('embed: vertices must be 3 numbers each, got 2 entries')
    expect(() => embed([0, 0, 0], [0, 0, 0], [0, 0, 0, 0])).toThrow('must have one that is not flat')
    expect(() => embed([0, 0, 0], [0, 0, 0], [0, 0, 0, 1])).toThrow('embed: tetrahedra[3] must be an integer in [0, 1)')
  })
})

describe(`ropes (seed ${SEED})`, () => {
  const random = new Random(SEED + 1)

  function rope(world: World, n: number): Body[] {
    let at = [0, 0, 0]
    return points(
      world,
      Array.from({ length: n }, () => (at = at.map((x, k) => x + (k === 0 ? 0.5 : 0) + random.between(-0.4, 0.4)))),
    )
  }

  it('draws a line through all nodes, straight or smooth, open or closed', () => {
    for (const closed of [false, true]) {
      for (const segments of [1, 4]) {
        const nodes = rope(new World(), 6)
        const line = new RopeLine(nodes, { segments, closed })
        const { position } = line.geometry.attributes
        expect(position.count).toBe((closed ? 6 : 5) * segments + 1)
        nodes.forEach((node, k) => expect(position.getX(k * segments)).toBeCloseTo(node.position[0], 5))
        if (closed) expect(position.getX(position.count - 1)).toBeCloseTo(nodes[0].position[0], 5)
        expectInside(line.geometry)
      }
    }
    // On a straight rope the curve is straight and even.
    const world = new World()
    const straight = points(
      world,
      [0, 1, 2, 3].map((x) => [x, 0, 0]),
    )
    const { position } = new RopeLine(straight, { segments: 4 }).geometry.attributes
    for (let k = 0; k < position.count; k++) expect(position.getX(k)).toBeCloseTo(k / 4, 6)
    const two = new RopeLine(straight.slice(0, 2), { segments: 4 }).geometry.attributes.position
    for (let k = 0; k < two.count; k++) expect(two.getX(k)).toBeCloseTo(k / 4, 6)
  })

  it('draws a tube with unit normals square to it, closed by lids, outside out', () => {
    for (const closed of [false, true]) {
      const nodes = rope(new World(), 7)
      const tube = new RopeTube(nodes, { radius: 0.02, segments: 3, sides: 6, closed })
      const { position, normal, uv } = tube.geometry.attributes
      const line = new RopeLine(nodes, { segments: 3, closed }).geometry.attributes.position
      const [n, x, c] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()]
      for (let ring = 0; ring < line.count; ring++) {
        for (let k = 0; k < 7; k++) {
          n.fromBufferAttribute(normal, 7 * ring + k)
          x.fromBufferAttribute(position, 7 * ring + k)
          c.fromBufferAttribute(line, ring)
          expect(n.length()).toBeCloseTo(1, 5)
          expect(x.sub(c).multiplyScalar(50).distanceTo(n)).toBeLessThan(1e-3)
        }
      }
      expect(position.count).toBe(7 * (line.count + (closed ? 0 : 2)))
      expect(uv.count).toBe(position.count)
      expectInside(tube.geometry)
      // Volume of a closed surface that is outside out is positive: about π r² l.
      if (closed) continue
      const index = tube.geometry.index!.array
      let volume = 0
      const [p, q, r] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Vector3()]
      for (let t = 0; t < index.length; t += 3) {
        p.fromBufferAttribute(position, index[t])
        q.fromBufferAttribute(position, index[t + 1])
        r.fromBufferAttribute(position, index[t + 2])
        volume += p.dot(q.cross(r)) / 6
      }
      expect(volume).toBeGreaterThan(0)
    }
  })

  it('twists by no more than the rope turns, and closes its seam', () => {
    const world = new World()
    const ring = points(
      world,
      Array.from({ length: 20 }, (_, k) => {
        const angle = (2 * Math.PI * k) / 20
        return [Math.cos(angle), Math.sin(angle), 0.3 * Math.sin(2 * angle)]
      }),
    )
    const tube = new RopeTube(ring, { radius: 0.1, sides: 8, closed: true })
    const { normal } = tube.geometry.attributes
    const [first, next] = [new THREE.Vector3(), new THREE.Vector3()]
    for (let i = 0; i < 20; i++) {
      first.fromBufferAttribute(normal, 9 * i)
      next.fromBufferAttribute(normal, 9 * (i + 1))
      expect(first.angleTo(next)).toBeLessThan(0.6)
    }
    first.fromBufferAttribute(normal, 0)
    next.fromBufferAttribute(normal, 9 * 20)
    expect(first.angleTo(next)).toBeLessThan(1e-3)
    // Frame after frame the first ring does not jump, however the rope turns.
    const straight = points(
      world,
      [0, 1, 2].map((x) => [x, 0, 0]),
    )
    const rod = new RopeTube(straight, { radius: [0.1, 0.2, 0.1] })
    first.fromBufferAttribute(rod.geometry.attributes.normal, 0)
    for (let k = 1; k <= 100; k++) {
      const a = (2 * Math.PI * k) / 100
      straight.forEach((node, i) => node.setPosition([i * Math.cos(a), i * Math.sin(a) * 0.6, i * Math.sin(a) * 0.8]))
      rod.update()
      next.fromBufferAttribute(rod.geometry.attributes.normal, 0)
      expect(first.angleTo(next)).toBeLessThan(0.1)
      first.copy(next)
    }
  })

  it('stays finite when nodes fall together or the rope folds back', () => {
    const nodes = points(new World(), [
      [0, 0, 0],
      [1, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ])
    const tube = new RopeTube(nodes, { radius: 0.1 })
    expect(Array.from(tube.geometry.attributes.position.array).every(Number.isFinite)).toBe(true)
    expect(Array.from(tube.geometry.attributes.normal.array).every(Number.isFinite)).toBe(true)
  })

  it('refuses what it can not use', () => {
    const nodes = rope(new World(), 3)
    expect(() => new RopeLine(nodes.slice(0, 1))).toThrow('RopeLine: nodes must be at least 2, got 1')
    expect(() => new RopeLine(nodes, { segments: 0 })).toThrow('RopeLine: segments must be an integer >= 1, got 0')
    expect(() => new RopeTube(nodes, { radius: 0 })).toThrow('RopeTube: radius must be > 0')
    expect(() => new RopeTube(nodes, { radius: [1, 1] })).toThrow('RopeTube: radius must be a number or 3 numbers')
    expect(() => new RopeTube(nodes, { radius: 1, sides: 2 })).toThrow('RopeTube: sides must be an integer >= 3, got 2')
    expect(() => new RopeTube(nodes, {} as never)).toThrow('RopeTube: radius must be a number > 0, got undefined')
  })
})
