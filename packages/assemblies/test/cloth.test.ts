import { describe, expect, it } from 'vitest'
import { assembliesFromJSON, cloth, clothAsset, type Cloth, type ClothDef, clothKind } from '@tautline/assemblies'
import * as constraints from '@tautline/constraints'
import { type Body, fromJSON, solidBox, World } from '@tautline/core'
import type { AnyType } from '@tautline/core/kernel'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { sheet, splitBox, uvSphere } from './support/meshes.js'

/** Sums of a few hundred numbers near 1. */
const ROUND_OFF = 1e-12
/** Share of its terminal speed that a sheet may be off: it is left with round-off of its own weight. */
const BALANCE = 1e-6

const types = Object.values(constraints).filter(
  (type) => typeof type === 'object' && 'evaluate' in type,
) as unknown as AnyType[]

/** Two bodies, in either order. */
function pairOf(a: Body | null, b: Body | null): string {
  return [a?.index, b?.index].sort().join()
}

function steps(world: World, count: number): void {
  for (let k = 0; k < count; k++) world.step()
}

describe('cloth', () => {
  it('weighs what it should', () => {
    const world = new World()
    const mesh = sheet(9, 9)
    expect(cloth(world, mesh).mass).toBeCloseTo(0.2, 12)
    expect(cloth(world, { ...mesh, density: 0.5 }).mass).toBeCloseTo(0.5, 12)
    expect(cloth(world, { ...mesh, mass: 3 }).mass).toBeCloseTo(3, 12)
    expect(cloth(world, { ...mesh, material: 'denim' }).mass).toBeCloseTo(0.324, 12)
    const map = Array.from({ length: 81 }, (_, v) => (v < 45 ? 0 : 1))
    const half = cloth(world, { ...mesh, density: { low: 0.1, high: 0.3, map } })
    expect(half.mass).toBeCloseTo(0.1 * 0.5625 + 0.3 * 0.4375, 12)
  })

  it('may have a hundred thousand vertices and tethers', { tags: ['thorough'] }, () => {
    const world = new World()
    const n = 316
    const sail = cloth(world, { ...sheet(n, n), pins: [0, n - 1], tether: 'euclidean' })
    expect(sail.vertices).toHaveLength(n * n)
    expect(sail.constraints.length).toBeGreaterThan(7 * n * (n - 3))
  })

  it('hangs from its corners without stretching', () => {
    const world = new World({ substeps: 4 })
    const sail = cloth(world, { ...sheet(17, 17), pins: [0, 16] })
    steps(world, 180)
    const { stretch, area } = sail.measure()
    expect(stretch.mean).toBeLessThan(2e-4)
    expect(stretch.max).toBeLessThan(0.02)
    expect(area).toBeGreaterThan(0.95)
    expect(sail.bodyOf(0).position).toEqual([0, 0, 0])
  })

  it.each(['the cloth', 'its holder'])('is not thrown where %s alone is set down elsewhere', (what) => {
    const world = new World({ substeps: 4 })
    const holder = world.addBody({ type: 'kinematic', position: [0, 0, 0] })
    const cape = cloth(world, { ...sheet(9, 9), pins: [{ vertices: [0, 8], body: holder }] })
    steps(world, 30)
    if (what === 'the cloth') cape.teleport({ translation: [10, 0, 0] })
    else holder.setPosition([10, 0, 0])
    let fastest = 0
    for (let k = 0; k < 30; k++) {
      world.step()
      for (const { velocity } of cape.vertices) fastest = Math.max(fastest, Math.hypot(...velocity))
    }
    expect(fastest).toBeLessThan(10)
    expect(Math.abs(cape.bodyOf(0).position[0] - holder.position[0])).toBeLessThan(1e-9)
  })

  it('stays with pins in place, whatever its frame does, while its level has it hold its pose', () => {
    const world = new World({ substeps: 4 })
    const frame = world.addBody({ type: 'kinematic', position: [0, 0, 0] })
    const flag = cloth(world, { ...sheet(9, 9), pins: [0, 8] })
    flag.setLod({ levels: [{ distance: 10, simulate: false }], frame })
    steps(world, 30)
    flag.updateLod(20)
    for (let k = 0; k < 30; k++) {
      frame.setTarget([0.1 * k, 0, 0])
      world.step()
    }
    flag.updateLod(0)
    let fastest = 0
    for (let k = 0; k < 30; k++) {
      world.step()
      for (const { velocity } of flag.vertices) fastest = Math.max(fastest, Math.hypot(...velocity))
    }
    expect(fastest).toBeLessThan(10)
  })

  it('hangs the same whatever it weighs', () => {
    const sags = [0.01, 0.2, 100].map((mass) => {
      const world = new World({ substeps: 4 })
      const sail = cloth(world, {
        ...sheet(15, 15),
        mass,
        pins: [0, 14],
        bendModel: 'none',
        shearCompliance: 0.2 / mass,
      })
      steps(world, 180)
      return sail.centre[1]
    })
    for (const sag of sags) expect(Math.abs(sag / sags[1] - 1)).toBeLessThan(1e-6)
  })

  it('stretches by its compliance: a strip under a load', () => {
    // Strip of 0.1 m × 1 m, K = 500 N/m, 2 N: 2/(0.1 · 500) = 4 %, less what its weight adds.
    const world = new World({ substeps: 8, gravity: [0, 0, 0] })
    const { positions, indices } = sheet(3, 21, 0.1)
    const strip = cloth(world, {
      positions,
      indices,
      stretchCompliance: 1 / 500,
      shearCompliance: 10,
      pins: [0, 1, 2],
      damping: 0.05,
      mass: 0.1,
    })
    for (let k = 0; k < 600; k++) {
      // The width of an edge is half that of the middle.
      for (let i = 0; i < 3; i++) strip.bodyOf(60 + i).applyForce([0, 0, i === 1 ? 1 : 0.5])
      world.step()
    }
    expect(strip.bodyOf(61).position[2]).toBeCloseTo(1.04, 3)
  })

  it('knows warp from weft', () => {
    const ends = (def: Partial<ClothDef>): number => {
      const world = new World({ substeps: 8, gravity: [0, 0, 0] })
      const strip = cloth(world, {
        ...sheet(3, 11, 0.2),
        pins: [0, 1, 2],
        shearCompliance: 10,
        damping: 0.05,
        mass: 0.1,
        ...def,
      })
      for (let k = 0; k < 240; k++) {
        for (let i = 0; i < 3; i++) strip.bodyOf(30 + i).applyForce([0, 0, i === 1 ? 1 : 0.5])
        world.step()
      }
      return strip.bodyOf(31).position[2] - 1
    }
    expect(ends({ stretchCompliance: { warp: 1 / 500 } })).toBeCloseTo(0.02, 3)
    expect(Math.abs(ends({ stretchCompliance: { weft: 1 / 500 } }))).toBeLessThan(1e-3)
  })

  it('bends by its rigidity, whatever the model and the mesh', () => {
    // A strip rolled to a radius of 0.5 m: D/2 κ² a square metre, 2 D in all of 1 m².
    const energies = (['threads', 'isometric', 'dihedral'] as const).map((bendModel) => {
      const world = new World({ gravity: [0, 0, 0] })
      const { positions, indices } = sheet(41, 41)
      const pose = positions.slice()
      for (let o = 0; o < pose.length; o += 3) {
        pose[o] = 0.5 * Math.sin(positions[o] / 0.5)
        pose[o + 1] = 0.5 * Math.cos(positions[o] / 0.5)
      }
      const rolled = cloth(world, { positions, indices, pose, bendModel, bendCompliance: 1e4, shearCompliance: 1e12 })
      expect(rolled.bodies.length).toBe(41 * 41)
      return world.energy().elastic
    })
    // Less the hems, which have no fold.
    for (const energy of energies) expect(Math.abs(energy / 2e-4 - 39 / 40)).toBeLessThan(2e-3)
  })
})

