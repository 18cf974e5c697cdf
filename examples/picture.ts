/**
 * The README's picture: every scene at two moments, drawn from its `picture` in a slanted view.
 * `npm run picture` writes docs/scenes.svg; the same bits of state give the same file.
 */

import type { Shape as CollisionShape } from '@tautline/collision'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { arch, type ContactScene, run as runContacts } from './scenes/contacts/index.js'
import { clothScene, ragdollScene, ropeScene, type Scene, softBodyScene } from './scenes/index.js'

type Point = readonly [number, number, number]

/** Width and height of a panel, and the margin within [px]. */
const SIZE = 220
const MARGIN = 14
/** The view turns about the vertical by this and looks down by that [rad]. */
const TURN = 0.6
const TILT = 0.25

/** One scene at one moment: what is drawn, far things first; depth grows towards the eye. */
interface Panel {
  title: string
  marks: { depth: number; draw(map: (p: Point) => readonly [number, number], scale: number): string }[]
  points: Point[]
}

/** To the right, up, and towards the eye. */
function project([x, y, z]: Point): Point {
  const [right, back] = [x * Math.cos(TURN) - z * Math.sin(TURN), x * Math.sin(TURN) + z * Math.cos(TURN)]
  return [right, y * Math.cos(TILT) - back * Math.sin(TILT), back * Math.cos(TILT) + y * Math.sin(TILT)]
}

function run(scene: Scene, from: number, to: number): void {
  for (let step = from; step < to; step++) {
    scene.beforeStep?.(step)
    scene.world.step(scene.dt)
  }
}

function panel(title: string, { picture }: Scene): Panel {
  const marks: Panel['marks'] = []
  const points: Point[] = []
  const line = (a: Point, b: Point, width: number, colour: string): void => {
    const [p, q] = [project(a), project(b)]
    points.push(p, q)
    marks.push({
      depth: 0.5 * (p[2] + q[2]),
      draw(map, scale) {
        const [[x, y], [u, v]] = [map(p), map(q)]
        const stroke = Math.max(scale * width, 0.8).toFixed(1)
        return `<path d="M${x.toFixed(1)} ${y.toFixed(1)}L${u.toFixed(1)} ${v.toFixed(1)}" stroke="${colour}" stroke-width="${stroke}"/>`
      },
    })
  }
  for (const [a, b] of picture.lines) line(a.position as Point, b.position as Point, 0, '#345')
  for (const shape of picture.shapes) {
    if (shape.kind === 'capsule') {
      const [from, to] = [shape.body.toWorld(shape.from), shape.body.toWorld(shape.to)]
      line(from as Point, to as Point, 2 * shape.radius, '#c96')
    } else if (shape.kind === 'sphere') {
      const centre = project(shape.body.position as Point)
      const { radius } = shape
      points.push([centre[0] - radius, centre[1] - radius, 0], [centre[0] + radius, centre[1] + radius, 0])
      marks.push({
        depth: centre[2] - radius,
        draw(map, scale) {
          const [x, y] = map(centre)
          return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${(scale * radius).toFixed(1)}" fill="#8ab"/>`
        },
      })
    }
  }
  const { surface } = picture
  if (surface !== undefined) {
    const vertices = new Float64Array(3 * surface.count)
    surface.write(vertices)
    const at = (k: number): Point => project([vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]])
    for (let t = 0; t < surface.triangles.length; t += 3) {
      const corners = [0, 1, 2].map((k) => at(surface.triangles[t + k]))
      points.push(...corners)
      const [a, b, c] = corners
      const facing = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
      marks.push({
        depth: (a[2] + b[2] + c[2]) / 3,
        draw(map) {
          const path = corners.map(map).map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`)
          return `<path class="${facing > 0 ? 'o' : 'i'}" d="M${path.join('L')}Z"/>`
        },
      })
    }
  }
  return { title, marks, points }
}

/** Corners of a box's faces, counter-clockwise from outside: bits of a corner's number are its signs of x, y, z. */
const BOX_FACES = [
  [0, 4, 6, 2],
  [1, 3, 7, 5],
  [0, 1, 5, 4],
  [2, 6, 7, 3],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
]

/** Faces of a shape with flat ones, in its own frame. */
function facesOf(shape: CollisionShape): Point[][] {
  const { hull, params } = shape
  if (hull === null) {
    const corner = (k: number): Point =>
      [0, 1, 2].map((i) => ((k >> i) & 1 ? params[i] : -params[i])) as unknown as Point
    return BOX_FACES.map((face) => face.map(corner))
  }
  const { vertices, faceStart, faceVertices } = hull
  return Array.from(faceStart.subarray(1), (end, face) =>
    Array.from(faceVertices.subarray(faceStart[face], end), (k): Point => [
      vertices[3 * k],
      vertices[3 * k + 1],
      vertices[3 * k + 2],
    ]),
  )
}

/** Boxes and hulls, by the faces that one sees. */
function solidPanel(title: string, { collisions, bodies }: ContactScene): Panel {
  const marks: Panel['marks'] = []
  const points: Point[] = []
  for (const body of bodies) {
    // Faces of a convex body that one sees do not hide each other.
    const depth = project(body.position as Point)[2]
    for (const { shape } of collisions.collidersOf(body)) {
      for (const face of facesOf(shape)) {
        const corners = face.map((corner) => project(body.toWorld(corner) as Point))
        points.push(...corners)
        const [a, b, c] = corners
        if ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0) continue
        marks.push({
          depth,
          draw(map) {
            const path = corners.map(map).map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`)
            return `<path class="s" d="M${path.join('L')}Z"/>`
          },
        })
      }
    }
  }
  return { title, marks, points }
}

