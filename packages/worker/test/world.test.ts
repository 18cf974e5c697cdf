/** A world behind a port does what the same calls do on a world. */

import { box, Collisions, plane, rayCast, sphere } from '@tautline/collision'
import { ballSocket, distance, hinge } from '@tautline/constraints'
import { World } from '@tautline/core'
import { expect, test } from 'vitest'
import { pair } from './support/pair.js'

for (const poses of ['shared', 'transferred'] as const) {
  test(`poses come ${poses}, to the bit`, async () => {
    const { remote, world, errors } = pair({ poses, velocities: true })
    expect(remote.shared).toBe(poses === 'shared')
    remote.collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
    const boxes = Array.from({ length: 5 }, (_, k) =>
      remote.collisions.addBody({ shape: box([0.5, 0.5, 0.5]), origin: [0, 2 + 1.2 * k, 0.1 * k], name: `box ${k}` }),
    )
    expect(boxes[1].position).toEqual([0, 3.2, 0.1])
    expect(boxes[1].alive).toBe(true)
    for (let step = 0; step < 30; step++) remote.step()
    await remote.flush()
    expect(remote.refresh()).toBe(true)
    expect(remote.refresh()).toBe(false)
    expect(remote.steps).toBe(30)
    const bodies = world().bodies.all()
    const out: [number, number, number] = [0, 0, 0]
    boxes.forEach((remoteBox, k) => {
      const body = bodies.find(({ name }) => name === `box ${k}`)
      expect(body).toBeDefined()
      expect(remoteBox.position).toEqual(body?.position)
      expect(remoteBox.orientation).toEqual(body?.orientation)
      expect(remoteBox.getVelocity(out)).toEqual(body?.velocity)
      expect(remoteBox.getAngularVelocity(out)).toEqual(body?.angularVelocity)
    })
    boxes[0].remove()
    expect(boxes[0].alive).toBe(false)
    await remote.flush()
    remote.refresh()
    expect(boxes.map(({ alive }) => alive)).toEqual([false, true, true, true, true])
    expect(boxes[2].position).toEqual(bodies.find(({ name }) => name === 'box 2')?.position)
    expect(errors).toEqual([])
    remote.dispose()
  })
}

test('the same calls give the same bits', async () => {
  const { remote } = pair({ world: { substeps: 8 }, collisions: { margin: 0.02 } })
  const world = new World({ substeps: 8 })
  const collisions = new Collisions(world, { margin: 0.02 })
  const ground = { shape: plane([0, 1, 0], 0) }
  const shape = box([0.3, 0.2, 0.1])
  const build = <B, C>(
    addCollider: (body: null, def: typeof ground) => void,
    addBody: (k: number) => B,
    join: (a: B, b: B, k: number) => C,
  ): void => {
    addCollider(null, ground)
    const bodies = Array.from({ length: 6 }, (_, k) => addBody(k))
    for (let k = 1; k < 6; k++) join(bodies[k - 1], bodies[k], k)
  }
  build(
    (body, def) => collisions.addCollider(body, def),
    (k) => collisions.addBody({ shape, origin: [0.7 * k, 1, 0] }),
    (a, b, k) =>
      k % 2 === 0
        ? world.add(ballSocket, { a, b, point: [0.7 * k - 0.35, 1, 0] })
        : world.add(hinge, { a, b, point: [0.7 * k - 0.35, 1, 0], axis: [0, 0, 1] }),
  )
  build(
    (body, def) => remote.collisions.addCollider(body, def),
    (k) => remote.collisions.addBody({ shape, origin: [0.7 * k, 1, 0] }),
    (a, b, k) =>
      k % 2 === 0
        ? remote.add(ballSocket, { a, b, point: [0.7 * k - 0.35, 1, 0] })
        : remote.add('hinge', { a, b, point: [0.7 * k - 0.35, 1, 0], axis: [0, 0, 1] }),
  )
  for (let step = 0; step < 120; step++) {
    world.step()
    remote.step()
  }
  expect(await remote.hash()).toBe(world.hash())
  expect(await remote.energy()).toEqual(world.energy())
  expect(await remote.momentum()).toEqual(world.momentum())
  expect(await remote.residual()).toEqual(world.residual())
  expect(JSON.parse(JSON.stringify(await remote.toJSON()))).toEqual(JSON.parse(JSON.stringify(world.toJSON())))
  const direct = rayCast(collisions, [0, 5, 0], [0, -1, 0])
  const hit = await remote.collisions.rayCast([0, 5, 0], [0, -1, 0])
  expect(hit?.distance).toBe(direct?.distance)
  expect(hit?.point).toEqual(direct?.point)
  expect(hit?.body?.name).toBe(direct?.body?.name)
  remote.dispose()
})

test('a snapshot brings everything back', async () => {
  const { remote } = pair()
  const ball = remote.collisions.addBody({ shape: sphere(0.5), origin: [0, 3, 0] })
  const rope = remote.add(distance, { a: null, b: ball, length: 2 })
  remote.step()
  const snapshot = await remote.snapshot()
  const before = await remote.hash()
  remote.step()
  rope.remove()
  ball.remove()
  remote.step()
  expect(await remote.hash()).not.toBe(before)
  await remote.restore(snapshot)
  expect(await remote.hash()).toBe(before)
  remote.refresh()
  expect((await rope.read()).def.length).toBe(2)
  await remote.flush()
  remote.refresh()
  expect(ball.alive).toBe(true)
  expect(await remote.bodies()).toEqual([ball])
  remote.dispose()
})
