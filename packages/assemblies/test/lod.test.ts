import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import {
  assembliesFromJSON,
  type Assembly,
  cloth,
  clothKind,
  type LodDef,
  pulleys,
  rod,
  rodKind,
  rope,
  ropeKind,
  softBody,
  softBodyAsset,
  softBodyKind,
} from '@tautline/assemblies'
import { box, Collisions, collisionsFromJSON, particleSets, plane } from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import { fromJSON, hashOf, solidBox, World } from '@tautline/core'
import { type AnyType, gradient } from '@tautline/core/kernel'
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
const KINDS = ['cloth', 'rope', 'rod', 'softBody'] as const
type Kind = (typeof KINDS)[number]

/** Levels of a kind, with all that it has. */
function levelsOf(kind: Kind): LodDef {
  const self = { selfCollision: false, surfaceContacts: false } as const
  const bend = { bend: false }
  return {
    levels: [
      { distance: 10, ...(kind === 'rod' ? {} : self) },
      { distance: 20, ...(kind === 'softBody' ? {} : bend) },
      { distance: 30, simulate: false },
    ],
  }
}

function make(world: World, kind: Kind, free = true, stiff = 1): Assembly {
  if (kind === 'rope') {
    return rope(world, { from: [0, 0, 0], to: [1, 0, 0], segments: 8, selfCollision: true, bendCompliance: 1 / stiff })
  }
  if (kind === 'rod') return rod(world, { from: [0, 0, 0], to: [1, 0, 0], segments: 8, bendStiffness: 0.1 * stiff })
  if (kind === 'softBody') return softBody(world, { asset, youngsModulus: 1e4 * stiff, selfCollision: 'surface' })
  const more = { selfCollision: 'surface', surfaceContacts: true, bendCompliance: 1e3 / stiff } as const
  return cloth(world, { ...sheet(6, 6, 1), ...more, pins: free ? [] : [0, 5] })
}

/** Throws and spins all that moves of it. */
function spin(thing: Assembly, velocity: readonly number[], rate: readonly number[]): void {
  const { centre } = thing
  for (const body of thing.bodies) {
    if (body.type !== 'dynamic') continue
    const [x, y, z] = [0, 1, 2].map((k) => body.position[k] - centre[k])
    const turned = [rate[1] * z - rate[2] * y, rate[2] * x - rate[0] * z, rate[0] * y - rate[1] * x]
    body.setVelocity([velocity[0] + turned[0], velocity[1] + turned[1], velocity[2] + turned[2]])
    if (!body.isParticle) body.setAngularVelocity([rate[0], rate[1], rate[2]])
  }
}

/** Linear and angular momentum of particles. */
function momentumOf(thing: Assembly): number[] {
  const sum = [0, 0, 0, 0, 0, 0]
  for (const { mass, position: x, velocity: v } of thing.bodies) {
    for (let k = 0; k < 3; k++) {
      const [i, j] = [(k + 1) % 3, (k + 2) % 3]
      sum[k] += mass * v[k]
      sum[3 + k] += mass * (x[i] * v[j] - x[j] * v[i])
    }
  }
  return sum
}

