import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  Assemblies,
  assembliesFromJSON,
  type Assembly,
  type Cloth,
  cloth,
  clothKind,
  rod,
  rodKind,
  rope,
  ropeKind,
  softBody,
  softBodyAsset,
  softBodyKind,
} from '@tautline/assemblies'
import { capsule, Collisions, collisionsFromJSON, plane } from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import { fromJSON, World } from '@tautline/core'
import type { AnyType } from '@tautline/core/kernel'
import { sheet, splitBox } from './support/meshes.js'
import { runs } from '../../core/test/support/runs.js'

const types = Object.values(constraints).filter(
  (type) => typeof type === 'object' && 'evaluate' in type,
) as unknown as AnyType[]
const readers = {
  collisions: collisionsFromJSON,
  assemblies: assembliesFromJSON([clothKind, ropeKind, rodKind, softBodyKind]),
}

const asset = softBodyAsset({ ...splitBox(1, 0.4), size: 0.2 })
const KINDS = {
  rope: (world: World): Assembly =>
    rope(world, {
      from: [0, 1, 0],
      to: [1, 1, 0],
      segments: 7,
      start: 'world',
      bendCompliance: 1,
      selfCollision: true,
    }),
  'rope on a winch': (world: World): Assembly => {
    const line = rope(world, { from: [0, 1, 0], to: [1, 1, 0], segments: 7, start: 'world' })
    line.reel(1.5)
    return line
  },
  rod: (world: World): Assembly =>
    rod(world, {
      from: [0, 1, 0],
      to: [1, 1, 0],
      segments: 7,
      start: { body: 'world', clamped: true },
      yieldCurvature: 1,
      shape: capsule,
    }),
  cloth: (world: World): Assembly =>
    cloth(world, {
      ...sheet(5, 5, 1, 1),
      pins: [0, 4],
      drag: 1,
      pressure: 1,
      strength: 20,
      tether: 'geodesic',
      selfCollision: 'surface',
      surfaceContacts: true,
    }),
  skin: (world: World): Assembly =>
    cloth(world, { ...sheet(5, 5, 1, 1), pins: [0], maxDistance: 0.2, backstopDistance: 0.1 }),
  'soft body': (world: World): Assembly => softBody(world, { asset, position: [0, 0.5, 0], selfCollision: 'surface' }),
} as const

function scene(kind: keyof typeof KINDS): { world: World; thing: Assembly } {
  const world = new World({ substeps: 2 })
  new Collisions(world).addCollider(null, { shape: plane([0, 1, 0], 0) })
  return { world, thing: KINDS[kind](world) }
}

function again(world: World): World {
  return fromJSON(JSON.stringify(world), types, readers)
}

function steps(world: World, count: number): void {
  for (let k = 0; k < count; k++) world.step()
}

describe('bodies that are removed by hand', () => {
  it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('leave a %s that steps, is written and read back', (kind) => {
    const removals = fc.array(fc.tuple(fc.nat(60), fc.nat(4)), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(removals, (list) => {
        const { world, thing } = scene(kind)
        const bodies = [...thing.bodies]
        steps(world, 2)
        for (const [which, wait] of list) {
          const body = bodies[which % bodies.length]
          if (body.alive) body.remove()
          const read = again(world)
          expect(read.hash()).toBe(world.hash())
          steps(world, wait)
          steps(read, wait)
          expect(read.hash()).toBe(world.hash())
        }
      }),
      { seed: 5, numRuns: runs(8) },
    )
  })

  it.each(Object.keys(KINDS) as (keyof typeof KINDS)[])('may be all of a %s', (kind) => {
    const { world, thing } = scene(kind)
    for (const body of thing.bodies) body.remove()
    world.step()
    const read = again(world)
    expect(read.hash()).toBe(world.hash())
    steps(read, 2)
  })

  it('part a rope, whose pieces go on', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const line = rope(world, { from: [0, 0, 0], to: [1, 0, 0], segments: 10, bendCompliance: 1 })
    const { nodes } = line
    nodes[4].remove()
    expect(line.nodes).toEqual(nodes.slice(0, 4))
    const [piece] = line.torn
    expect(piece.nodes).toEqual(nodes.slice(5))
    expect([line.length, piece.length]).toEqual([expect.closeTo(0.3, 9), expect.closeTo(0.5, 9)])
    nodes[0].remove()
    nodes[10].remove()
    expect([line.nodes.length, piece.nodes.length]).toEqual([3, 5])
    steps(world, 5)
    expect([line.length, piece.length]).toEqual([expect.closeTo(0.2, 9), expect.closeTo(0.4, 9)])
    for (const node of line.nodes) node.remove()
    expect(line.alive).toBe(false)
    expect(Assemblies.of(world).all).toEqual([piece])
  })

  it('leave a gap in a rod', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const wire = rod(world, { from: [0, 0, 0], to: [1, 0, 0], segments: 6, start: 'world', end: 'world' })
    const { links } = wire
    links[3].remove()
    expect([wire.links.length, wire.tensions.length, wire.constraints.length]).toEqual([5, 4, 8])
    links[0].remove()
    links[5].remove()
    expect(wire.links).toEqual([links[1], links[2], links[4]])
    steps(world, 2)
    for (const link of wire.links) link.remove()
    expect(wire.alive).toBe(false)
  })

  it('leave vertices of cloth where they were drawn, and out of what is measured', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const flag = cloth(world, sheet(3, 3, 1))
    const out = new Float64Array(27)
    flag.positions(out)
    flag.bodyOf(4).remove()
    world.addParticle({ mass: 1, position: [9, 9, 9] })
    flag.teleport({ translation: [0, 1, 0] })
    for (const it of [flag, Assemblies.of(again(world)).all[0] as Cloth]) {
      const now = out.slice()
      it.positions(now)
      expect(Array.from(now, (x, k) => x - out[k])).toEqual(
        Array.from(now, (_, k) => (k % 3 === 1 && Math.floor(k / 3) !== 4 ? 1 : 0)),
      )
      // Two corners of the square have a triangle without the middle.
      expect(it.measure().area).toBeCloseTo(0.25, 12)
    }
  })
})
