/** What is drawn of an exhibit: its parts as objects of three, bodies and surfaces by `@tautline/three`. */

import type { Body, World } from '@tautline/core'
import { Bindings, type Grabbable } from '@tautline/three'
import { Group, Mesh, type Object3D, Vector3 } from 'three'
import type { Handle, Live, Triple } from '../exhibit.js'
import type { Part } from '../parts.js'
import { Forms } from './forms.js'
import type { Inside } from './inside.js'
import { Lines } from './lines.js'
import type { Palette } from './theme.js'

/** What an object is dragged by, and how far its lane stands aside. */
export interface Hold {
  readonly what: Body | Handle | Grabbable
  readonly world: World | undefined
  readonly shift: Triple
}

/** A text at a place. */
export interface Label {
  readonly text: string
  readonly at: Triple
}

const NO_SHIFT: Triple = [0, 0, 0]

export class Picture {
  readonly group: Group = new Group()
  readonly labels: readonly Label[]
  /** By object. */
  readonly holds: ReadonlyMap<Object3D, Hold>
  /** One a world. */
  readonly bindings: ReadonlyMap<World, Bindings>
  private readonly forms = new Forms()
  private readonly garbage: { dispose(): void }[] = []
  /** What no world moves: bones and goals. */
  private readonly placed: { mesh: Mesh; part: Extract<Part, { kind: 'solid' }> }[] = []
  private readonly lines: Lines[] = []
  /** Joints, contacts and forces, where they are shown. */
  private inside: Inside | undefined
  /** What it shows. */
  readonly live: Live
  /** Bodies of lanes that stand aside. */
  private readonly aside: { mesh: Mesh; shift: Triple }[] = []

  constructor(live: Live, palette: Palette) {
    this.live = live
    const bindings = new Map(live.worlds.map((world) => [world, new Bindings(world)]))
    const holds = new Map<Object3D, Hold>()
    const lanes = new Map<string, Group>()
    const laneOf = (shift: Triple): Group => {
      const key = shift.join()
      let lane = lanes.get(key)
      if (lane === undefined) {
        lanes.set(key, (lane = new Group()))
        lane.position.set(...shift)
        this.group.add(lane)
      }
      return lane
    }
    const worldOf = (body: Body): World | undefined => live.worlds.find(({ bodies }) => bodies === body.bodies)

    for (const part of live.parts) {
      if (part.kind === 'label') continue
      const shift = part.shift ?? NO_SHIFT
      const lane = laneOf(shift)
      if (part.kind === 'mesh') {
        const { item, mesh } = part.makeMesh(palette)
        // Rays find it all the same.
        mesh.visible = part.isHidden !== true
        mesh.castShadow = mesh.receiveShadow = true
        lane.add(mesh)
        const world = worldOf(part.body)
        if (world !== undefined) {
          bindings.get(world)?.show(item, mesh)
          holds.set(mesh, { what: item, world, shift })
        }
        this.garbage.push({ dispose: () => mesh.geometry.dispose() })
        continue
      }
      const material = palette.of(part.tone)
      if (part.kind === 'solid') {
        const mesh = new Mesh(this.forms.of(part.form), material)
        mesh.castShadow = part.tone !== 'ghost'
        mesh.receiveShadow = true
        const world = part.body && worldOf(part.body)
        if (part.body !== undefined && world !== undefined) {
          // Bindings put it where its body is, whatever its parent does: it is moved aside after them.
          this.group.add(mesh)
          if (part.shift !== undefined) this.aside.push({ mesh, shift })
          bindings.get(world)?.bind(part.body, mesh, {
            ...(part.at && { position: part.at }),
            ...(part.turned && { orientation: part.turned }),
          })
        } else {
          lane.add(mesh)
          this.placed.push({ mesh, part })
        }
        if (part.grab !== undefined) holds.set(mesh, { what: part.grab, world, shift })
      } else {
        const lines = new Lines(part, material)
        lines.mesh.castShadow = lines.mesh.receiveShadow = true
        lane.add(lines.mesh)
        this.lines.push(lines)
      }
    }
    this.bindings = bindings
    this.holds = holds
    this.labels = live.parts.filter((part) => part.kind === 'label')
    this.update(1)
  }

  /** Shows joints, contacts and forces, or none. */
  inspect(inside: Inside | undefined): void {
    this.inside?.dispose()
    this.inside = inside
    if (inside !== undefined) this.group.add(inside.group)
  }

  /** Puts everything where it is at `alpha` from the start of the last step to its end. */
  update(alpha: number): void {
    for (const bindings of this.bindings.values()) bindings.update(alpha)
    for (const { mesh, shift } of this.aside) mesh.position.add(SHIFT.set(...shift))
    for (const lines of this.lines) lines.update(alpha)
    this.inside?.update(alpha)
    for (const { mesh, part } of this.placed) {
      part.place(PLACE)
      mesh.position.fromArray(PLACE)
      mesh.quaternion.fromArray(PLACE, 3)
      if (part.at !== undefined) mesh.position.add(OFFSET.position.set(...part.at).applyQuaternion(mesh.quaternion))
      if (part.turned !== undefined) mesh.quaternion.multiply(OFFSET.quaternion.fromArray(part.turned))
    }
  }

  /** Points of beads, sticks and tubes as they are drawn [m]. */
  linePoints(): Triple[] {
    return this.lines.flatMap(({ points, mesh }) => {
      const at: Triple[] = []
      for (let k = 0; k < points.length; k += 3) {
        const { x, y, z } = SHIFT.fromArray(points, k).applyMatrix4(mesh.matrixWorld)
        at.push([x, y, z])
      }
      return at
    })
  }

  dispose(): void {
    this.group.removeFromParent()
    for (const bindings of this.bindings.values()) bindings.clear()
    for (const lines of this.lines) lines.dispose()
    this.inspect(undefined)
    for (const each of this.garbage) each.dispose()
    this.forms.dispose()
  }
}

const SHIFT = new Vector3()
const PLACE = new Float64Array(7)
const OFFSET = new Mesh()
