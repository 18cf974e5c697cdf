import { describe, expect, test } from 'vitest'
import { fromJSON, solidBox, World } from '@tautline/core'
import { ballSocket, hinge } from '../src/index.js'

const BOX = { mass: 2, inertia: solidBox(2, [0.5, 0.1, 0.1]) }

/** A pendulum of two links on a hook that does not move. */
function pendulum(): { world: World; hook: ReturnType<World['addBody']>; links: ReturnType<World['addBody']>[] } {
  const world = new World()
  const hook = world.addBody({ type: 'static', ...BOX })
  const links = [0.25, 0.75].map((x) => world.addBody({ position: [x, 0, 0], ...BOX }))
  world.add(ballSocket, { a: hook, b: links[0], point: [0, 0, 0] })
  world.add(hinge, { a: links[0], b: links[1], point: [0.5, 0, 0], axis: [0, 0, 1] })
  return { world, hook, links }
}

describe('the type of a body can change', () => {
  test('static to dynamic: it falls with its joints, by its own mass', () => {
    const { world, hook, links } = pendulum()
    for (let k = 0; k < 10; k++) world.step()
    expect(hook.position[1]).toBe(0)
    hook.type = 'dynamic'
    expect([hook.type, hook.mass, hook.isParticle]).toEqual(['dynamic', 2, false])
    const momentum = world.momentum().linear[1]
    world.step()
    expect(world.momentum().linear[1] - momentum).toBeCloseTo((-9.81 * 6) / 60, 9)
    for (const joint of world.constraints()) expect(joint.error).toBeLessThan(1e-8)
    expect(links[0].alive).toBe(true)
  })

  test('dynamic to static: it stops at once and holds what hangs on it', () => {
    const { world, links } = pendulum()
    for (let k = 0; k < 10; k++) world.step()
    links[0].type = 'static'
    const at = links[0].position
    expect(links[0].velocity).toEqual([0, 0, 0])
    for (let k = 0; k < 10; k++) world.step()
    expect(links[0].position).toEqual(at)
    expect(Math.hypot(...links[1].velocity)).toBeGreaterThan(0.1)
    expect(world.constraints()[1].error).toBeLessThan(1e-8)
  })

  test('dynamic to kinematic and back: it goes on at its velocity, and swings again', () => {
    const { world, links } = pendulum()
    world.constraints()[0].remove()
    links[0].setVelocity([1, 0, 0])
    links[0].type = 'kinematic'
    world.step()
    expect(links[0].position[0]).toBeCloseTo(0.25 + 1 / 60, 9)
    expect(links[0].position[1]).toBe(0)
    links[0].type = 'dynamic'
    world.step()
    expect(links[0].position[1]).toBeLessThan(0)
  })

  test('a scene in JSON has the present types', () => {
    const { world, hook } = pendulum()
    hook.type = 'dynamic'
    for (let k = 0; k < 5; k++) world.step()
    const copy = fromJSON(JSON.stringify(world), [ballSocket, hinge] as never)
    world.step()
    copy.step()
    expect(copy.hash()).toBe(world.hash())
  })

  test('snapshots bring the type back', () => {
    const { world, hook } = pendulum()
    const saved = world.snapshot()
    hook.type = 'kinematic'
    world.restore(saved)
    expect(hook.type).toBe('static')
  })

  test('what cannot be is refused, and nothing changes', () => {
    const { world, hook } = pendulum()
    const wall = world.addBody({ mass: Infinity })
    expect(() => (wall.type = 'dynamic')).toThrow(
      new RangeError(
        `body ${wall.index}: type must not be dynamic without a finite mass, which setMass gives, got dynamic`,
      ),
    )
    for (const type of ['static', 'kinematic'] as const) {
      const massless = world.addBody({ type })
      expect(() => (massless.type = 'dynamic')).toThrow(/type must not be dynamic without a finite mass/)
      expect(massless.type).toBe(type)
    }
    expect(() => (hook.type = 'fixed' as never)).toThrow(TypeError)
    expect(hook.type).toBe('static')
    world.onVelocities(() => (hook.type = 'dynamic'))
    expect(() => world.step()).toThrow(RangeError)
    hook.remove()
    expect(() => hook.type).toThrow(RangeError)
  })
})
