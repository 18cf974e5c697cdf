/** Labels over a picture, each where its point is seen. */

import type { Viewer } from '../viewer/viewer.js'
import { h } from './dom.js'

export class Labels {
  readonly element: HTMLElement = h('div', { class: 'labels', 'aria-hidden': 'true' })

  /** Shows those of a picture. */
  show(viewer: Viewer | undefined): void {
    this.element.replaceChildren(...(viewer?.picture?.labels ?? []).map(({ text }) => h('span', {}, text)))
  }

  /** Puts each in its place. */
  place(viewer: Viewer | undefined): void {
    viewer?.picture?.labels.forEach(({ at }, k) => {
      const { x, y, isInFront } = viewer.project(at)
      const label = this.element.children[k] as HTMLElement | undefined
      if (label === undefined) return
      label.hidden = !isInFront
      // Inside the picture.
      const half = 0.5 * label.offsetWidth
      const inside = Math.max(half, Math.min(viewer.canvas.clientWidth - half, x))
      label.style.transform = `translate(-50%, -50%) translate(${inside.toFixed(1)}px, ${y.toFixed(1)}px)`
    })
  }
}