describe('pins', () => {
  it('do not lag behind a body that is led at 20 m/s', () => {
    const world = new World({ substeps: 4 })
    const figure = world.addBody({ type: 'kinematic', inertia: 1 })
    const cape = cloth(world, { ...sheet(12, 8, 0.5), pins: [{ vertices: [0, 5, 11], body: figure }] })
    const at = [0, 5, 11].map((v) => figure.toBody(cape.bodyOf(v).position))
    for (let k = 1; k <= 60; k++) {
      const angle = 0.05 * k
      figure.setTarget([(20 * k) / 60, 0, 0], [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)])
      world.step()
      ;[0, 5, 11].forEach((v, n) => {
        const here = figure.toBody(cape.bodyOf(v).position)
        for (let axis = 0; axis < 3; axis++) expect(Math.abs(here[axis] - at[n][axis])).toBeLessThan(ROUND_OFF)
      })
    }
    expect(cape.measure().stretch.max).toBeLessThan(0.05)
  })

  it('pull at a body that moves, and momentum is kept', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 4 })
    const box = world.addBody({ position: [0, 0, -0.3], mass: 2, inertia: solidBox(2, [0.2, 0.2, 0.2]) })
    const flag = cloth(world, { ...sheet(8, 8, 0.5), pins: [{ vertices: [0, 7], body: box }] })
    box.setVelocity([0, 3, 0])
    flag.bodyOf(63).setVelocity([0, -20, 0])
    const before = world.momentum()
    steps(world, 120)
    const after = world.momentum()
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(after.linear[k] - before.linear[k])).toBeLessThan(1e-11)
      // Poses are solved a substep at a time: what turns within one is of the order of h².
      expect(Math.abs(after.angular[k] - before.angular[k])).toBeLessThan(0.01)
    }
    expect(
      Math.max(...flag.constraints.filter(({ typeName }) => typeName === 'ballSocket').map(({ error }) => error)),
    ).toBeLessThan(1e-3)
  })

  it('have tethers along threads that neither stretch nor tear, where they are still or led', () => {
    const world = new World()
    const [led, moved] = [world.addBody({ type: 'kinematic' }), world.addBody({ mass: 1, inertia: 1 })]
    const kindOf = (def: Partial<ClothDef>): [string, number] => {
      const { settings } = cloth(world, { ...sheet(4, 4), pins: [0], ...def })
      return [settings.tether, settings.tetherScale]
    }
    expect(kindOf({})).toEqual(['threads', 1.005])
    expect(kindOf({ pins: [{ vertices: [0], body: led }] })).toEqual(['threads', 1.005])
    expect(kindOf({ tether: 'geodesic' })).toEqual(['geodesic', 1])
    expect(kindOf({ pins: [0, { vertices: [1], body: moved }] })).toEqual(['none', 1.005])
    for (const def of [{ stretchCompliance: { weft: 1e-6 } }, { strength: 9 }, { material: 'silk' } as const]) {
      expect(kindOf(def)[0]).toBe('none')
    }
  })

  it('are set and taken away while it runs', () => {
    const world = new World()
    const sail = cloth(world, sheet(5, 5))
    sail.pin([0, 4])
    sail.movePin(4, [1.5, 0, 0])
    steps(world, 1)
    expect(sail.bodyOf(4).position).toEqual([1.5, 0, 0])
    expect(sail.bodyOf(0).position).toEqual([0, 0, 0])
    sail.unpin([4])
    steps(world, 30)
    expect(sail.bodyOf(4).position[1]).toBeLessThan(-0.01)
    expect(sail.pins.map(({ vertex }) => vertex)).toEqual([0])
    expect(() => sail.movePin(4, [0, 0, 0])).toThrow(/vertex must be one that is held in place, got 4/)
  })
})

