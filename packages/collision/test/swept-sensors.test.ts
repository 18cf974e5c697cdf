import { fromJSON, World } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import {
  box,
  capsule,
  type Collider,
  Collisions,
  collisionsFromJSON,
  cylinder,
  impacts,
  LeanCollisions,
  onTrigger,
  plane,
  sphere,
  triangleMesh,
} from '../src/index.js'
import { Random } from '../../core/test/support/random.js'

const FREE = { gravity: [0, 0, 0] } as const

/** A sheet of 2 cm across x at the origin. */
function gateAt(collisions: Collisions, continuous = true): Collider {
  return collisions.addCollider(null, { shape: box([0.01, 2, 2]), sensor: true, continuous, name: 'gate' })
}

/** Words of the triggers of a sensor, by step. */
function watch(collisions: Collisions, gate: Collider): string[] {
  const words: string[] = []
  const { clock } = collisions.world
  onTrigger(collisions, gate, {
    enter: (other) => words.push(`enter ${other.name ?? other.id} ${clock.steps}`),
    leave: (other) => words.push(`leave ${other.name ?? other.id} ${clock.steps}`),
  })
  return words
}

describe('a sensor with continuous: true', () => {
  it('sees each of 20 balls that cross it within a step, and each leaves one step later', () => {
    const world = new World(FREE)
    const collisions = new Collisions(world)
    const words = watch(collisions, gateAt(collisions))
    for (let k = 0; k < 20; k++) {
      collisions.addBody({ shape: sphere(0.05), position: [-1 - 0.05 * k, 1.9 - 0.2 * k, 0], velocity: [60, 0, 0] })
    }
    for (let step = 0; step < 5; step++) world.step()
    const entered = words.filter((word) => word.startsWith('enter'))
    const left = words.filter((word) => word.startsWith('leave'))
    expect([entered.length, left.length]).toEqual([20, 20])
    for (const word of entered) {
      const [, id, step] = word.split(' ')
      // Those that the next step finds in it leave one step later still.
      expect(left.some((other) => [1, 2].some((n) => other === `leave ${id} ${Number(step) + n}`))).toBe(true)
    }
  })

  it('sees none without it, and nothing that flies past', () => {
    const seen = (continuous: boolean, y: number): number => {
      const world = new World(FREE)
      const collisions = new Collisions(world)
      const words = watch(collisions, gateAt(collisions, continuous))
      collisions.addBody({ shape: sphere(0.05), position: [-0.5, y, 0], velocity: [60, 0, 0] })
      for (let step = 0; step < 5; step++) world.step()
      return words.length
    }
    expect([seen(true, 0), seen(false, 0), seen(true, 2.1)]).toEqual([2, 0, 0])
  })

  it('sees a ball that another one strikes within the step', () => {
    const world = new World(FREE)
    const collisions = new Collisions(world)
    const words = watch(collisions, gateAt(collisions))
    collisions.addBody({ shape: sphere(0.1), position: [-0.2, 0, 0], restitution: 1, name: 'target' })
    collisions.addBody({
      shape: sphere(0.1),
      position: [-0.7, 0, 0],
      velocity: [60, 0, 0],
      restitution: 1,
      name: 'cue',
    })
    world.step()
    expect(words.some((word) => word.startsWith('enter target'))).toBe(true)
  })

  it('sees what bounces off a wall behind it', () => {
    const world = new World({ ...FREE, substeps: 8 })
    const collisions = new Collisions(world)
    const words = watch(collisions, gateAt(collisions))
    collisions.addCollider(null, { shape: plane([-1, 0, 0]), position: [0.4, 0, 0], restitution: 1 })
    const ball = collisions.addBody({
      shape: sphere(0.1),
      position: [-0.2, 0, 0],
      velocity: [60, 0, 0],
      restitution: 1,
    })
    world.step()
    expect(ball.position[0]).toBeLessThan(-0.11)
    expect(words).toEqual([expect.stringMatching(/^enter/)])
  })

  it.each(['static', 'asleep'])('on a kinematic body that crosses a body at rest (%s) begins and ends', (kind) => {
    const world = new World(FREE)
    const collisions = new Collisions(world)
    const crate = collisions.addBody({
      shape: box([0.1, 0.1, 0.1]),
      type: kind === 'static' ? 'static' : 'dynamic',
      name: 'crate',
    })
    for (let k = 0; k < 120; k++) world.step()
    if (kind === 'asleep') expect(crate.asleep).toBe(true)
    const hand = world.addBody({ type: 'kinematic', position: [-1, 0, 0] })
    const gate = collisions.addCollider(hand, { shape: box([0.01, 1, 1]), sensor: true, continuous: true })
    const words = watch(collisions, gate)
    hand.setTarget([1, 0, 0])
    for (let k = 0; k < 4; k++) world.step()
    expect(words.map((word) => word.split(' ').slice(0, 2).join(' '))).toEqual(['enter crate', 'leave crate'])
  })

  it('sees what short steps see, of random shapes that fly and spin', () => {
    const missed: string[] = []
    const extra: string[] = []
    let crossed = 0
    for (let seed = 1; seed <= 60; seed++) {
      const seen = (continuous: boolean, shortened: number): string[] => {
        const source = new Random(seed)
        const next = (): number => source.next()
        const far = (size: number): [number, number, number] => [
          size * (next() - 0.5),
          size * (next() - 0.5),
          size * (next() - 0.5),
        ]
        const world = new World(FREE)
        const collisions = new Collisions(world)
        const found = new Set<string>()
        for (let k = 0; k < 4; k++) {
          const shape = [
            box([0.005, 1, 1]),
            box([0.4, 0.01, 0.8]),
            cylinder(0.5, 0.01),
            triangleMesh([0, -1, -1, 0, -1, 1, 0, 1, 0], [0, 1, 2]),
          ][k]
          const gate = collisions.addCollider(null, { shape, position: far(2), sensor: true, continuous })
          onTrigger(collisions, gate, { enter: (other, sensor) => found.add(`${sensor.id} ${other.id}`) })
        }
        for (let k = 0; k < 4; k++) {
          const shape = [sphere(0.05), box([0.05, 0.1, 0.2]), capsule(0.05, 0.2), cylinder(0.1, 0.05)][k]
          collisions.addBody({
            shape,
            position: far(3),
            velocity: far(160),
            angularVelocity: far(20),
            mask: 2,
            layer: 1,
          })
        }
        for (const gate of collisions.collidersOf(null)) gate.set({ layer: 2 })
        for (let step = 0; step < 2 * shortened; step++) world.step(1 / 60 / shortened)
        // A sensor also sees at the start of a step.
        world.step(1e-9)
        return [...found]
      }
      const [swept, short] = [seen(true, 1), seen(false, 400)]
      crossed += short.length
      missed.push(...short.filter((pair) => !swept.includes(pair)).map((pair) => `${seed}: ${pair}`))
      extra.push(...swept.filter((pair) => !short.includes(pair)).map((pair) => `${seed}: ${pair}`))
    }
    expect([missed, extra]).toEqual([[], []])
    expect(crossed).toBeGreaterThan(50)
  })

  it('changes no bit of the world', () => {
    const hash = (continuous: boolean | undefined): string => {
      const world = new World()
      const collisions = new Collisions(world)
      collisions.addCollider(null, { shape: plane([0, 1, 0]) })
      if (continuous !== undefined) {
        collisions.addCollider(null, { shape: box([9, 0.01, 9]), position: [0, 1, 0], sensor: true, continuous })
      }
      const bodies = Array.from({ length: 12 }, (_, k) =>
        collisions.addBody({ shape: box([0.2, 0.2, 0.2]), position: [0.3 * k, 3 + 0.1 * k, 0], velocity: [0, -40, 0] }),
      )
      for (let step = 0; step < 60; step++) world.step()
      return JSON.stringify(bodies.map(({ position, orientation }) => [...position, ...orientation]))
    }
    expect(hash(true)).toBe(hash(false))
  })

  it('is saved, and goes on the same after a restore and from JSON', () => {
    const world = new World(FREE)
    const collisions = new Collisions(world)
    gateAt(collisions)
    collisions.addBody({ shape: sphere(0.05), position: [-1.5, 0, 0], velocity: [60, 0, 0] })
    world.step()
    const saved = world.snapshot()
    const copy = fromJSON(world.toJSON(), [], { collisions: collisionsFromJSON })
    const rest = (of: World): string[] => {
      const types: string[] = []
      for (let step = 0; step < 3; step++) {
        of.step()
        types.push(...Collisions.of(of)!.sensorEvents.map(({ type }) => `${step} ${type}`))
      }
      return types
    }
    const first = rest(world)
    expect(first).toEqual(['0 begin', '1 end'])
    world.restore(saved)
    expect(rest(world)).toEqual(first)
    expect(rest(copy)).toEqual(first)
  })
})

describe('continuous', () => {
  it('is refused where the collider is no sensor, and goes with sensor', () => {
    const collisions = new Collisions(new World())
    expect(() => collisions.addCollider(null, { shape: sphere(1), continuous: true })).toThrow(
      new RangeError(
        'addCollider: continuous must be false where sensor is false (what pushes is always swept), got true',
      ),
    )
    expect(() => collisions.addCollider(null, { shape: sphere(1), sensor: true, continuous: 1 as never })).toThrow(
      new TypeError('addCollider: continuous must be a boolean, got 1'),
    )
    const gate = gateAt(collisions)
    gate.set({ sensor: false })
    expect(gate.continuous).toBe(false)
  })

  it('is refused without the part that sweeps', () => {
    const collisions = new LeanCollisions(new World(), { parts: [impacts] })
    expect(() => collisions.addCollider(null, { shape: sphere(1), sensor: true, continuous: true })).toThrow(
      new RangeError('addCollider: continuous must be false without the part sweptSensors of LeanCollisions, got true'),
    )
  })
})
