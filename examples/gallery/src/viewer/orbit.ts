/** Looking around: a drag turns the picture about its centre, the wheel or two fingers bring it nearer. */

import { type PerspectiveCamera, Vector3 } from 'three'

/** A drag over the height of the picture turns by this [rad]. */
const TURN = Math.PI
/** Of a notch of the wheel. */
const ZOOM = 1.0012
/** Steepest look down or up [rad]. */
const STEEPEST = 1.5

export class Orbit {
  /** What is looked at. */
  readonly target: Vector3 = new Vector3()
  /** While false, pointers are left to others. */
  enabled = true
  /** Nearest and farthest [m]. */
  nearest = 0
  farthest = Infinity
  private readonly camera: PerspectiveCamera
  private readonly canvas: HTMLCanvasElement
  private readonly pointers = new Map<number, { x: number; y: number }>()
  private readonly stop = new AbortController()

  constructor(camera: PerspectiveCamera, canvas: HTMLCanvasElement) {
    this.camera = camera
    this.canvas = canvas
    const { signal } = this.stop
    canvas.addEventListener('pointerdown', (event) => this.down(event), { signal })
    canvas.addEventListener('pointermove', (event) => this.move(event), { signal })
    for (const name of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(name, ({ pointerId }) => this.pointers.delete(pointerId), { signal })
    }
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault()
        this.turn(0, 0, ZOOM ** event.deltaY)
      },
      { passive: false, signal },
    )
  }

  /** Turns the camera about the centre, to the right and upward [rad], and scales its distance. */
  turn(right: number, up: number, scale = 1): void {
    const { camera, target } = this
    const arm = camera.position.clone().sub(target)
    const length = arm.length()
    const around = Math.atan2(arm.x, arm.z) + right
    const above = Math.min(STEEPEST, Math.max(-STEEPEST, Math.asin(arm.y / length) + up))
    const distance = Math.min(this.farthest, Math.max(this.nearest, length * scale))
    arm.set(Math.sin(around) * Math.cos(above), Math.sin(above), Math.cos(around) * Math.cos(above))
    camera.position.copy(target).addScaledVector(arm, distance)
    camera.lookAt(target)
  }

  dispose(): void {
    this.stop.abort()
  }

  private down(event: PointerEvent): void {
    if (!this.enabled) return
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    this.canvas.setPointerCapture(event.pointerId)
  }

  private move({ pointerId, clientX, clientY }: PointerEvent): void {
    const pointer = this.pointers.get(pointerId)
    if (pointer === undefined || !this.enabled) return
    const before = this.spread()
    const [x, y] = [clientX - pointer.x, clientY - pointer.y]
    pointer.x = clientX
    pointer.y = clientY
    const share = TURN / Math.max(1, this.canvas.clientHeight) / this.pointers.size
    this.turn(-x * share, y * share, this.pointers.size === 2 ? before / Math.max(1, this.spread()) : 1)
  }

  /** Between the first two fingers [px]. */
  private spread(): number {
    const [a, b] = [...this.pointers.values()]
    return b === undefined ? 1 : Math.hypot(a.x - b.x, a.y - b.y)
  }
}
