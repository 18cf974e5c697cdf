/** Names of what can be dragged, and where it is: for `window.gallery`. */

import { Surface } from '@tautline/three'
import { Vector3 } from 'three'
import type { Triple } from './exhibit.js'
import type { Hold } from './viewer/picture.js'
import type { Viewer } from './viewer/viewer.js'

/** Most that are told of. */
const MOST = 20

export interface Found {
  readonly name: string
  /** Where it is drawn [m]: lanes stand aside. */
  readonly drawn: Triple
  readonly position: Triple
}

/** Everything that can be dragged, goals first. */
export function findDraggables({ picture }: Viewer): Found[] {
  if (picture === undefined) return []
  const found: Found[] = []
  const names = new Set<string>()
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
    if (what instanceof Surface) {
      // A vertex in the middle of those that move, by their numbers.
      const moving = world?.bodies.all().filter(({ type }) => type === 'dynamic') ?? []
      const body = moving[moving.length >> 1]
      if (body !== undefined)
        add(`${lane}/body ${body.index}`, hold, [body.position[0], body.position[1], body.position[2]])
      continue
    }
    const at = mesh.getWorldPosition(new Vector3())
    add(`${lane}/body ${what.index}`, hold, [at.x - hold.shift[0], at.y - hold.shift[1], at.z - hold.shift[2]])
  }
  return found
}