describe('air', () => {
  it('lets a sheet fall at the speed of its drag', () => {
    for (const substeps of [1, 4]) {
      const world = new World({ substeps })
      const sheetOf = cloth(world, { ...sheet(9, 9), drag: 1.2, lift: 1.2, density: 0.1 })
      steps(world, 240)
      const speed = Math.sqrt((0.1 * 9.81) / (0.5 * 1.2 * 1.2))
      for (const body of sheetOf.vertices) expect(Math.abs(-body.velocity[1] / speed - 1)).toBeLessThan(BALANCE)
    }
  })

  it('takes it along with the wind, never past it', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 1 })
    const leaf = cloth(world, { ...sheet(6, 6), drag: 2, lift: 0.5, density: 0.001, wind: [3, 20, -1] })
    for (let k = 0; k < 300; k++) {
      world.step()
      for (const body of leaf.vertices) expect(body.velocity[1]).toBeLessThan(20.5)
    }
    expect(leaf.centre[1]).toBeGreaterThan(60)
  })

  it('blows up what is closed by its pressure', () => {
    const world = new World({ gravity: [0, 0, 0], substeps: 4 })
    const balloon = cloth(world, {
      ...uvSphere(16, 8, 0.3),
      pressure: 50,
      stretchCompliance: 1e-2,
      damping: 0.02,
      mass: 0.05,
    })
    const before = balloon.measure().volume
    steps(world, 240)
    const { volume } = balloon.measure()
    expect(Math.abs(volume)).toBeGreaterThan(1.02 * Math.abs(before))
    expect(Math.abs(volume)).toBeLessThan(3 * Math.abs(before))
  })
})