function drawPanel({ title, marks, points }: Panel, column: number): string {
  const xs = points.map((p) => p[0])
  const ys = points.map((p) => p[1])
  const least = (values: number[]): number => values.reduce((a, b) => Math.min(a, b))
  const most = (values: number[]): number => values.reduce((a, b) => Math.max(a, b))
  const [left, right, low, high] = [least(xs), most(xs), least(ys), most(ys)]
  const scale = (SIZE - 2 * MARGIN) / Math.max(right - left, high - low)
  const map = ([x, y]: Point): readonly [number, number] => [
    column * SIZE + SIZE / 2 + scale * (x - 0.5 * (left + right)),
    SIZE / 2 - scale * (y - 0.5 * (low + high)),
  ]
  const sorted = [...marks].sort((r, s) => r.depth - s.depth)
  const text = `<text x="${column * SIZE + SIZE / 2}" y="${SIZE + 8}" text-anchor="middle">${title}</text>`
  return `${sorted.map((mark) => mark.draw(map, scale)).join('\n')}\n${text}`
}

function panels(): Panel[] {
  const rope = ropeScene()
  run(rope as Scene, 0, 45)
  const cloth = clothScene()
  run(cloth as Scene, 0, cloth.steps)
  const soft = softBodyScene()
  run(soft as Scene, 0, 40)
  const seated = ragdollScene()
  run(seated as Scene, 0, 118)
  const fallen = ragdollScene()
  run(fallen as Scene, 0, fallen.steps)
  const laden = arch()
  runContacts(laden, 10)
  return [
    panel('1000:1 rope', rope as Scene),
    panel('cloth on a ball', cloth as Scene),
    panel('soft body', soft as Scene),
    panel('driven ragdoll', seated as Scene),
    panel('and let fall', fallen as Scene),
    solidPanel('dry arch', laden),
  ]
}

const drawn = panels()
const body = drawn.map(drawPanel).join('\n')
const style = 'font: 12px sans-serif; background: #fff; stroke-linecap: round; stroke-linejoin: round'
const sheet =
  '.o,.i{stroke:#654;stroke-width:.25}.o{fill:#e8c88a}.i{fill:#b98}.s{stroke:#456;stroke-width:.6;fill:#cdd}'
const box = `0 0 ${SIZE * drawn.length} ${SIZE + 18}`
const file = fileURLToPath(new URL('../docs/scenes.svg', import.meta.url))
writeFileSync(
  file,
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" style="${style}">\n<style>${sheet}</style>\n${body}\n</svg>\n`,
)
