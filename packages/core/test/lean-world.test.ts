import { describe, expect, test } from 'vitest'
import {
  addBodies,
  addConstraints,
  type Body,
  type ConstraintType,
  energyGuard,
  energyLedger,
  energyOf,
  hashOf,
  interpolate,
  jointTrees,
  LeanWorld,
  type LeanWorldOptions,
  momentumGuard,
  momentumOf,
  projectWorld,
  removeSolver,
  reportOf,
  residualsOf,
  restoreSnapshot,
  sceneOf,
  shrink,
  takeSnapshot,
  World,
  addSolver,
} from '../src/index.js'
import { link, type LinkDef, rowLink } from './support/link.js'

const ALL = [jointTrees, energyGuard, energyLedger, momentumGuard]
/** A distance that joint trees solve where a world has them. */
const joint: ConstraintType<LinkDef, 'rest'> = { ...rowLink, name: 'jointLink', joint: {} }

/** A chain of joints that hangs from the world, with a swept link across, whirled. */
function chain<W extends LeanWorld>(world: W): W {
  let last: Body | null = null
  const bodies: Body[] = []
  for (let k = 0; k < 6; k++) {
    const body = world.addBody({
      position: [k + 1, 0, 0],
      velocity: [0, k, 1],
      angularVelocity: [k, 1, 0],
      mass: 1 + k,
      inertia: [0.1, 0.2, 0.25],
    })
    world.add(joint, { a: last, b: body })
    bodies.push(body)
    last = body
  }
  world.add(link, { a: bodies[1], b: bodies[4] })
  addFree(world)
  return world
}

/** Two bodies that float, joined and spinning fast: their momenta are guarded. */
function addFree(world: LeanWorld): void {
  const [a, b] = [0, 1].map((x) =>
    world.addBody({
      position: [x, 9, 0],
      velocity: [0, 20 * x, 5],
      angularVelocity: [40, 3, 60],
      inertia: [0.1, 0.2, 0.25],
    }),
  )
  world.add(joint, { a, b })
}

function lean(options: LeanWorldOptions = {}): LeanWorld {
  return chain(new LeanWorld(options))
}

describe('a lean world', () => {
  test('with all parts has the bits of a complete world in every step', () => {
    const complete = chain(new World({ energyLedger: true }))
    const composed = lean({ energyLedger: true, parts: ALL })
    for (let step = 0; step < 40; step++) {
      complete.step()
      composed.step()
      expect(hashOf(composed), `step ${step}`).toBe(complete.hash())
    }
    expect(energyOf(composed)).toEqual(complete.energy())
    expect(complete.parts.map(({ name }) => name)).toEqual(['energyGuard', 'energyLedger', 'momentumGuard'])
  })

  test('sweeps its joints without jointTrees, and solves them with it', () => {
    const swept = lean()
    const solved = lean({ parts: [jointTrees] })
    for (const world of [swept, solved]) for (let step = 0; step < 20; step++) world.step()
    expect(swept.solvers).toEqual([])
    expect(solved.solvers).toHaveLength(1)
    const errorOf = (world: LeanWorld): number => residualsOf(world).jointLink.linear?.max ?? NaN
    expect(errorOf(swept)).toBeGreaterThan(1e-4)
    expect(errorOf(solved)).toBeLessThan(1e-6)
  })

  test('refuses what needs a part that it does not have', () => {
    const world = lean()
    expect(() => world.add(joint, { a: null, b: world.bodies.all()[0], solver: 'direct' })).toThrow(
      /solver 'direct' needs a world with jointTrees/,
    )
    expect(() => new LeanWorld({ solver: 'direct' })).toThrow(/World: solver 'direct' needs a world with jointTrees/)
    expect(() => new LeanWorld({ energyLedger: true })).toThrow(/World: energyLedger must be false in a world without/)
    expect(() => world.configure({ energyLedger: true })).toThrow(/configure: energyLedger must be false/)
    expect(() => new LeanWorld({ energyLedger: true, parts: [energyLedger] })).not.toThrow()
    expect(() => new LeanWorld({ energyGuard: true })).toThrow(
      new RangeError('World: energyGuard must be false in a world without the part energyGuard, got true'),
    )
    expect(() => world.configure({ energyGuard: true })).toThrow(/configure: energyGuard must be false/)
    expect(() => new LeanWorld({ energyGuard: true, parts: [energyGuard] })).not.toThrow()
  })

  test('refuses a part given twice, values that are no parts, and options that it does not know', () => {
    expect(() => new LeanWorld({ parts: [energyGuard, energyGuard] })).toThrow(RangeError)
    expect(() => new LeanWorld({ parts: [momentumGuard, momentumGuard] })).toThrow(/each part once, got/)
    expect(() => new LeanWorld({ parts: [1 as never] })).toThrow(/World: parts\[0\] must be a function, got 1/)
    expect(() => new LeanWorld({ parts: 'all' as never })).toThrow(TypeError)
    expect(() => new LeanWorld({ part: [] } as never)).toThrow(/part/)
    expect(() => new World({ parts: [] } as never)).toThrow(/World: parts must be left out/)
  })
})

describe('a function over a world', () => {
  test('gives what the method of the complete world gives', () => {
    const world = chain(new World())
    for (let step = 0; step < 5; step++) world.step()
    expect(energyOf(world)).toEqual(world.energy())
    expect(momentumOf(world)).toEqual(world.momentum())
    expect(residualsOf(world)).toEqual(world.residual())
    expect(hashOf(world)).toBe(world.hash())
    expect(reportOf(world)).toEqual(world.report)
    expect(sceneOf(world)).toEqual(world.toJSON())
    expect(takeSnapshot(world).data).toEqual(world.snapshot().data)
    const [first] = world.bodies.all()
    const [byFunction, byMethod] = [new Float64Array(3), new Float64Array(3)]
    world.advance(0.5 * world.settings.dt)
    interpolate(world, first, byFunction)
    world.interpolate(first, byMethod)
    expect(byFunction).toEqual(byMethod)
  })

  test('edits a lean world as the method edits a complete one', () => {
    const [complete, composed] = [new World(), new LeanWorld({ parts: ALL })]
    const def = { count: 3, positions: [0, 0, 0, 1, 0, 0, 2, 0, 0], mass: 2, inertia: [1, 1, 1] }
    const rows = { indices: [0, 1, 1, 2], each: { length: [0.9, 1.1] } }
    complete.addConstraints(link, { bodies: complete.addBodies(def), ...rows })
    addConstraints(composed, link, { bodies: addBodies(composed, def), ...rows })
    expect(sceneOf(composed)).toEqual(complete.toJSON())
    const saved = takeSnapshot(composed)
    const before = hashOf(composed)
    composed.step()
    complete.step()
    expect(hashOf(composed)).toBe(complete.hash())
    complete.project()
    projectWorld(composed)
    expect(hashOf(composed)).toBe(complete.hash())
    complete.shrink()
    shrink(composed)
    complete.step()
    composed.step()
    expect(hashOf(composed)).toBe(complete.hash())
    restoreSnapshot(composed, saved)
    expect(hashOf(composed)).toBe(before)
  })

  test('takes a solver out of a lean world once', () => {
    const world = new LeanWorld()
    const solver = { name: 'own', gather: (): void => {}, solve: (): void => {} }
    addSolver(world, solver)
    removeSolver(world, solver)
    expect(world.solvers).toEqual([])
    expect(() => removeSolver(world, solver)).toThrow(/removeSolver: solver must be one that was added, got 'own'|own/)
  })
})