describe('skin', () => {
  it('holds vertices near their places, and out of what is behind', () => {
    const world = new World({ substeps: 4 })
    const mesh = sheet(9, 9, 0.8)
    const map = Array.from({ length: 81 }, (_, v) => Math.floor(v / 9) / 8)
    const maxDistance = { low: 0, high: 0.2, map }
    const robe = cloth(world, { ...mesh, maxDistance, backstopDistance: 0.02, backstopRadius: 5 })
    const at = mesh.positions.slice()
    for (let k = 1; k <= 90; k++) {
      for (let o = 0; o < at.length; o += 3) at[o] = mesh.positions[o] + 0.05 * k
      robe.setSkin(at)
      world.step()
    }
    for (let v = 0; v < 81; v++) {
      const x = robe.bodyOf(v).position
      const way = Math.hypot(x[0] - at[3 * v], x[1] - at[3 * v + 1], x[2] - at[3 * v + 2])
      expect(way).toBeLessThan(0.2 * map[v] + 0.005)
      expect(x[1]).toBeGreaterThan(-0.02 - 0.01)
    }
  })
})

describe('frame', () => {
  it('takes it along: of a way that is not felt nothing is left', () => {
    const drift = (inertia: number): number => {
      const world = new World({ substeps: 4, gravity: [0, 0, 0] })
      const figure = world.addBody({ type: 'kinematic', inertia: 1 })
      const cape = cloth(world, {
        ...sheet(6, 6, 0.5),
        pins: [{ vertices: [0, 5], body: figure }],
        frame: figure,
        linearInertia: inertia,
        angularInertia: inertia,
      })
      const at = Array.from(cape.vertices, (body) => figure.toBody(body.position))
      for (let k = 1; k <= 30; k++) {
        figure.setTarget([0.3 * k, 0, 0], [0, Math.sin(0.02 * k), 0, Math.cos(0.02 * k)])
        world.step()
      }
      return Math.max(
        ...cape.vertices.map((body, v) => {
          const x = figure.toBody(body.position)
          return Math.hypot(x[0] - at[v][0], x[1] - at[v][1], x[2] - at[v][2])
        }),
      )
    }
    expect(drift(0)).toBeLessThan(2e-3)
    expect(drift(1)).toBeGreaterThan(0.1)
  })
})

