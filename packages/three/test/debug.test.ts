/** Debug lines: every type of constraint, every shape, contacts, colours, buffers. */

import { type Body, type Constraint, type ConstraintType, custom, type ManyDef, World } from '@tautline/core'
import {
  box,
  capsule,
  closestPoint,
  Collisions,
  compound,
  convexHull,
  cylinder,
  heightfield,
  plane,
  type Shape,
  sphere,
  taperedCapsule,
  triangleMesh,
} from '@tautline/collision'
import { distance, hinge, offsetOf, pointDrive, slider, swingTwist, universal } from '../../constraints/src/index.js'
import { TABLE } from '../../constraints/test/support/table.js'
import { scene } from '../../constraints/test/support/scene.js'
import { describe, expect, it } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import { SEED } from '../../core/test/support/seed.js'
import { DebugDraw, DebugLines, type DebugOptions } from '../src/index.js'

const NONE = {
  bodies: false,
  colliders: false,
  joints: false,
  limits: false,
  contacts: false,
  links: false,
  forces: false,
}

/** What is drawn, a line a row of six numbers. */
function linesOf(draw: DebugDraw, alpha = 1): number[][] {
  draw.update(alpha)
  expect(draw.count % 2).toBe(0)
  const lines: number[][] = []
  for (let k = 0; k < draw.count; k += 2) lines.push(Array.from(draw.positions.subarray(3 * k, 3 * k + 6)))
  expect(lines.flat().every(Number.isFinite)).toBe(true)
  const colours = Array.from(draw.colours.subarray(0, 3 * draw.count))
  expect(colours.every((c) => c >= 0 && c <= 1)).toBe(true)
  return lines
}

const drawn = (world: World, options: DebugOptions): number[][] =>
  linesOf(new DebugDraw(world, { ...NONE, ...options }))

