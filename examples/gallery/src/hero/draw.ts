/** Draws the scene of the first screen on a plain canvas, from far to near: three's renderer would weigh more than all of the page. */

import type { Body } from '@tautline/core'
import type { Vector } from '../../../data/adult.js'
import { Camera, type Seen } from './camera.js'
import type { HeroScene, Limb } from './scene.js'

/** Height of the floor [m]. */
const FLOOR = -0.45
/** Direction to the light. */
const LIGHT: Vector = [0.45, 0.75, 0.48]
/** Share of light where none falls directly. */
const AMBIENT = 0.62

type Colour = readonly [number, number, number]

/** Colours of a theme, as the style has them. */
interface Tones {
  body: Colour
  second: Colour
  heavy: Colour
  rope: Colour
  fixed: Colour
  dark: boolean
}

/** Something to draw, and how far it is. */
interface Item {
  depth: number
  draw: () => void
}

function seen(): Seen {
  return { x: 0, y: 0, depth: 0, scale: 0 }
}

/** `#rrggbb` of a custom property, as three numbers. */
function colour(name: string): Colour {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const number = parseInt(text.slice(1), 16)
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255]
}

/** A colour in so much light: below 1 darker, above 1 towards white. */
function lit([r, g, b]: Colour, light: number, alpha = 1): string {
  const one = (c: number): number => Math.round(light <= 1 ? c * light : c + (255 - c) * Math.min(1, light - 1))
  return `rgba(${one(r)},${one(g)},${one(b)},${alpha})`
}

export class HeroPicture {
  readonly camera: Camera = new Camera()
  private readonly context: CanvasRenderingContext2D
  private readonly scene: HeroScene
  private readonly knots: readonly Seen[]
  private readonly items: Item[] = []
  private tones: Tones
  private ratio = 1

  constructor(canvas: HTMLCanvasElement, scene: HeroScene) {
    this.context = canvas.getContext('2d') as CanvasRenderingContext2D
    this.scene = scene
    this.knots = scene.cape.map(seen)
    this.tones = this.readTones()
  }

  /** Takes the theme's colours over. */
  readTheme(): void {
    this.tones = this.readTones()
  }

  private readTones(): Tones {
    const [r, g, b] = colour('--page')
    return {
      body: colour('--tone-body'),
      second: colour('--tone-second'),
      heavy: colour('--tone-heavy'),
      rope: colour('--tone-rope'),
      fixed: colour('--tone-fixed'),
      dark: r + g + b < 384,
    }
  }

  /** Takes the size of the canvas [css px] and its pixels a css pixel. */
  resize(width: number, height: number, ratio: number): void {
    const { canvas } = this.context
    this.ratio = Math.min(2, ratio)
    canvas.width = Math.round(width * this.ratio)
    canvas.height = Math.round(height * this.ratio)
    this.camera.resize(width, height)
  }

