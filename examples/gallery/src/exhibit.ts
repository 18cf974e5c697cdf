/** What an exhibit is: a page of the gallery. A new one is one file in `exhibits/` and a line in its index. No DOM. */

import type { Body, World } from '@tautline/core'
import type { Pad } from '../../lib/pad.js'
import type { Figure } from '../../scenes/scene.js'
import type { Part } from './parts.js'
import type { Setting, Values } from './settings.js'

export type Triple = readonly [number, number, number]

/** Sections of the first page. */
export const GROUPS = [
  'Games',
  'Cloth and rope',
  'Soft bodies',
  'Ragdolls',
  'Joints',
  'Inverse kinematics',
  'Stacks and contacts',
  'Method',
] as const
export type Group = (typeof GROUPS)[number]

/** From where it is seen: a ball that has to fit into the picture, and two angles [rad]. */
export interface View {
  readonly centre: Triple
  /** [m] */
  readonly radius: number
  /** What has to fit across and up instead, half of it each, about the centre [m]: of what is wide or high. */
  readonly half?: readonly [number, number]
  /** About the vertical; 0 looks along −z. @defaultValue 0.5 */
  readonly turn?: number
  /** Downward. @defaultValue 0.25 */
  readonly tilt?: number
  /** Height of the floor that is drawn [m]; left out, none is. */
  readonly floor?: number
}

export interface Exhibit {
  /** Its place in the address. */
  readonly id: string
  readonly title: string
  /** A sentence for its card. */
  readonly blurb: string
  /** What to do first: a sentence each, the best one first. */
  readonly tries: readonly string[]
  /** What it is and what to look for; a paragraph each. */
  readonly text: readonly string[]
  readonly group: Group
  readonly settings: readonly Setting[]
  readonly view: View
  /** Steps before the picture on its card is taken. @defaultValue 60 */
  readonly pose?: number
  /** Whether it has the editor, or takes a mesh. */
  readonly extra?: 'editor' | 'mesh'
  build(values: Values): Live
}

/** A curve of a plot: what it is called, and its value now. */
export interface Curve {
  readonly name: string
  value(): number
}

/** A plot that runs along with the scene. */
export interface Plot {
  readonly title: string
  readonly unit: string
  /** Over decades. @defaultValue false */
  readonly log?: boolean
  readonly curves: readonly Curve[]
}

/** A point that can be dragged without being a body: a goal. */
export interface Handle {
  readonly name: string
  /** World [m]; written to by dragging. */
  readonly target: Float64Array | [number, number, number]
  /** Where that which follows it is now [m], so that tests can see it follow. */
  reached?(): Triple
}

/** An exhibit at work. */
export interface Live {
  /** [s] */
  readonly dt: number
  readonly parts: readonly Part[]
  /** From where it is seen. @defaultValue the exhibit's */
  readonly view?: View
  /** What is stepped; none where there are poses only. */
  readonly worlds: readonly World[]
  readonly handles?: readonly Handle[]
  readonly plots?: readonly Plot[]
  /** Keys, or a stick and buttons on a screen that is touched, by which it is played. */
  readonly pad?: Pad
  /** What the picture goes along with [m]. */
  readonly follows?: () => Triple
  /** Is told when a body is taken hold of, before it is pulled. */
  grabbed?(body: Body): void
  /** Is told when it is let go. */
  released?(): void
  /** A step of `dt`. */
  step(): void
  /** Takes settings over that act while it runs. */
  configure?(values: Values): void
  figures?(): Readonly<Record<string, Figure>>
  /** Of the state. @defaultValue those of the worlds */
  hash?(): string
  /** Whether all numbers are finite. @defaultValue that no body of a world became non-finite */
  isFinite?(): boolean
}
