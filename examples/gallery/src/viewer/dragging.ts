/** Pulling at bodies, surfaces and goals with a pointer. */

import type { Body } from '@tautline/core'
import { Dragger } from '@tautline/three'
import { Plane, Raycaster, Vector2, Vector3 } from 'three'
import type { Handle, Live, Triple } from '../exhibit.js'
import { LedHandle } from '../pose-live.js'
import type { Hold } from './picture.js'
import type { Viewer } from './viewer.js'

/** Of the spring that pulls [Hz]. */
const FREQUENCY = 5
/** A finger may miss a thing by this [css px]. */
const MISS = 22

export class Dragging {
  private readonly viewer: Viewer
  private readonly caster = new Raycaster()
  private readonly plane = new Plane()
  private hold: Hold | undefined
  private dragger: Dragger | undefined
  /** What was told of a body that was taken. */
  private live: Live | undefined
  private handle: Handle | undefined

  constructor(viewer: Viewer) {
    this.viewer = viewer
  }

  get isHolding(): boolean {
    return this.hold !== undefined
  }

  /** Takes hold of what is at a point of the canvas [css px]; says whether there was anything. */
  grab(x: number, y: number): boolean {
    this.release()
    const { picture, camera } = this.viewer
    if (picture === undefined) return false
    const found = this.find(x, y)
    if (found === undefined) return false
    const { hold, point } = found
    this.hold = hold
    this.plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), point)
    const { what, world, shift } = hold
    if ('target' in what) {
      this.handle = what
      if (what instanceof LedHandle) what.isTaken = true
      // It is moved by its middle: so it stays under the pointer.
      this.plane.setFromNormalAndCoplanarPoint(this.plane.normal, new Vector3(...absolute(what.target, shift)))
      return true
    }
    const bindings = world && picture.bindings.get(world)
    if (bindings === undefined) return false
    const local: [number, number, number] = [point.x - shift[0], point.y - shift[1], point.z - shift[2]]
    const grip = 'nearest' in what ? what.nearest(local) : { body: what, point: inBody(what, local) }
    if (grip !== null) {
      this.live = picture.live
      this.live.grabbed?.(grip.body)
    }
    if (grip === null || grip.body.type !== 'dynamic') {
      this.hold = undefined
      return false
    }
    this.dragger = new Dragger(bindings, { frequency: FREQUENCY })
    this.dragger.grabBody(grip.body, grip.point)
    return true
  }

  /** Moves what is held to a point of the canvas [css px]. */
  move(x: number, y: number): void {
    if (this.hold === undefined) return
    this.aim(x, y)
    const at = this.caster.ray.intersectPlane(this.plane, new Vector3())
    if (at === null) return
    const { shift } = this.hold
    const target = [at.x - shift[0], at.y - shift[1], at.z - shift[2]] as const
    if (this.handle !== undefined) for (let k = 0; k < 3; k++) this.handle.target[k] = target[k]
    this.dragger?.moveTo(target)
  }

  release(): void {
    this.dragger?.release()
    this.live?.released?.()
    this.live = undefined
    this.dragger = this.handle = this.hold = undefined
  }

  private aim(x: number, y: number): void {
    const { canvas, camera } = this.viewer
    const { clientWidth, clientHeight } = canvas
    this.caster.setFromCamera(new Vector2((2 * x) / clientWidth - 1, 1 - (2 * y) / clientHeight), camera)
  }

  private find(x: number, y: number): { hold: Hold; point: Vector3 } | undefined {
    const { picture } = this.viewer
    if (picture === undefined) return undefined
    this.aim(x, y)
    const objects = [...picture.holds.keys()]
    for (const object of objects) object.updateWorldMatrix(true, false)
    const hits = this.caster.intersectObjects(objects, false)
    // Goals lie over what follows them.
    const hit = hits.find(({ object }) => isHandle(picture.holds.get(object))) ?? hits[0]
    const hold = hit && picture.holds.get(hit.object)
    if (hold !== undefined) return { hold, point: hit.point }
    return this.nearest(x, y)
  }

  /** What a finger has missed by a little: of goals and bodies, by their centres. */
  private nearest(x: number, y: number): { hold: Hold; point: Vector3 } | undefined {
    const { picture, viewer } = { picture: this.viewer.picture, viewer: this.viewer }
    let least = MISS
    let best: { hold: Hold; point: Vector3 } | undefined
    for (const [object, hold] of picture?.holds ?? []) {
      if ('nearest' in hold.what) continue
      const point = object.getWorldPosition(new Vector3())
      const at = viewer.project([point.x, point.y, point.z])
      const away = Math.hypot(at.x - x, at.y - y)
      if (!at.isInFront || away >= least) continue
      least = away
      best = { hold, point }
    }
    return best
  }
}

function isHandle(hold: Hold | undefined): boolean {
  return hold !== undefined && 'target' in hold.what
}

function inBody(body: Body, at: [number, number, number]): Triple {
  if (body.isParticle) return [0, 0, 0]
  const [x, y, z] = body.toBody(at)
  return [x, y, z]
}

function absolute(target: ArrayLike<number>, shift: Triple): Triple {
  return [target[0] + shift[0], target[1] + shift[1], target[2] + shift[2]]
}