describe('tearing', () => {
  it.each([300, 1e3, 1e4])('stays whole at rest, held straight, with a strength of %d N/m alone', (strength) => {
    const world = new World()
    const sail = cloth(world, { ...sheet(21, 21), pins: [0, 10, 20], strength })
    for (let k = 0; k < 120; k++) {
      world.step()
      expect(sail.torn).toHaveLength(0)
    }
  })

  const notched = (world: World): Cloth => {
    // A notch of three quads from the left hem.
    const { positions, indices } = sheet(13, 13)
    const kept: number[] = []
    for (let t = 0; t < indices.length; t += 3) {
      const row = Math.min(...indices.slice(t, t + 3).map((v) => Math.floor(v / 13)))
      const column = Math.min(...indices.slice(t, t + 3).map((v) => v % 13))
      if (row === 6 && column < 3) continue
      kept.push(...indices.slice(t, t + 3))
    }
    return cloth(world, {
      positions,
      indices: kept,
      strength: 300,
      density: 0.5,
      bendModel: 'dihedral',
      shearCompliance: 1e-3,
    })
  }

  it('begins at the notch, and keeps mass and momentum', () => {
    const world = new World({ substeps: 4, gravity: [0, 0, 0] })
    const sail = notched(world)
    const first = Array.from({ length: 13 }, (_, i) => i)
    const last = first.map((i) => 12 * 13 + i)
    const { mass } = sail
    let tear: { from: number } | undefined
    for (let k = 0; k < 240 && sail.torn.length === 0; k++) {
      for (const v of first) sail.bodyOf(v).applyForce([0, 0, -0.25 * k])
      for (const v of last) sail.bodyOf(v).applyForce([0, 0, 0.25 * k])
      world.step()
      tear = sail.torn[0]
    }
    expect(tear).toBeDefined()
    const where = sail.vertices[tear?.from ?? 0].position
    expect(where[0]).toBeLessThan(0.45)
    expect(where[0]).toBeGreaterThan(0.15)
    expect(Math.abs(sail.mass - mass)).toBeLessThan(ROUND_OFF)
    const { linear } = world.momentum()
    for (let k = 0; k < 3; k++) expect(Math.abs(linear[k])).toBeLessThan(1e-10)
    expect(sail.topology.vertexOf.length).toBeGreaterThan(169)
    expect(Math.max(...sail.topology.indices)).toBe(sail.topology.vertexOf.length - 1)
  })

  it.each(['threads', 'distance', 'isometric', 'dihedral'] as const)(
    'goes to rags where it bends by %s',
    (bendModel) => {
      for (let seed = SEED; seed < SEED + 2; seed++) {
        const random = new Random(seed)
        const world = new World({ substeps: 2, gravity: [0, 0, 0] })
        const sail = cloth(world, { ...sheet(9, 9), bendModel, strength: 8, damping: 0.01 })
        const { mass } = sail
        for (let k = 0; k < 12; k++) {
          for (const body of sail.vertices) body.setVelocity(random.vector(20))
          steps(world, 3)
        }
        expect(sail.vertices.length).toBeGreaterThan(100)
        expect(Math.abs(sail.mass - mass)).toBeLessThan(ROUND_OFF)
        // A bend of two threads goes on through the end that they share.
        const bent = world.constraints().filter(({ typeName }) => typeName === 'lineBend')
        const lengths = world.constraints().filter(({ typeName }) => typeName === 'lineDistance')
        const tied = new Set(lengths.map(({ bodies }) => pairOf(bodies[0], bodies[1])))
        for (const { bodies } of bent) {
          expect(tied.has(pairOf(bodies[0], bodies[1])) && tied.has(pairOf(bodies[1], bodies[2]))).toBe(true)
        }
      }
    },
  )

  it('goes on after a snapshot as it did', () => {
    const world = new World({ substeps: 2 })
    const sail = notched(world)
    sail.pin([0, 12])
    for (const body of sail.vertices.slice(150)) body.setVelocity([0, 0, 12])
    steps(world, 3)
    const snapshot = world.snapshot()
    const run = (): string => {
      steps(world, 20)
      return world.hash()
    }
    const hash = run()
    const tornTo = sail.vertices.length
    world.restore(snapshot)
    expect(sail.vertices.length).toBeLessThanOrEqual(tornTo)
    expect(run()).toBe(hash)
    expect(sail.vertices.length).toBe(tornTo)
  })
})