describe('levels of detail', () => {
  it('go out at their distance and back nearer by the hysteresis, by a distance or by who looks', () => {
    const world = new World()
    const flag = make(world, 'cloth', false)
    flag.setLod({ ...levelsOf('cloth'), hysteresis: 0.2 })
    const levels = [0, 9.9, 10, 9, 8.1, 7.9, 50, 24.1, 23.9, 0].map((distance) => {
      flag.updateLod(distance)
      return flag.lodLevel
    })
    expect(levels).toEqual([0, 0, 1, 1, 1, 0, 3, 3, 2, 0])
    flag.updateLod([0.5, 15, 0.5])
    expect(flag.lodLevel).toBe(1)
    expect(flag.lodPlan?.levels.map(({ selfCollision }) => selfCollision)).toEqual(['surface', false, false, false])
  })

  it('switch what they say, and nothing else', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const collisions = new Collisions(world)
    const flag = make(world, 'cloth', false)
    const [set] = particleSets(collisions)
    flag.setLod(levelsOf('cloth'))
    const bends = flag.constraints.filter(({ typeName }) => typeName === 'lineBend')
    const acting = (): number => bends.filter(({ enabled }) => enabled).length
    flag.updateLod(10)
    expect([set.selfCollision, set.surfaceContacts, acting()]).toEqual([false, false, bends.length])
    flag.updateLod(20)
    expect(acting()).toBe(0)
    expect(flag.constraints.filter(({ enabled }) => enabled).length).toBe(flag.constraints.length - bends.length)
    flag.updateLod(30)
    expect(flag.bodies.some(({ type }) => type === 'dynamic')).toBe(false)
    flag.updateLod(0)
    expect(flag.bodies.filter(({ type }) => type === 'dynamic').length).toBe(34)
    expect([set.selfCollision, set.surfaceContacts]).toEqual(['surface', true])
    for (let k = 0; k < 8; k++) world.step()
    expect(acting()).toBe(bends.length)
  })

  it('gain nothing, whatever is switched while it flies, folds and lies', () => {
    const axis = fc.double({ min: -4, max: 4, noNaN: true })
    const scene = fc.record({
      kind: fc.constantFrom(...KINDS),
      velocity: fc.tuple(axis, axis, axis),
      rate: fc.tuple(axis, axis, axis),
      stiff: fc.constantFrom(0.01, 1, 100),
      substeps: fc.constantFrom(1, 2, 4),
      hertz: fc.constantFrom(30, 60, 144),
      floor: fc.boolean(),
      distances: fc.array(fc.constantFrom(0, 12, 24, 40), { minLength: 12, maxLength: 12 }),
      every: fc.constantFrom(1, 3, 7),
    })
    fc.assert(
      fc.property(scene, ({ kind, velocity, rate, stiff, substeps, hertz, floor, distances, every }) => {
        const world = new World({ substeps })
        const collisions = new Collisions(world)
        if (floor) collisions.addCollider(null, { shape: plane([0, 1, 0], -0.5) })
        const thing = make(world, kind, true, stiff)
        thing.setLod(levelsOf(kind))
        spin(thing, velocity, rate)
        const start = world.energy()
        const scale = start.kinetic + 9.81 * thing.mass
        for (let k = 0; k < distances.length * every; k++) {
          if (k % every === 0) thing.updateLod(distances[k / every])
          world.step(1 / hertz)
          const { kinetic, potential } = world.energy()
          expect((kinetic + potential - start.kinetic - start.potential) / scale).toBeLessThan(1e-3)
        }
      }),
      { seed: 41, numRuns: runs(60) },
    )
  })

  it('bring bending back without energy and without momentum, when motion pays for it', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 4 })
    const flag = cloth(world, { ...sheet(6, 6, 1), bendCompliance: 1e3 })
    flag.setLod({ levels: [{ distance: 10, bend: false }] })
    flag.updateLod(10)
    spin(flag, [0, 0, 0], [1, 2, 3])
    for (const [k, body] of flag.bodies.entries()) body.applyImpulse([0, (k % 3) * 0.01 - 0.01, 0])
    for (let k = 0; k < 30; k++) world.step()
    flag.updateLod(0)
    const bends = flag.constraints.filter(({ typeName }) => typeName === 'lineBend')
    const waiting = (): number => bends.filter(({ enabled }) => !enabled).length
    const resume = flag.resumeLod.bind(flag)
    let returned = 0
    flag.resumeLod = () => {
      const [before, was] = [sumsOf(flag, bends), waiting()]
      resume()
      const after = sumsOf(flag, bends)
      returned += was - waiting()
      expect(after.energy).toBeCloseTo(before.energy, 10)
      after.momentum.forEach((p, j) => expect(p).toBeCloseTo(before.momentum[j], 12))
    }
    const all = waiting()
    for (let k = 0; k < 240; k++) world.step()
    expect(all).toBe(bends.length)
    expect(returned).toBe(all - waiting())
    expect(returned).toBeGreaterThan(0.6 * all)
  })

  it('hold a pose on what it rides on, and let go at its velocity', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const figure = world.addBody({ type: 'kinematic', velocity: [1, 0, 0], angularVelocity: [0, 2, 0] })
    for (const kind of KINDS) {
      const thing = make(world, kind)
      thing.setLod({ levels: [{ distance: 10, simulate: false }], frame: figure })
      const local = thing.bodies.map((body) => figure.toBody(body.position))
      thing.updateLod(10)
      expect(thing.simulated).toBe(false)
      for (let k = 0; k < 20; k++) world.step()
      thing.bodies.forEach((body, k) => {
        const at = figure.toBody(body.position)
        for (let axis = 0; axis < 3; axis++) expect(at[axis]).toBeCloseTo(local[k][axis], 3)
      })
      thing.updateLod(0)
      const [body] = thing.bodies
      const velocity = figure.velocityAt(body.position)
      for (let k = 0; k < 3; k++) expect(body.velocity[k]).toBeCloseTo(velocity[k], 9)
      expect(thing.simulated).toBe(true)
      thing.remove()
    }
  })

  it('go on with what something hangs on, until it is gone', () => {
    const world = new World()
    const crate = world.addBody({ position: [0, -2, 0], mass: 10, inertia: solidBox(10, [1, 1, 1]) })
    const line = rope(world, { from: [0, 0, 0], to: [0, -2, 0], start: 'world', end: crate })
    line.setLod({ levels: [{ distance: 10, simulate: false }] })
    line.updateLod(20)
    expect([line.lodLevel, line.simulated]).toEqual([1, true])
    line.attachEnd(undefined)
    line.updateLod(20)
    expect(line.simulated).toBe(false)
    line.updateLod(0)
    expect(line.nodes.map(({ type }) => type === 'static')).toEqual(line.nodes.map((_, k) => k === 0))
  })

  it('leave pins held, and what is unpinned far away', () => {
    const world = new World()
    const flag = make(world, 'cloth', false) as ReturnType<typeof cloth>
    flag.setLod(levelsOf('cloth'))
    flag.updateLod(40)
    flag.unpin([0])
    flag.pin([7])
    for (let k = 0; k < 10; k++) world.step()
    expect(flag.vertices.every(({ type }) => type === 'kinematic')).toBe(true)
    flag.updateLod(0)
    const kinematic = flag.vertices.flatMap(({ type }, v) => (type === 'kinematic' ? [v] : []))
    expect(kinematic).toEqual([5, 7])
  })

  it('go over to the pieces of a rope, and end with what is tied to another', () => {
    const world = new World()
    const line = rope(world, { from: [0, 0, 0], to: [1, 0, 0], segments: 8, bendCompliance: 1 })
    line.setLod(levelsOf('rope'))
    line.updateLod(40)
    const piece = line.cutAt(0.5)
    expect([piece.lodLevel, piece.simulated, line.simulated]).toEqual([3, false, false])
    piece.updateLod(0)
    expect(piece.nodes.every(({ type }) => type === 'dynamic')).toBe(true)
    expect(line.simulated).toBe(false)
    piece.updateLod(40)
    line.join(piece)
    expect(line.nodes.every(({ type }) => type === 'kinematic')).toBe(true)
    line.updateLod(0)
    for (let k = 0; k < 16; k++) world.step()
    expect(line.nodes.every(({ type }) => type === 'dynamic')).toBe(true)
    expect(line.constraints.every(({ enabled }) => enabled)).toBe(true)
  })

  it.each(KINDS)('are saved, restored and read back to the bit with %s', (kind) => {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0], -0.3) })
    const figure = collisions.addBody({ shape: box([0.1, 0.1, 0.1]), type: 'kinematic', position: [0, 3, 0] })
    const thing = make(world, kind)
    thing.setLod({ ...levelsOf(kind), frame: figure })
    const script = [12, 24, 24, 40, 40, 0, 12]
    const run = (it: Assembly, from: number): string => {
      for (let k = from; k < 8 * script.length; k++) {
        it.updateLod(script[Math.floor(k / 8)])
        it.world.step()
      }
      return hashOf(it.world)
    }
    for (let k = 0; k < 28; k++) {
      thing.updateLod(script[Math.floor(k / 8)])
      world.step()
    }
    const snapshot = world.snapshot()
    const json = JSON.stringify(world)
    const end = run(thing, 28)
    world.restore(snapshot)
    expect(thing.lodLevel).toBe(3)
    expect(run(thing, 28)).toBe(end)
    const again = fromJSON(json, types, readers)
    const [read] = (again.stages.find(({ name }) => name === 'assemblies') as unknown as { all: Assembly[] }).all
    expect([read.lodLevel, read.simulated]).toEqual([3, false])
    expect(run(read, 28)).toBe(end)
  })

  it('refuse what they do not know or cannot do, and change nothing', () => {
    const world = new World()
    const flag = cloth(world, { ...sheet(4, 4, 1), selfCollision: 'vertices' })
    const soft = make(world, 'softBody')
    const wrong: [Assembly, unknown, string][] = [
      [flag, { levels: [{ distance: 1, selfColision: false }] }, 'selfColision'],
      [flag, { levels: [{ distance: -1 }] }, 'distance must be'],
      [flag, { levels: [{ distance: 2 }, { distance: 2 }] }, 'levels[1]: distance must be beyond'],
      [flag, { levels: [{ distance: 1, selfCollision: 'surface' }] }, 'no more than it was made with, vertices'],
      [
        flag,
        { levels: [{ distance: 1, surfaceContacts: true }] },
        'surfaceContacts must be no more than it was made with, auto, got true',
      ],
      [flag, { levels: [{ distance: 1, bend: 0 }] }, 'bend must be'],
      [flag, { levels: [], hysteresis: 1 }, 'hysteresis must be below 1'],
      [flag, { levels: [], frame: {} }, 'frame must be a body'],
      [flag, { levels: 3 }, 'levels must be'],
      [soft, { levels: [{ distance: 1, bend: false }] }, 'bend'],
    ]
    for (const [thing, def, text] of wrong) {
      expect(() => thing.setLod(def as LodDef), text).toThrow(text)
      expect(thing.lodPlan).toBe(undefined)
    }
    const block = world.addBody({ mass: 1, inertia: solidBox(1, [1, 1, 1]) })
    const tackle = pulleys(world, { points: [block, { point: [0, 6, 0] }] })
    expect(() => tackle.setLod({ levels: [] })).toThrow('pulleys')
    expect(() => flag.updateLod(NaN)).toThrow('updateLod')
    expect(() => flag.updateLod([0, 0, Infinity])).toThrow('updateLod')
    flag.remove()
    expect(() => flag.updateLod(1)).toThrow('removed')
    expect(() => flag.setLod(undefined)).toThrow('removed')
  })
})

/** Energy with what the rows of `bends` that act store, and momentum. */
function sumsOf(thing: Assembly, bends: Assembly['constraints']): { energy: number; momentum: number[] } {
  let energy = 0
  for (const { mass, velocity: v } of thing.bodies) energy += 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
  for (const row of bends) {
    if (!row.enabled) continue
    for (const { compliance, rows } of gradient(row))
      for (const { error } of rows) energy += (0.5 * error * error) / compliance
  }
  return { energy, momentum: momentumOf(thing) }
}
