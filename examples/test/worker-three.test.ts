/** Bindings to three.js show a world that lives in a worker. */

import { MessageChannel } from 'node:worker_threads'
import { Bindings } from '@tautline/three'
import { connect } from '@tautline/worker'
import { serve } from '@tautline/worker/host'
import { WorldMirror } from '@tautline/worker/mirror'
import { BoxGeometry, InstancedMesh, Matrix4, MeshBasicMaterial, Object3D, Vector3 } from 'three'
import { expect, test } from 'vitest'

test('objects and instances stand where the bodies of the worker stand', async () => {
  const { port1, port2 } = new MessageChannel()
  serve({ port: port2 })
  const remote = connect(port1, { world: { gravity: [0, 0, 0] }, collisions: false })
  const lead = remote.addBody({ inertia: 1, velocity: [6, 0, 0], angularVelocity: [0, 3, 0] })
  const rest = remote.addBodies({
    count: 3,
    positions: [0, 1, 0, 0, 2, 0, 0, 3, 0],
    velocities: [0, 0, 3, 0, 0, 6, 0, 0, 9],
  })
  const mirror = new WorldMirror(remote)
  const bindings = new Bindings(mirror.world)
  const object = new Object3D()
  const mesh = new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 3)
  bindings.bind(mirror.body(lead), object)
  bindings.bindInstances(mirror.bodies(rest), mesh)
  remote.step()
  await remote.flush()
  mirror.update()
  bindings.update(0.5)
  expect(object.position.x).toBeCloseTo(0.05, 9)
  expect(2 * Math.asin(object.quaternion.y)).toBeCloseTo(0.025, 6)
  bindings.update(1)
  const matrix = new Matrix4()
  const places = [0, 1, 2].map((k) => {
    mesh.getMatrixAt(k, matrix)
    return new Vector3().setFromMatrixPosition(matrix).toArray()
  })
  places.forEach(([x, y, z], k) => {
    expect([x, y]).toEqual([0, k + 1])
    expect(z).toBeCloseTo(0.05 * (k + 1), 6)
  })
  rest[1].remove()
  bindings.update(mirror.update())
  mesh.getMatrixAt(1, matrix)
  expect(matrix.elements[0]).toBe(0)
  remote.dispose()
})
