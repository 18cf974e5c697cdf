import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Body, type Constraint, fromJSON, World } from '../src/index.js'
import { FreeNumbers } from '../src/state/table.js'
import { link, TYPES } from './support/link.js'
import { run } from './support/random.js'
import { SEED } from './support/seed.js'

/** A chain of particles on the world, by links. */
function chain(count: number, world = new World()): { world: World; bodies: Body[]; links: Constraint[] } {
  const bodies = Array.from({ length: count }, (_, k) => world.addBody({ position: [k, 0, 0] }))
  const links = bodies.map((a, k) => world.add(link, { a, b: k === 0 ? null : bodies[k - 1] }) as unknown as Constraint)
  return { world, bodies, links }
}

describe('handles after a restore', () => {
  test('a body added after the snapshot stays dead when its row is given out again', () => {
    const { world } = chain(3)
    const snapshot = world.snapshot()
    const stale = world.addBody({ name: 'stale' })
    const [joint] = [world.add(link, { a: stale, b: null })]
    world.restore(snapshot)
    expect([stale.alive, joint.alive]).toEqual([false, false])
    const fresh = world.addBody({ name: 'fresh' })
    const other = world.add(link, { a: fresh, b: null })
    expect([fresh.index, other.slot]).toEqual([stale.index, joint.slot])
    expect([stale.alive, joint.alive]).toEqual([false, false])
    expect(() => stale.position).toThrow(/must exist, got a removed one/)
    expect(() => joint.error).toThrow(/must exist, got a removed one/)
  })

  test('any edits, snapshots and restores: what was dead when restored stays dead, what the snapshot has is itself', () => {
    const edit = fc.constantFrom('add', 'remove', 'save', 'restore', 'shrink', 'step')
    fc.assert(
      fc.property(fc.array(fc.tuple(edit, fc.nat(20)), { maxLength: 40 }), (edits) => {
        const world = new World()
        type Entry = { body: Body; joint: Constraint }
        let alive: Entry[] = []
        const all: Entry[] = []
        const saved: { snapshot: ReturnType<World['snapshot']>; alive: Entry[] }[] = []
        for (const [what, n] of edits) {
          if (what === 'add') {
            const body = world.addBody({ position: [all.length, n, 0] })
            const entry = { body, joint: world.add(link, { a: body, b: null }) as unknown as Constraint }
            all.push(entry)
            alive = [...alive, entry]
          } else if (what === 'remove' && alive.length > 0) {
            const gone = alive[n % alive.length]
            gone.body.remove()
            alive = alive.filter((one) => one !== gone)
          } else if (what === 'save') saved.push({ snapshot: world.snapshot(), alive })
          else if (what === 'restore' && saved.length > 0) {
            const back = saved[n % saved.length]
            world.restore(back.snapshot)
            alive = back.alive
          } else if (what === 'shrink') world.shrink()
          else if (what === 'step') world.step()
          for (const entry of all) {
            expect([entry.body.alive, entry.joint.alive]).toEqual(Array(2).fill(alive.includes(entry)))
          }
        }
        for (const { body, joint } of alive) expect(joint.bodies).toEqual([body, null])
      }),
      { seed: SEED, numRuns: 100 },
    )
  })
})

describe('room', () => {
  test('free numbers come back lowest first, whatever the order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(1000)), (numbers) => {
        const free = new FreeNumbers()
        for (const n of numbers) free.add(n)
        expect(numbers.map(() => free.take())).toEqual([...numbers].sort((r, s) => r - s))
        expect(free.count).toBe(0)
      }),
      { seed: SEED },
    )
  })

  test('shrink gives it back, and the world goes on bit for bit', () => {
    const { world, bodies } = chain(400)
    const other = chain(400)
    for (const w of [world, other.world]) run(w, 2)
    const before = world.snapshot()
    for (let k = 399; k >= 10; k--) {
      bodies[k].remove()
      other.bodies[k].remove()
    }
    world.shrink()
    expect(world.bodies.table.capacity).toBeLessThan(20)
    for (const { table, slotRow, ids } of world.batches) {
      expect([table.capacity, slotRow.length, ids.length / 2].every((n) => n < 20)).toBe(true)
    }
    for (const w of [world, other.world]) run(w, 5)
    expect(world.hash()).toBe(other.world.hash())
    const later = chain(30, world)
    const same = chain(30, other.world)
    for (const w of [world, other.world]) run(w, 5)
    expect(world.hash()).toBe(other.world.hash())
    expect(later.bodies.map(({ index }) => index)).toEqual(same.bodies.map(({ index }) => index))
    world.restore(before)
    run(world, 3)
    expect(world.bodies.all().length).toBe(400)
    expect(bodies[399].alive).toBe(true)
  })

  test('removing a body takes its constraints and no others, whatever was added, removed and ordered before', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.boolean()), { maxLength: 60 }), (edits) => {
        const world = new World()
        const bodies: (Body | undefined)[] = Array.from({ length: 12 }, (_, k) =>
          world.addBody({ position: [k, 0, 0] }),
        )
        let joints: { handle: Constraint; ends: number[] }[] = []
        for (const [r, s, removes] of edits) {
          if (removes && s < 3) {
            bodies[r]?.remove()
            bodies[r] = undefined
            joints = joints.filter(({ handle, ends }) => {
              expect(handle.alive).toBe(!ends.includes(r))
              return handle.alive
            })
          } else if (removes) joints.splice(s % (joints.length + 1), 1).forEach(({ handle }) => handle.remove())
          else if (r !== s && bodies[r] !== undefined && bodies[s] !== undefined) {
            const handle = world.add(link, { a: bodies[r], b: bodies[s] }) as unknown as Constraint
            joints.push({ handle, ends: [r, s] })
          }
          if (r === s) world.step()
          expect(world.constraints().length).toBe(joints.length)
        }
      }),
      { seed: SEED, numRuns: 100 },
    )
  })
})

test('a mass or moment without a finite inverse is refused, and the least that has one is read back', () => {
  const world = new World()
  expect(() => world.addBody({ mass: 1e-320 })).toThrow(new RangeError('addBody: mass must be >= 6e-309, got 1e-320'))
  expect(() => world.addBody({ inertia: [1, 1e-320, 1] })).toThrow(/inertia\[1\] must be >= 6e-309/)
  expect(world.bodies.count).toBe(1)
  world.addBody({ mass: 6e-309, inertia: 6e-309, gravityScale: 0 })
  world.step()
  expect(fromJSON(JSON.stringify(world), TYPES).hash()).toBe(world.hash())
})