describe(`DebugDraw (seed ${SEED})`, () => {
  it.each(TABLE.map((entry) => [entry.name, entry] as const))('draws %s', (_name, entry) => {
    for (let seed = SEED; seed < SEED + 20; seed++) {
      const { world } = scene(entry, seed)
      const all = { joints: true, links: true, contacts: true }
      expect(drawn(world, all).length).toBeGreaterThan(0)
      world.step()
      for (const colour of ['kind', 'error', 'force'] as const) {
        drawn(world, { ...all, limits: true, forces: true, colour })
        const draw = new DebugDraw(world, { colour, forces: true })
        linesOf(draw, 0.5)
      }
    }
  })

  it('draws nothing of what is switched off, does not act, or is gone', () => {
    const world = new World()
    const [a, b] = [world.addParticle({}), world.addParticle({ position: [1, 0, 0] })]
    const link = world.add(distance, { a, b })
    const draw = new DebugDraw(world, { bodies: false })
    expect(linesOf(draw)).toEqual([[0, 0, 0, 1, 0, 0]])
    draw.categories.links = false
    expect(linesOf(draw)).toEqual([])
    draw.categories.links = true
    link.enabled = false
    expect(linesOf(draw)).toEqual([])
    link.enabled = true
    expect(linesOf(draw)).toHaveLength(1)
    b.remove()
    expect(linesOf(draw)).toEqual([])
    draw.categories.bodies = true
    expect(linesOf(draw)).toHaveLength(3)
    const c = world.addBody({ inertia: 1 })
    expect(linesOf(draw)).toHaveLength(6)
    c.remove()
    expect(linesOf(draw)).toHaveLength(3)
  })

  it('draws what a dragger pulls, to where', () => {
    const world = new World()
    const b = world.addBody({ inertia: 1, position: [1, 0, 0] })
    world.add(pointDrive, { bodies: [b], point: [0, 1, 0], target: [3, 4, 5], stiffness: 10 })
    const lines = drawn(world, { links: true })
    expect(lines[0]).toEqual([1, 1, 0, 3, 4, 5])
    expect(lines).toHaveLength(4)
  })

  it('draws what the outline of a type of others says, each part in its category', () => {
    const g = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0)
    const limits = Float64Array.of(-0.5, 1)
    const angle = Float64Array.of(0.25)
    const drawing: ConstraintType<ManyDef> = {
      name: 'drawing',
      order: 1,
      arity: 1,
      multipliers: 1,
      columns: {},
      resolve: (def) => def,
      write() {},
      evaluate() {},
      outline(bodies, batch, row, out) {
        expect([...bodies.position.subarray(4 * batch.ids[row], 4 * batch.ids[row] + 3)]).toEqual([7, 8, 9])
        out.axis(g, 0, 3)
        out.arc(g, 0, 3, 6, limits, 0, angle, 0)
        out.link(g, 3, 6)
        out.contact(g, 0, 6, 3)
      },
    }
    const world = new World()
    world.add(drawing, { bodies: [world.addParticle({ position: [7, 8, 9] })] })
    expect(drawn(world, { joints: true, size: 1 })).toEqual([
      [0, 0, 0, 1, 0, 0],
      [0, 0, 0, -1, 0, 0],
    ])
    expect(drawn(world, { links: true })).toEqual([[1, 0, 0, 0, 1, 0]])
    expect(drawn(world, { contacts: true })).toHaveLength(5)
    // About x from y, where the angle is now 0.25: 0 is that far back.
    const ends = spokes(drawn(world, { limits: true, size: 1 }), [0, 0, 0])
    const [low, high, needle] = ends.map(([, y, z]) => Math.atan2(z, y))
    expect(low).toBeCloseTo(-0.75, 6)
    expect(high).toBeCloseTo(0.75, 6)
    expect(needle).toBe(0)
  })

  it('draws types without an outline by their bodies, whatever they are named', () => {
    const world = new World()
    const bodies = [0, 1, 2].map((x) => world.addParticle({ position: [x, 0, 0] }))
    const three = custom({
      name: 'three',
      bodies: 3,
      error: ([p, q, r]) => p.position[0] + q.position[0] - r.position[0],
    })
    world.add(three, { bodies })
    expect(drawn(world, { links: true })).toEqual([
      [0, 0, 0, 1, 0, 0],
      [0, 0, 0, 2, 0, 0],
    ])
    const one = custom({ name: 'hinge', bodies: 1, error: ([p]) => p.position[1] })
    const other = new World()
    other.add(one, { bodies: [other.addParticle({})] })
    expect(drawn(other, { links: true })).toHaveLength(3)
  })

  /** Ends of all lines that begin at a point. */
  const spokes = (lines: number[][], at: readonly number[]): number[][] =>
    lines.filter((l) => at.every((x, k) => Math.abs(l[k] - x) < 1e-6)).map((l) => l.slice(3))

  it('draws the needle of a hinge between the ends of its arc as its angle is between its limits', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const b = world.addBody({ inertia: 1 })
    world.add(hinge, { a: null, b, point: [0, 0, 0], axis: [0, 0, 1], limits: { min: -0.5, max: 1 } })
    b.setOrientation([0, 0, Math.sin(0.2), Math.cos(0.2)])
    const ends = spokes(drawn(world, { limits: true, size: 1 }), [0, 0, 0])
    expect(ends).toHaveLength(3)
    const [low, high, needle] = ends.map(([x, y]) => Math.atan2(y, x))
    expect(needle - low).toBeCloseTo(0.9, 5)
    expect(high - needle).toBeCloseTo(0.6, 5)
  })

  it('draws the bar of a slider from limit to limit, and its place on the axis', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const b = world.addBody({ inertia: 1 })
    const rail = world.add(slider, { a: null, b, axis: [1, 0, 0], limits: { min: -0.5, max: 2 } })
    b.setPosition([1.25, 0.1, 0])
    expect(offsetOf(rail)).toBeCloseTo(1.25, 9)
    const has = (lines: number[][], want: number[]): boolean =>
      lines.some((line) => line.every((x, k) => Math.abs(x - want[k]) < 1e-6))
    expect(has(drawn(world, { limits: true }), [-0.5, 0, 0, 2, 0, 0])).toBe(true)
    expect(has(drawn(world, { joints: true }), [1.25, 0, 0, 1.25, 0.1, 0])).toBe(true)
  })

  it('draws needles of universal joints and twists at their angles', () => {
    const angleBetween = (p: number[], q: number[]): number => {
      const dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
      return Math.acos(Math.min(Math.max(dot / (Math.hypot(...p) * Math.hypot(...q)), -1), 1))
    }
    const random = new Random(SEED)
    for (let round = 0; round < 20; round++) {
      const world = new World({ gravity: [0, 0, 0] })
      const b = world.addBody({ inertia: 1, orientation: random.rotation() })
      const range = { min: -0.7, max: 0.4 }
      const joint =
        round % 2 === 0
          ? world.add(universal, {
              a: null,
              b,
              anchorA: [0, 0, 0],
              anchorB: [0, 0, 0],
              axisA: random.direction(),
              limitsA: range,
              limitsB: range,
            })
          : world.add(swingTwist, { a: null, b, point: [0, 0, 0], twist: range })
      // Within the limits: the needle is as far from one end and the other as they are apart.
      const alpha = random.between(-0.6, 0.3)
      const along = round % 2 === 0 ? (joint.def as { axisA: number[] }).axisA : [1, 0, 0]
      const [s, c] = [Math.sin(alpha / 2), Math.cos(alpha / 2)]
      const [x, y, z] = along.map((v) => v * s)
      const [p, q, r, w] = b.orientation
      b.setOrientation([
        c * p + x * w + y * r - z * q,
        c * q - x * r + y * w + z * p,
        c * r + x * q - y * p + z * w,
        c * w - x * p - y * q - z * r,
      ])
      const ends = spokes(drawn(world, { limits: true, size: 1 }), [0, 0, 0])
      const [low, high, needle] = ends
      expect(angleBetween(low, needle)).toBeCloseTo(alpha + 0.7, 4)
      expect(angleBetween(high, needle)).toBeCloseTo(0.4 - alpha, 4)
    }
  })

  it('draws swings where they are limited: on the rim the error is none', () => {
    for (const swingShape of ['pyramid', 'cone'] as const) {
      const world = new World({ gravity: [0, 0, 0] })
      const b = world.addBody({ inertia: 1 })
      const swing = { y: { min: -0.3, max: 0.6 }, z: { min: -0.8, max: 0.4 } }
      const joint = world.add(swingTwist, { a: null, b, point: [0, 0, 0], axis: [1, 0, 0], swing, swingShape })
      const rim = drawn(world, { limits: true, size: 1 })
        .filter((l) => Math.hypot(l[0], l[1], l[2]) > 0.5)
        .map((l) => l.slice(0, 3))
      expect(rim.length).toBeGreaterThan(20)
      for (const [x, y, z] of rim) {
        // The smallest turn from x̂ to the point, and a little less, and a little more.
        for (const [share, isIn] of [
          [0.97, true],
          [1.03, false],
        ] as const) {
          const angle = share * Math.acos(Math.min(x, 1))
          const across = Math.hypot(y, z)
          const s = Math.sin(angle / 2)
          b.setOrientation([0, (-z / across) * s, (y / across) * s, Math.cos(angle / 2)])
          if (isIn) expect(joint.error).toBe(0)
          else expect(joint.error).toBeGreaterThan(1e-4)
        }
      }
    }
  })

  const SHAPES: Record<string, Shape> = {
    sphere: sphere(0.5),
    capsule: capsule(0.3, 0.5),
    taperedCapsule: taperedCapsule(0.2, 0.5, 0.6),
    box: box([0.5, 0.6, 0.7]),
    cylinder: cylinder(0.4, 0.5),
    convexHull: convexHull([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]),
    plane: plane([0, 1, 0.5], 0.2),
    heightfield: heightfield({ heights: [0, 1, 0, 1, null, 0, 0, 0.5, 1], columns: 3, rows: 3, cellX: 1, cellZ: 2 }),
    triangleMesh: triangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0.5], [0, 1, 2, 2, 1, 3]),
    compound: compound([{ shape: sphere(0.3) }, { shape: box([0.1, 0.2, 0.3]), position: [1, 0, 0] }]),
  }

  it.each(Object.entries(SHAPES))('draws the outline of a %s on its surface', (name, shape) => {
    const random = new Random(SEED)
    const world = new World()
    const collisions = new Collisions(world)
    const at = { position: random.vector(), orientation: random.rotation() }
    const body = world.addBody({ type: 'static', inertia: 1, ...at })
    collisions.addCollider(body, { shape, position: [0.1, 0.2, 0.3], orientation: random.rotation() })
    const lines = drawn(world, { colliders: true })
    expect(lines.length).toBeGreaterThan(3)
    // Of a plane one line is its normal.
    const outline = name === 'plane' ? lines.slice(0, -1) : lines
    for (const line of outline) {
      for (const point of [line.slice(0, 3), line.slice(3)]) {
        const { distance: gap } = closestPoint(collisions, point as [number, number, number])!
        expect(Math.abs(gap)).toBeLessThan(1e-5)
      }
    }
  })

  it('counts each edge of boxes, hulls and meshes once', () => {
    const count = (shape: Shape): number => {
      const world = new World()
      new Collisions(world).addCollider(null, { shape })
      return drawn(world, { colliders: true }).length
    }
    expect(count(SHAPES.box)).toBe(12)
    expect(count(SHAPES.convexHull)).toBe(6)
    expect(count(SHAPES.triangleMesh)).toBe(5)
  })

  it('draws contacts, with what they push', () => {
    const world = new World()
    const collisions = new Collisions(world, { sleeping: false })
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    collisions.addCollider(null, { shape: sphere(3), sensor: true })
    const crate = collisions.addBody({ shape: box([0.5, 0.5, 0.5]), mass: 10, position: [0, 0.5, 0] })
    for (let k = 0; k < 120; k++) world.step()
    const size = 0.2
    const lines = drawn(world, { contacts: true, size })
    // Four points: three lines of a cross and the normal each.
    expect(lines).toHaveLength(16)
    const normals = lines.filter((l) => Math.abs(l[4] - l[1] - size / 2) < 1e-6)
    expect(normals).toHaveLength(4)
    for (const [x, y, z] of normals) {
      expect(Math.abs(x)).toBeCloseTo(0.5, 3)
      expect(Math.abs(z)).toBeCloseTo(0.5, 3)
      expect(y).toBeCloseTo(0, 2)
    }
    // Arrows add up to the weight; the longest three lines of each are the shaft.
    const arrows = drawn(world, { forces: true, arrowScale: 0.01 })
    expect(arrows).toHaveLength(12)
    const shafts = arrows.filter((_, k) => k % 3 === 0)
    const total = shafts.reduce((sum, l) => sum + Math.abs(l[4] - l[1]) / 0.01, 0)
    expect(total).toBeCloseTo(10 * 9.81, 1)
    // The same as events say.
    const out = new Float64Array(23)
    let points = 0
    for (let row = 0; row < collisions.batch.count; row++) points += collisions.readManifold(row, out)
    const event = collisions.events.find(({ sensor }) => !sensor)!
    expect(points).toBe(event.points.length)
    expect(crate.position[1]).toBeCloseTo(0.5, 2)
  })

  it('colours by error and by force, from dark to bright', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const b = world.addParticle({ position: [1, 0, 0] })
    world.add(distance, { a: null, b, anchorA: [0, 0, 0], anchorB: [0, 0, 0], length: 1 })
    const draw = new DebugDraw(world, { ...NONE, links: true, colour: 'error', errorScale: 0.1 })
    const lightness: number[] = []
    for (const x of [1, 1.02, 1.05, 1.08, 1.1, 2]) {
      b.setPosition([x, 0, 0])
      linesOf(draw)
      const [r, g, blue] = draw.colours
      lightness.push(0.2126 * r + 0.7152 * g + 0.0722 * blue)
    }
    for (let k = 1; k < 5; k++) expect(lightness[k]).toBeGreaterThan(lightness[k - 1])
    expect(lightness[5]).toBe(lightness[4])
    draw.colour = 'force'
    linesOf(draw)
    const [r, g, blue] = draw.colours
    expect(0.2126 * r + 0.7152 * g + 0.0722 * blue).toBe(lightness[0])
  })

  it('draws forces as long as they are', () => {
    const world = new World({ gravity: [0, -10, 0] })
    const b = world.addParticle({ position: [0, -1, 0], mass: 3 })
    const link: Constraint = world.add(distance, { a: b, b: null, anchorA: [0, 0, 0], anchorB: [0, 0, 0] }) as never
    for (let k = 0; k < 10; k++) world.step()
    const [shaft] = drawn(world, { forces: true, arrowScale: 0.1 })
    expect(link.force).toBeCloseTo(30, 6)
    expect(shaft[4] - shaft[1]).toBeCloseTo(3, 5)
  })

  it('draws where bodies are between two steps', () => {
    const world = new World({ gravity: [0, 0, 0] })
    const b: Body = world.addBody({ inertia: 1, velocity: [60, 0, 0], angularVelocity: [0, 0, 6] })
    world.step(1 / 60)
    const draw = new DebugDraw(world, { ...NONE, bodies: true, size: 1 })
    const [x] = linesOf(draw, 0.5)
    expect(x[0]).toBeCloseTo(0.5, 6)
    expect(Math.atan2(x[4], x[3] - x[0])).toBeCloseTo(0.05, 6)
    expect(linesOf(draw)[0][0]).toBeCloseTo(1, 6)
    expect(b.position[0]).toBeCloseTo(1, 9)
  })

  it('does not change what the next step finds', () => {
    const build = (): World => {
      const world = new World()
      const collisions = new Collisions(world)
      collisions.addCollider(null, { shape: plane([0, 1, 0]) })
      for (let k = 0; k < 4; k++)
        collisions.addBody({ shape: box([0.3, 0.3, 0.3]), position: [0.1 * k, 0.5 + 0.7 * k, 0] })
      return world
    }
    const [seen, unseen] = [build(), build()]
    const draw = new DebugDraw(seen, { forces: true, colour: 'error' })
    for (let k = 0; k < 120; k++) {
      seen.step()
      unseen.step()
      linesOf(draw, 0.3)
      linesOf(draw)
      expect(seen.hash()).toBe(unseen.hash())
    }
  })

  it('refuses what it can not use', () => {
    const world = new World()
    expect(() => new DebugDraw(null as never)).toThrow('DebugDraw: world must be a World, got null')
    expect(() => new DebugDraw(world, { bodies: 1 as never })).toThrow('DebugDraw: bodies must be a boolean, got 1')
    expect(() => new DebugDraw(world, { color: 'kind' } as never)).toThrow(
      /options must be known ones \(.*\), got color/,
    )
    expect(() => new DebugDraw(world, { colour: 'red' as never })).toThrow(
      "DebugDraw: colour must be 'kind' or 'error'",
    )
    expect(() => new DebugDraw(world, { size: 0 })).toThrow('DebugDraw: size must be > 0 and finite, got 0')
    expect(() => new DebugDraw(world).update(-1)).toThrow('update: alpha must be in [0, 1], got -1')
  })
})

describe('DebugLines', () => {
  it('shows what is drawn, in buffers that grow by doubling', () => {
    const world = new World()
    const lines = new DebugLines(world)
    lines.update()
    const { geometry } = lines.object
    const first = geometry.attributes.position.array
    expect(geometry.drawRange.count).toBe(0)
    for (let k = 0; k < 500; k++) world.addBody({ inertia: 1 })
    lines.update()
    expect(geometry.drawRange.count).toBe(3000)
    expect(lines.draw.positions.length / first.length).toBe(8)
    expect(geometry.attributes.position.array).toBe(lines.draw.positions)
    expect(geometry.attributes.color.array).toBe(lines.draw.colours)
    const second = geometry.attributes.position
    lines.update()
    expect(geometry.attributes.position).toBe(second)
    expect(lines.object.frustumCulled).toBe(false)
    lines.object.visible = false
    for (const body of world.bodies.all()) body.remove()
    lines.update()
    expect(geometry.drawRange.count).toBe(3000)
    lines.object.visible = true
    lines.update()
    expect(geometry.drawRange.count).toBe(0)
    lines.dispose()
  })
})
