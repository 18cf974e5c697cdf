/** Names of what can be dragged, and where it is: for `window.gallery`. */

import type { Body, World } from '@tautline/core'
import { type BufferGeometry, Mesh, Raycaster, Vector3 } from 'three'
import type { Triple } from './exhibit.js'
import type { Hold } from './viewer/picture.js'
import type { Viewer } from './viewer/viewer.js'

/** Most that are told of. */
const MOST = 200

export interface Found {
  readonly name: string
  /** Where it is drawn [m]: lanes stand aside. */
  readonly drawn: Triple
  readonly position: Triple
}

/** Everything that can be dragged, goals first. */
export function findDraggables(viewer: Viewer): Found[] {
  const { picture } = viewer
  if (picture === undefined) return []
  const found: Found[] = []
  const names = new Set<string>()
  const caster = new Raycaster()
  const add = (name: string, hold: Hold, position: Triple): void => {
    if (names.has(name) || found.length >= MOST) return
    names.add(name)
    const [x, y, z] = hold.shift
    found.push({ name, position, drawn: [position[0] + x, position[1] + y, position[2] + z] })
  }
  const holds = [...picture.holds]
  for (const [, hold] of holds) {
    if ('target' in hold.what)
      add(hold.what.name, hold, [hold.what.target[0], hold.what.target[1], hold.what.target[2]])
  }
  for (const [mesh, hold] of holds) {
    const { what, world } = hold
    if ('target' in what) continue
    const lane = world === undefined ? 0 : [...picture.bindings.keys()].indexOf(world)
    if ('nearest' in what) {
      const { x: ex, y: ey, z: ez } = viewer.camera.position
      const own = what.nearest([ex - hold.shift[0], ey - hold.shift[1], ez - hold.shift[2]])?.body
      const front = own?.type === 'dynamic' ? own : world && nearestBody(world, viewer, hold.shift)
      if (front === undefined) continue
      // A node of a lattice stands before the skin: what is taken there is the node nearest to the skin.
      const [x, y, z] = front.position
      const [sx, sy, sz] = hold.shift
      const eye = viewer.camera.position
      caster.set(eye, new Vector3(x + sx, y + sy, z + sz).sub(eye).normalize())
      const point = caster.intersectObject(mesh, false)[0]?.point
      const taken = point && what.nearest([point.x - sx, point.y - sy, point.z - sz])?.body
      const { index, position } = taken?.type === 'dynamic' ? taken : front
      add(`${lane}/body ${index}`, hold, [position[0], position[1], position[2]])
      continue
    }
    const at = mesh.getWorldPosition(new Vector3())
    add(`${lane}/body ${what.index}`, hold, [at.x - hold.shift[0], at.y - hold.shift[1], at.z - hold.shift[2]])
  }
  return found
}

/** Points that lie on ropes, cloths and skins as they are drawn, and middles of bodies that can be dragged [m]. */
export function extentPoints({ picture }: Viewer): Triple[] {
  if (picture === undefined) return []
  const points = picture.linePoints()
  for (const [object, { what }] of picture.holds) {
    object.updateWorldMatrix(true, false)
    if (!('nearest' in what) || !(object instanceof Mesh)) {
      const { x, y, z } = object.getWorldPosition(new Vector3())
      points.push([x, y, z])
      continue
    }
    const vertices = (object as Mesh<BufferGeometry>).geometry.getAttribute('position')
    for (let k = 0; k < vertices.count; k++) {
      const { x, y, z } = new Vector3().fromBufferAttribute(vertices, k).applyMatrix4(object.matrixWorld)
      points.push([x, y, z])
    }
  }
  return points
}

/** Where something of a name is now. */
export function positionOf(viewer: Viewer, name: string): Triple | null {
  const { picture } = viewer
  if (picture === undefined) return null
  const [, lane, index] = /^(\d+)\/body (\d+)$/.exec(name) ?? []
  if (index !== undefined) {
    const body = [...picture.bindings.keys()][Number(lane)]?.bodies.handle(Number(index))
    return body === undefined ? null : [body.position[0], body.position[1], body.position[2]]
  }
  for (const { what } of picture.holds.values()) {
    if (!('target' in what) || what.name !== name) continue
    const reached = what.reached?.()
    return reached ?? [what.target[0], what.target[1], what.target[2]]
  }
  return null
}

/** Of all bodies that move: the one in front. */
function nearestBody(world: World, { camera }: Viewer, [x, y, z]: Triple): Body | undefined {
  const { position: eye } = camera
  let least = Infinity
  let best: Body | undefined
  for (const body of world.bodies.all()) {
    if (body.type !== 'dynamic') continue
    const [px, py, pz] = body.position
    const away = Math.hypot(px + x - eye.x, py + y - eye.y, pz + z - eye.z)
    if (away >= least) continue
    least = away
    best = body
  }
  return best
}
