/** What there is to see of an exhibit, as data: solids, tubes, surfaces, beads, goals. The viewer draws it. No three, no DOM. */

import type { Cloth, Rod, Rope, SoftBody } from '@tautline/assemblies'
import type { Shape } from '@tautline/collision'
import { Collisions } from '@tautline/collision'
import type { Body, World } from '@tautline/core'
import type { Scene, Surface } from '../../scenes/scene.js'
import type { Handle, Triple } from './exhibit.js'

/** Colours by meaning; what they are is the theme's. */
export const TONES = ['body', 'second', 'third', 'heavy', 'fixed', 'cloth', 'rope', 'goal', 'ghost'] as const
export type Tone = (typeof TONES)[number]

/** Geometry in a frame of its own. */
export type Form =
  | { readonly kind: 'box'; readonly half: Triple }
  | { readonly kind: 'sphere'; readonly radius: number }
  /** Along y. */
  | { readonly kind: 'capsule'; readonly radius: number; readonly half: number }
  /** Along y. */
  | { readonly kind: 'taper'; readonly top: number; readonly bottom: number; readonly half: number }
  /** Along y. */
  | { readonly kind: 'cylinder'; readonly radius: number; readonly half: number }
  /** Triangles with shared corners, counter-clockwise from the side that is seen. */
  | { readonly kind: 'sheet'; readonly positions: readonly number[]; readonly indices: readonly number[] }
  /** Polygons by corner, counter-clockwise from outside. */
  | { readonly kind: 'hull'; readonly faces: readonly (readonly Triple[])[] }

/** Position and orientation [x, y, z, qx, qy, qz, qw] into `out`. */
export type Place = (out: Float64Array) => void

export type Part =
  | {
      readonly kind: 'solid'
      readonly form: Form
      readonly place: Place
      readonly tone: Tone
      /** Where it is in the frame of its place. */
      readonly at?: Triple
      readonly turned?: readonly [number, number, number, number]
      /** What is dragged by it, if anything. */
      readonly grab?: Body | Handle
      /** The body whose place it has, if it is one. */
      readonly body?: Body
      readonly shift?: Triple
    }
  /** A round line through points. */
  | {
      readonly kind: 'tube'
      readonly count: number
      /** x, y, z of each point [m]. */
      write(out: Float64Array): void
      readonly radius: number
      readonly tone: Tone
      readonly shift?: Triple
    }
  /** Many equal balls. */
  | {
      readonly kind: 'beads'
      readonly count: number
      write(out: Float64Array): void
      readonly radius: number
      readonly tone: Tone
      readonly shift?: Triple
    }
  /** Straight sticks, two points each. */
  | {
      readonly kind: 'sticks'
      readonly count: number
      /** At `alpha` from the start of the last step to its end. */
      write(out: Float64Array, alpha: number): void
      readonly radius: number
      readonly tone: Tone
      readonly shift?: Triple
    }
  | {
      readonly kind: 'surface'
      readonly surface: Surface
      readonly tone: Tone
      readonly shift?: Triple
    }
  /** What `@tautline/three` draws by itself, also where it tears or is reeled. */
  | {
      readonly kind: 'assembly'
      readonly assembly: Cloth | SoftBody | Rope | Rod
      readonly tone: Tone
      /** Of cloth: tones of equal bands of its triangles, in their order, in place of one. */
      readonly bands?: readonly Tone[]
      /** Whether it is there to be pulled at alone, and other parts are seen in its place. @defaultValue false */
      readonly isHidden?: boolean
      readonly shift?: Triple
    }
  | { readonly kind: 'label'; readonly text: string; readonly at: Triple }

/** Where a body is. */
export function ofBody(body: Body): Place {
  const { bodies, index } = body
  return (out) => {
    const { position, orientation } = bodies.columns
    for (let k = 0; k < 3; k++) out[k] = position[4 * index + k]
    for (let k = 0; k < 4; k++) out[3 + k] = orientation[4 * index + k]
  }
}

/** A place that stays. */
export function standing(at: Triple, turned: readonly number[] = [0, 0, 0, 1]): Place {
  return (out) => {
    out.set(at)
    out.set(turned, 3)
  }
}

/** A solid that is a body. */
export function solid(body: Body, form: Form, tone: Tone = 'body', more: Partial<Part & { kind: 'solid' }> = {}): Part {
  const moves = body.type === 'dynamic'
  return { kind: 'solid', form, place: ofBody(body), body, tone, ...(moves && { grab: body }), ...more }
}

export function boxForm(size: Triple): Form {
  return { kind: 'box', half: [0.5 * size[0], 0.5 * size[1], 0.5 * size[2]] }
}

/** Where a body's centre is at `alpha` from the start of the last step to its end, into `out` from `o` on. */
export function writeCentre({ bodies, index }: Body, alpha: number, out: Float64Array, o: number): void {
  const { position, previousPosition } = bodies.columns
  for (let k = 0; k < 3; k++) {
    const from = previousPosition[3 * index + k]
    out[o + k] = from + alpha * (position[4 * index + k] - from)
  }
}