  draw(): void {
    const { context, ratio, items } = this
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, context.canvas.width, context.canvas.height)
    context.lineCap = 'round'
    items.length = 0
    this.drawShadows()
    this.addCape()
    for (const limb of this.scene.limbs) this.addLimb(limb, limb.name === 'head' ? this.tones.second : this.tones.body)
    for (const link of this.scene.links) this.addLimb(link, this.tones.heavy)
    this.addBall()
    this.drawHook()
    items.sort((a, b) => b.depth - a.depth)
    for (const item of items) item.draw()
  }

  private drawShadows(): void {
    const { ball, ballRadius, limbs } = this.scene
    const thorax = limbs.find(({ name }) => name === 'thorax')
    this.shadow(ball.position, 1.5 * ballRadius)
    if (thorax !== undefined) this.shadow(thorax.body.position, 0.75)
  }

  /** A soft spot on the floor under something. */
  private shadow([x, , z]: ArrayLike<number> & Iterable<number>, radius: number): void {
    const { context, camera, tones } = this
    const at = camera.see([x, FLOOR, z], seen())
    const size = radius * at.scale
    context.save()
    context.translate(at.x, at.y)
    context.scale(1, 0.16)
    const spot = context.createRadialGradient(0, 0, 0, 0, 0, size)
    spot.addColorStop(0, tones.dark ? 'rgba(0,0,0,0.55)' : 'rgba(60,52,40,0.28)')
    spot.addColorStop(1, 'rgba(0,0,0,0)')
    context.fillStyle = spot
    context.fillRect(-size, -size, 2 * size, 2 * size)
    context.restore()
  }

  /** A capsule as a thick line, lighter on the side of the light. */
  private addLimb({ body, from, to, radius }: Limb, tone: Colour): void {
    const { context, camera } = this
    const [a, b] = [camera.see(body.toWorld(from), seen()), camera.see(body.toWorld(to), seen())]
    this.items.push({
      depth: 0.5 * (a.depth + b.depth),
      draw() {
        const width = Math.max(2, radius * (a.scale + b.scale))
        const [dx, dy] = [b.x - a.x, b.y - a.y]
        const length = Math.hypot(dx, dy)
        // Across the line, towards the light: up and to the right of the picture.
        let [nx, ny] = length > 0.5 ? [dy / length, -dx / length] : [0.5, -0.85]
        if (0.5 * nx - 0.85 * ny < 0) [nx, ny] = [-nx, -ny]
        const [mx, my] = [0.5 * (a.x + b.x), 0.5 * (a.y + b.y)]
        const half = 0.5 * width
        const shade = context.createLinearGradient(mx + nx * half, my + ny * half, mx - nx * half, my - ny * half)
        shade.addColorStop(0, lit(tone, 1.22))
        shade.addColorStop(0.35, lit(tone, 1.04))
        shade.addColorStop(1, lit(tone, 0.62))
        context.strokeStyle = shade
        context.lineWidth = width
        context.beginPath()
        context.moveTo(a.x, a.y)
        context.lineTo(b.x + 0.01, b.y)
        context.stroke()
      },
    })
  }

  private addBall(): void {
    const { context, camera, tones } = this
    const { ball, ballRadius } = this.scene
    const at = camera.see(ball.position, seen())
    const size = ballRadius * at.scale
    this.items.push({
      depth: at.depth,
      draw() {
        const light = context.createRadialGradient(
          at.x + 0.32 * size,
          at.y - 0.42 * size,
          0.05 * size,
          at.x,
          at.y,
          size,
        )
        light.addColorStop(0, lit(tones.heavy, tones.dark ? 1.1 : 1.55))
        light.addColorStop(0.4, lit(tones.heavy, tones.dark ? 0.85 : 1.12))
        light.addColorStop(1, lit(tones.heavy, 0.55))
        context.fillStyle = light
        context.beginPath()
        context.arc(at.x, at.y, size, 0, 2 * Math.PI)
        context.fill()
        context.fillStyle = tones.dark ? 'rgba(20,26,30,0.9)' : 'rgba(255,255,255,0.92)'
        context.font = `600 ${(0.42 * size).toFixed(1)}px system-ui, sans-serif`
        context.textAlign = 'center'
        context.textBaseline = 'middle'
        context.fillText('1 t', at.x, at.y + 0.05 * size)
      },
    })
  }

  private drawHook(): void {
    const { context, camera, tones } = this
    const at = camera.see(this.scene.hook, seen())
    context.strokeStyle = lit(tones.fixed, 1)
    context.lineWidth = Math.max(2, 0.045 * at.scale)
    context.beginPath()
    context.moveTo(at.x, 0)
    context.lineTo(at.x, at.y)
    context.stroke()
  }

  /** Faces of the cape, each in the light that falls on it. */
  private addCape(): void {
    const { cape, across } = this.scene
    cape.forEach((knot, k) => this.camera.see(knot.position, this.knots[k]))
    for (let k = 0; k + across < cape.length; k++) {
      if (k % across === across - 1) continue
      this.addFace([k, k + 1, k + across + 1, k + across])
    }
  }

  private addFace(corners: readonly number[]): void {
    const { context, tones, knots } = this
    const points = corners.map((k) => knots[k])
    const light = this.lightOn(corners.map((k) => this.scene.cape[k]))
    this.items.push({
      depth: points.reduce((sum, { depth }) => sum + depth, 0) / 4,
      draw() {
        context.fillStyle = context.strokeStyle = lit(tones.second, light)
        context.lineWidth = 0.8
        context.beginPath()
        points.forEach(({ x, y }, k) => (k === 0 ? context.moveTo(x, y) : context.lineTo(x, y)))
        context.closePath()
        context.fill()
        context.stroke()
      },
    })
  }

  private lightOn([a, b, c, d]: readonly Body[]): number {
    const [p, q] = [0, 1, 2].reduce<[number[], number[]]>(
      ([u, v], k) => [
        [...u, c.position[k] - a.position[k]],
        [...v, d.position[k] - b.position[k]],
      ],
      [[], []],
    )
    const n = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    const length = Math.hypot(...n) || 1
    const facing = Math.abs(n[0] * LIGHT[0] + n[1] * LIGHT[1] + n[2] * LIGHT[2]) / length
    return AMBIENT + (1.12 - AMBIENT) * facing
  }
}
