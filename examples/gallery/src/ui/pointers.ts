/** Pointers and keys on a picture: what is taken hold of is dragged, all else turns it. */

import type { Dragging } from '../viewer/dragging.js'
import type { Orbit } from '../viewer/orbit.js'

/** Turn about the vertical and down [rad], and factor of the distance, by key. */
const TURNS: Readonly<Record<string, readonly [number, number, number]>> = {
  ArrowLeft: [-0.1, 0, 1],
  ArrowRight: [0.1, 0, 1],
  ArrowUp: [0, 0.08, 1],
  ArrowDown: [0, -0.08, 1],
  '+': [0, 0, 0.9],
  '-': [0, 0, 1.1],
}

/** Has a picture be dragged and turned; `onGrab` is told when something is taken. */
export function listenToPointers(
  canvas: HTMLCanvasElement,
  dragging: Dragging,
  orbit: Orbit,
  onGrab: () => void,
): void {
  const at = ({ clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top } = canvas.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }
  let pointer: number | undefined
  // Before the orbit hears of it.
  canvas.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0 || pointer !== undefined || !dragging.grab(...at(event))) return
      pointer = event.pointerId
      orbit.enabled = false
      canvas.setPointerCapture(event.pointerId)
      canvas.classList.add('holding')
      onGrab()
    },
    { capture: true },
  )
  canvas.addEventListener('pointermove', (event) => {
    if (event.pointerId === pointer) dragging.move(...at(event))
  })
  const release = (event: PointerEvent): void => {
    if (event.pointerId !== pointer) return
    pointer = undefined
    dragging.release()
    orbit.enabled = true
    canvas.classList.remove('holding')
  }
  canvas.addEventListener('pointerup', release)
  canvas.addEventListener('pointercancel', release)
  canvas.addEventListener('keydown', (event) => {
    const turn = TURNS[event.key]
    if (turn === undefined) return
    event.preventDefault()
    orbit.turn(...turn)
  })
}