describe('an assembly', () => {
  it('comes back from JSON, and goes on bit for bit', () => {
    const world = new World({ substeps: 3 })
    const hook = world.addBody({ type: 'kinematic', inertia: 1 })
    const def: ClothDef = {
      ...splitBox(3, 0.5),
      name: 'box',
      pins: [0, { vertices: [5], body: hook }],
      wind: [1, 0, 2],
      gust: 0.5,
      drag: 1,
      tether: 'geodesic',
      strength: 5,
      maxDistance: 0.5,
      frame: hook,
      linearInertia: 0.5,
    }
    cloth(world, def)
    hook.setVelocity([0.5, 0, 0])
    steps(world, 10)
    const again = fromJSON(JSON.stringify(world.toJSON()), types, { assemblies: assembliesFromJSON([clothKind]) })
    steps(world, 10)
    steps(again, 10)
    expect(again.hash()).toBe(world.hash())
    expect(() => fromJSON(JSON.stringify(world.toJSON()), types, { assemblies: assembliesFromJSON([]) })).toThrow(
      /kinds must have cloth, got none/,
    )
  })

  it('is removed, teleported, put to sleep, and dies with its handle', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const sail = cloth(world, { ...sheet(4, 4), name: 'sail', velocity: [1, 0, 0] })
    sail.teleport({ translation: [0, 5, 0], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] })
    expect(sail.bodyOf(3).position[1]).toBeCloseTo(6, 12)
    expect(sail.bodyOf(3).velocity[1]).toBeCloseTo(1, 12)
    expect(sail.asleep).toBe(false)
    sail.sleep()
    expect(sail.asleep).toBe(true)
    const snapshot = world.snapshot()
    sail.remove()
    expect(sail.alive).toBe(false)
    expect(world.constraints().length).toBe(0)
    expect(() => sail.vertices).toThrow(/cloth "sail": must exist, got a removed one/)
    world.restore(snapshot)
    expect(sail.alive).toBe(true)
    expect(sail.bodyOf(3).alive).toBe(true)
    expect(JSON.stringify(sail)).toMatch(/^{"assembly":"cloth","bodies":16,"constraints":\d+,"name":"sail"}$/)
  })

  it.each([
    [{ positions: undefined }, /cloth: positions or an asset must be given/],
    [{ wnd: [0, 0, 0] }, /wnd/],
    [{ asset: clothAsset(sheet(2, 2)) }, /cloth: give an asset, or positions and indices, got both/],
    [{ pins: [99] }, /cloth: pins\[0\] must be the number of one of 16 vertices, got 99/],
    [{ pins: [{ vertices: [1], body: {} }] }, /cloth: pins\[0\]: body must be a body/],
    [{ density: -1 }, /cloth: density must be >= 0 and finite, got -1/],
    [{ density: 0 }, /cloth: density must be > 0/],
    [{ density: [1, 2] }, /cloth: density must be one a vertex \(16\), got 2/],
    [{ mass: 0 }, /cloth: mass must be > 0/],
    [{ wind: [1, NaN, 0] }, /cloth: wind/],
    [{ gust: 2 }, /cloth: gust must be within \[0, 1\], got 2/],
    [{ bendModel: 'stiff' }, /cloth: bendModel must be/],
    [{ material: 'wood' }, /cloth: material must be/],
    [{ thickness: 0 }, /cloth: thickness must be > 0/],
    [{ pose: [0, 1] }, /cloth: pose/],
  ])('refuses %o, and adds nothing', (change, message) => {
    const world = new World()
    expect(() => cloth(world, { ...sheet(4, 4), ...(change as Partial<ClothDef>) } as ClothDef)).toThrow(message)
    expect(world.bodies.all().length).toBe(0)
    expect(world.constraints().length).toBe(0)
  })
})
