/** What there is to see of an exhibit, as data: solids, tubes, surfaces, beads, goals. The viewer draws it. No three, no DOM. */

import type { Body } from '@tautline/core'
import type { Grabbable, Updatable } from '@tautline/three'
import type { Mesh } from 'three'
import type { Handle, Triple } from './exhibit.js'
import type { Palette } from './viewer/theme.js'

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
  | MeshPart
  | { readonly kind: 'label'; readonly text: string; readonly at: Triple }

/** What follows bodies by a mesh of its own: `clothPart`, `softBodyPart`, `ropePart`, `surfacePart` make it, so that a scene carries those it has. */
export interface MeshPart {
  readonly kind: 'mesh'
  /** One of the bodies that it follows. */
  readonly body: Body
  /** Makes the mesh, and what keeps it where the bodies are. */
  makeMesh(palette: Palette): { readonly item: Updatable & Grabbable; readonly mesh: Mesh }
  /** Whether it is there to be pulled at alone, and other parts are seen in its place. @defaultValue false */
  readonly isHidden?: boolean
  readonly shift?: Triple
}

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

/** How far a form reaches from its middle [m]. */
export function reachOf(form: Form): number {
  switch (form.kind) {
    case 'box':
      return Math.hypot(...form.half)
    case 'sphere':
      return form.radius
    case 'capsule':
      return form.radius + form.half
    case 'taper':
      return Math.max(form.top, form.bottom) + form.half
    case 'cylinder':
      return Math.hypot(form.radius, form.half)
    case 'sheet':
      return farthest(form.positions)
    case 'hull':
      return farthest(form.faces.flat(2))
  }
}

/** The longest of vectors that follow each other. */
function farthest(vectors: readonly number[]): number {
  let far = 0
  for (let k = 0; k < vectors.length; k += 3)
    far = Math.max(far, Math.hypot(vectors[k], vectors[k + 1], vectors[k + 2]))
  return far
}

/** Where a body's centre is at `alpha` from the start of the last step to its end, into `out` from `o` on. */
export function writeCentre({ bodies, index }: Body, alpha: number, out: Float64Array, o: number): void {
  const { position, previousPosition } = bodies.columns
  for (let k = 0; k < 3; k++) {
    const from = previousPosition[3 * index + k]
    out[o + k] = from + alpha * (position[4 * index + k] - from)
  }
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
