/** The picture of a page: its canvas, what is written over it, and hands that pull at things and turn it. */

import type { Live, View } from '../exhibit.js'
import type { Run } from '../run.js'
import { messageOf } from '../script-error.js'
import { Dragging } from '../viewer/dragging.js'
import { Following } from '../viewer/following.js'
import { Orbit } from '../viewer/orbit.js'
import { Viewer } from '../viewer/viewer.js'
import { h } from './dom.js'
import { Labels } from './labels.js'
import { listenToPointers } from './pointers.js'

/** A viewer, and what moves its camera and its things. */
interface Hands {
  readonly viewer: Viewer
  readonly dragging: Dragging
  readonly orbit: Orbit
  readonly following: Following
}

export class Stage {
  readonly element: HTMLElement
  private readonly labels = new Labels()
  private readonly message = h('div', { class: 'message', role: 'alert', hidden: true })
  /** None where there is no WebGL 2. */
  private readonly hands: Hands | undefined
  /** Why there is no picture, if there is none. */
  private readonly trouble: string | undefined
  /** What it shows, and from where it is seen first. */
  private shown: { readonly live: Live; readonly view: View } | undefined

  /** `onTouch` is told when somebody takes hold of something. */
  constructor(title: string, controls: HTMLElement, onTouch: () => void) {
    const canvas = h('canvas', {
      class: 'picture',
      tabindex: 0,
      'aria-label': `${title}: a live picture. Drag things with the pointer; arrow keys turn it.`,
      role: 'img',
    })
    this.element = h('div', { class: 'stage' }, canvas, this.labels.element, this.message, controls)
    try {
      this.hands = handsOn(canvas, onTouch)
    } catch (error) {
      this.trouble = `This browser shows no picture (WebGL 2): ${messageOf(error)}`
    }
    this.tell(undefined)
  }

  get viewer(): Viewer | undefined {
    return this.hands?.viewer
  }

  /** Shows something else. With `keepCamera` one goes on looking from where one was. */
  show(live: Live, view: View, keepCamera: boolean): void {
    this.shown = { live, view }
    this.hands?.viewer.show(live, view, keepCamera)
    if (!keepCamera) this.resetOrbit()
    this.hands?.following.begin(live)
    this.labels.show(this.viewer)
  }

  private resetOrbit(): void {
    if (this.hands === undefined || this.shown === undefined) return
    const { orbit, viewer } = this.hands
    const { radius } = this.shown.view
    orbit.target.copy(viewer.centre)
    orbit.nearest = 0.2 * radius
    orbit.farthest = 12 * radius
  }

  /** Lets go of what is held. */
  release(): void {
    this.hands?.dragging.release()
  }

  /** Has the picture go along with a player. */
  follow(): void {
    if (this.hands === undefined || this.shown === undefined) return
    this.hands.following.update(this.shown.live, this.hands.dragging.isHolding)
  }

  /** Draws a frame, at a time [ms]. */
  drawFrame(now: number, { alpha }: Run): void {
    this.follow()
    this.viewer?.drawFrame(now, alpha)
    this.labels.place(this.viewer)
  }

  /** Takes the size that there is. */
  resize(run: Run | undefined): void {
    const { clientWidth, clientHeight } = this.element
    if (clientWidth === 0 || this.viewer?.resize(clientWidth, clientHeight) !== true) return
    this.resetOrbit()
    this.viewer.draw(run?.alpha ?? 1)
  }

  /** A message over the picture; or none. */
  tell(text: string | undefined): void {
    const shown = text ?? this.trouble
    this.message.hidden = shown === undefined
    this.message.textContent = shown ?? ''
  }

  readTheme(): void {
    this.viewer?.readTheme()
  }

  dispose(): void {
    this.release()
    this.hands?.orbit.dispose()
    this.viewer?.dispose()
  }
}

/** Throws where there is no WebGL 2. */
function handsOn(canvas: HTMLCanvasElement, onTouch: () => void): Hands {
  const viewer = new Viewer(canvas)
  const dragging = new Dragging(viewer)
  const orbit = new Orbit(viewer.camera, canvas)
  listenToPointers(canvas, dragging, orbit, onTouch)
  return { viewer, dragging, orbit, following: new Following(viewer, orbit) }
}
