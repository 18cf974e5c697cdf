/** The scene of the first screen at work: it is drawn, and pulled at. Loaded by itself, after the page is there. */

import type { Body, Constraint } from '@tautline/core'
import { pointDrive, type PointDriveDef } from '@tautline/constraints'
import { HeroPicture } from './draw.js'
import { heroScene, type HeroScene } from './scene.js'

const STEP = 1 / 60
/** Longest time of a frame that counts [s]. */
const LONGEST_FRAME = 0.1
/** Of the spring that pulls [Hz]; what hangs on a thing comes along, so that it pulls as for this much at least [kg]. */
const FREQUENCY = 4
const LEAST_MASS = 60
/** A finger may miss a thing by this [css px]. */
const MISS = 26

/** A thing that can be pulled at. */
interface Thing {
  readonly name: string
  readonly body: Body
  /** [m] */
  readonly radius: number
}

export class HeroLive {
  steps = 0
  isPaused: boolean
  private readonly canvas: HTMLCanvasElement
  private readonly scene: HeroScene = heroScene()
  private readonly picture: HeroPicture
  private readonly all: readonly Thing[]
  private readonly sizes: ResizeObserver
  private readonly views: IntersectionObserver
  private pull: { drive: Constraint<PointDriveDef>; depth: number; pointer: number } | undefined
  private isStopped = false
  private isInView = true
  private last = 0
  private owed = 0

  constructor(canvas: HTMLCanvasElement, isPaused: boolean) {
    this.canvas = canvas
    this.isPaused = isPaused
    const { scene } = this
    this.picture = new HeroPicture(canvas, scene)
    this.all = [
      { name: 'ball', body: scene.ball, radius: scene.ballRadius },
      ...scene.limbs.map(({ body, name, from, to, radius }) => ({
        name,
        body,
        radius: Math.max(radius, 0.4 * Math.hypot(from[0] - to[0], from[1] - to[1], from[2] - to[2])),
      })),
    ]
    this.sizes = new ResizeObserver(() => this.resize())
    this.sizes.observe(canvas)
    this.views = new IntersectionObserver(([{ isIntersecting }]) => (this.isInView = isIntersecting))
    this.views.observe(canvas)
    canvas.addEventListener('pointerdown', (event) => this.take(event))
    canvas.addEventListener('pointermove', (event) => this.move(event))
    for (const name of ['pointerup', 'pointercancel'] as const)
      canvas.addEventListener(name, (event) => this.release(event))
    requestAnimationFrame((now) => this.frame(now))
  }

  /** Things, and where they are on the page [css px]. */
  things(): { name: string; x: number; y: number }[] {
    const { left, top } = this.canvas.getBoundingClientRect()
    return this.all.map(({ name, body }) => {
      const { x, y } = this.picture.camera.see(body.position, { x: 0, y: 0, depth: 0, scale: 0 })
      return { name, x: left + x, y: top + y }
    })
  }

  readTheme(): void {
    this.picture.readTheme()
    this.picture.draw()
  }

  dispose(): void {
    this.isStopped = true
    this.sizes.disconnect()
    this.views.disconnect()
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas
    if (clientWidth === 0) return
    this.picture.resize(clientWidth, clientHeight, devicePixelRatio)
    this.picture.draw()
  }

  private frame(now: number): void {
    if (this.isStopped) return
    requestAnimationFrame((next) => this.frame(next))
    const elapsed = Math.min(LONGEST_FRAME, (now - this.last) / 1000)
    this.last = now
    if (!this.isInView || (this.isPaused && this.pull === undefined)) return
    this.owed += elapsed
    let made = 0
    while (this.owed >= 0.9 * STEP && made++ < 3) {
      this.scene.world.step(STEP)
      this.steps++
      this.owed -= STEP
    }
    if (this.owed > STEP) this.owed = 0
    this.picture.draw()
  }

  private at({ clientX, clientY }: PointerEvent): [number, number] {
    const { left, top } = this.canvas.getBoundingClientRect()
    return [clientX - left, clientY - top]
  }

  /** Takes hold of what is nearest to the pointer, if anything is near. */
  private take(event: PointerEvent): void {
    if (event.button !== 0 || this.pull !== undefined) return
    const [x, y] = this.at(event)
    const { camera } = this.picture
    let [best, least]: [Thing | undefined, number] = [undefined, MISS]
    let depth = 0
    for (const thing of this.all) {
      const place = camera.see(thing.body.position, { x: 0, y: 0, depth: 0, scale: 0 })
      const away = Math.hypot(place.x - x, place.y - y) - thing.radius * place.scale
      if (away >= least) continue
      ;[best, least, depth] = [thing, away, place.depth]
    }
    if (best === undefined) return
    const point = camera.at(x, y, depth)
    const { body } = best
    const mass = Math.max(LEAST_MASS, body.mass)
    const omega = 2 * Math.PI * FREQUENCY
    const drive = this.scene.world.add(pointDrive, {
      bodies: [body],
      point: body.toBody(point),
      target: point,
      stiffness: mass * omega * omega,
      damping: 2 * mass * omega,
    })
    this.pull = { drive, depth, pointer: event.pointerId }
    this.canvas.setPointerCapture(event.pointerId)
    this.canvas.classList.add('holding')
    event.preventDefault()
  }

  private move(event: PointerEvent): void {
    if (this.pull?.pointer !== event.pointerId) return
    this.pull.drive.set({ target: this.picture.camera.at(...this.at(event), this.pull.depth) })
  }

  private release(event: PointerEvent): void {
    if (this.pull?.pointer !== event.pointerId) return
    this.pull.drive.remove()
    this.pull = undefined
    this.canvas.classList.remove('holding')
  }
}
