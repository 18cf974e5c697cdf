/**
 * `window.gallery`: what a test or a report in a headless browser needs to know and to do. It does what a visitor can do, by the
 * same ways, and reads what is on the page.
 */

import type { Values } from './settings.js'

/** A thing that can be dragged: where it is on the page, and in the scene. */
export interface Draggable {
  readonly name: string
  /** Of the page [css px]: press a pointer here. */
  readonly x: number
  readonly y: number
  /** World [m]. */
  readonly position: readonly [number, number, number]
}

/** A box on the page [css px]. */
export interface Extent {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** What the open exhibit is doing. */
export interface GalleryState {
  readonly scene: string
  /** Steps since the start. */
  readonly step: number
  /** [s] */
  readonly time: number
  /** Of the simulated state. */
  readonly hash: string
  readonly finite: boolean
  /** Median of the last steps, at most 240 [ms]. */
  readonly msPerStep: number
  readonly bodies: number
  readonly rows: number
  /** Largest error of the worlds' rows [m], and their energy [J]; null for poses. */
  readonly residual: number | null
  readonly energy: number | null
  readonly figures: Readonly<Record<string, { readonly value: number; readonly unit: string }>>
  readonly settings: Values
  /** As it is in the address. */
  readonly query: string
  readonly paused: boolean
  /** Frames drawn. */
  readonly frames: number
  /** Samples by title of a plot. */
  readonly plots: Readonly<Record<string, number>>
  /** What went wrong, or null. */
  readonly error: string | null
}

export interface GalleryHandle {
  /** Ids of all exhibits, as in `#/id`. */
  readonly scenes: readonly string[]
  /** Resolves when the first page or exhibit is there. */
  readonly ready: Promise<void>
  /** Opens an exhibit, with settings over its defaults, or the first page (''). Resolves when its first frame is drawn. */
  open(scene: string, settings?: Readonly<Record<string, number | string | boolean>>): Promise<void>
  /** Null on the first page. */
  state(): GalleryState | null
  pause(): void
  play(): void
  /** From the start, as the settings are. */
  reset(): void
  /** Pauses, and makes so many steps at once. */
  run(steps: number): void
  /** Where things are that can be dragged; at most 200. */
  draggables(): Draggable[]
  /** Where one of them is now. */
  position(name: string): readonly [number, number, number] | null
  /** The box about ropes, cloths and skins as they are drawn, and about the middles of bodies that can be dragged. */
  extent(): Extent
  /** Where a point of the scene [m] is drawn on the page [css px]. */
  project(point: readonly [number, number, number]): { readonly x: number; readonly y: number }
  /** Draws the picture and reads it as a PNG data URL: the canvas alone, without the page around it. */
  picture(): string
  /** The live scene of the first page; null elsewhere, and until it is there. */
  readonly hero: {
    /** Since it began. */
    readonly steps: number
    /** What can be pulled at, and where it is on the page [css px]; the best one first. */
    things(): { readonly name: string; readonly x: number; readonly y: number }[]
  } | null
  /** The playground; null elsewhere. */
  readonly playground: {
    readonly text: string
    /** What its frame tells; null until something runs. */
    state(): { readonly error: string | null; readonly step: number; readonly bodies: number } | null
    /** Sets the text, and puts the cursor at a place of it. */
    write(text: string | undefined, at?: number): void
  } | null
  /** The editor of the exhibit `write`; null elsewhere. */
  readonly editor: {
    readonly text: string
    readonly error: { readonly message: string; readonly line: number | null } | null
    /** Sets the text and runs it. Resolves when it runs, or is refused. */
    set(text: string): Promise<void>
  } | null
}

declare global {
  interface Window {
    gallery: GalleryHandle
  }
}