/** Forms of a shape, each with its place in the body; none for what has no end, as planes. */
export function formsOf(shape: Shape): { form: Form; at: Triple; turned: readonly [number, number, number, number] }[] {
  const at: Triple = [0, 0, 0]
  const turned = [0, 0, 0, 1] as const
  const p = shape.params
  switch (shape.name) {
    case 'sphere':
      return [{ form: { kind: 'sphere', radius: p[0] }, at, turned }]
    case 'capsule':
      return [{ form: { kind: 'capsule', radius: p[0], half: p[1] }, at, turned }]
    case 'taperedCapsule':
      return [{ form: { kind: 'taper', top: p[0], bottom: p[1], half: p[2] }, at, turned }]
    case 'box':
      return [{ form: { kind: 'box', half: [p[0], p[1], p[2]] }, at, turned }]
    case 'cylinder':
      return [{ form: { kind: 'cylinder', radius: p[0], half: p[1] }, at, turned }]
    case 'convexHull':
      return [{ form: { kind: 'hull', faces: facesOf(shape) }, at, turned }]
    case 'compound':
      return (shape.children ?? []).flatMap(({ shape: child, transform: [x, y, z], orientation }) =>
        formsOf(child).map(({ form }) => ({ form, at: [x, y, z] as Triple, turned: orientation })),
      )
    case 'plane':
    case 'heightfield':
    case 'triangleMesh':
    case 'triangle':
      return []
  }
}

function facesOf({ hull }: Shape): Triple[][] {
  if (hull === null) return []
  const { vertices, faceStart, faceVertices } = hull
  return Array.from(faceStart.subarray(1), (end, face) =>
    Array.from(faceVertices.subarray(faceStart[face], end), (k): Triple => [
      vertices[3 * k],
      vertices[3 * k + 1],
      vertices[3 * k + 2],
    ]),
  )
}

/** Everything that collides in a world; what only watches is not seen. */
export function collidersOf(world: World, tone: (body: Body, k: number) => Tone = () => 'body'): Part[] {
  const collisions = Collisions.of(world)
  if (collisions === undefined) return []
  const parts: Part[] = []
  for (const collider of collisions.collidersOf(null)) {
    if (collider.sensor) continue
    const { local, orientation } = collisions.find(collider)!
    const place = standing([local[0], local[1], local[2]], orientation)
    for (const form of formsOf(collider.shape)) parts.push({ kind: 'solid', tone: 'fixed', place, ...form })
  }
  world.bodies.all().forEach((body, k) => {
    for (const collider of collisions.collidersOf(body)) {
      if (collider.sensor) continue
      const { local, orientation } = collisions.find(collider)!
      for (const form of formsOf(collider.shape)) {
        const isOwn = form.at.every((x) => x === 0)
        parts.push(
          solid(body, form.form, body.type === 'dynamic' ? tone(body, k) : 'fixed', {
            at: isOwn ? [local[0], local[1], local[2]] : form.at,
            turned: isOwn ? orientation : form.turned,
          }),
        )
      }
    }
  })
  return parts
}

/** Share of the radius with which a ball below a cloth is drawn. */
const BELOW = 0.965

/** What a scene says of itself. */
export function partsOfScene(scene: Pick<Scene, 'picture'>, tone: Tone = 'body'): Part[] {
  const { shapes, surface } = scene.picture
  const parts: Part[] = []
  for (const shape of shapes) {
    if (shape.kind === 'sphere') {
      // Of a surface only the vertices lie on a ball: between them it is a little inside.
      const radius = shape.radius * (surface === undefined ? 1 : BELOW)
      parts.push(solid(shape.body, { kind: 'sphere', radius }, shape.body.type === 'dynamic' ? tone : 'fixed'))
    }
    if (shape.kind === 'capsule') parts.push(capsulePart(shape.body, shape.from, shape.to, shape.radius, tone))
  }
  if (surface !== undefined) parts.push({ kind: 'surface', surface, tone: 'cloth' })
  return parts
}

/** A capsule between two points of a body. */
export function capsulePart(body: Body, from: Triple, to: Triple, radius: number, tone: Tone = 'body'): Part {
  const d = [0, 1, 2].map((k) => to[k] - from[k])
  const length = Math.hypot(...d)
  return solid(body, { kind: 'capsule', radius, half: 0.5 * length }, tone, {
    at: [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1]), 0.5 * (from[2] + to[2])],
    turned: fromY(d as [number, number, number]),
  })
}

/** The shortest turn that brings y onto a direction. */
export function fromY([x, y, z]: Triple): readonly [number, number, number, number] {
  const length = Math.hypot(x, y, z)
  if (length === 0) return [0, 0, 0, 1]
  const w = 1 + y / length
  if (w < 1e-9) return [1, 0, 0, 0]
  const q = [z / length, 0, -x / length, w]
  const size = Math.hypot(...q)
  return [q[0] / size, q[1] / size, q[2] / size, q[3] / size]
}

/** The same parts somewhere else. */
export function shifted(parts: readonly Part[], shift: Triple): Part[] {
  return parts.map((part) =>
    part.kind === 'label'
      ? { ...part, at: [part.at[0] + shift[0], part.at[1] + shift[1], part.at[2] + shift[2]] }
      : { ...part, shift },
  )
}
