/** What a user's own worker module says. */

import type { Collisions } from '@tautline/collision'
import type { Kernels, World } from '@tautline/core'
import type { AnyType, StageReader } from '@tautline/core/kernel'
import type { PortLike } from '../wire/port.js'

/** The world that is served, for the worker's own code. */
export interface Hosted {
  /** The world. The page's calls are made on it between any two steps. */
  readonly world: World
  /** Its collisions. Throws a `RangeError` where the page has asked for a world without. */
  readonly collisions: Collisions
  /** Sends a message of your own to the page, with its poses: `remote.on('message', …)` hears it. Data, and handles in it. */
  emit(name: string, data?: unknown): void
}

/** Functions that the page calls by their names. Arguments and results are data, with handles in it. */
export type OwnCalls = Readonly<Record<string, (...args: never[]) => unknown>>

/** What the worker's own code adds. Every field may be left out. */
export interface SetUp {
  /** What `remote.call(name, …)` calls; it may return a promise. @defaultValue none */
  calls?: OwnCalls
  /** Called before each step. Forces go here. @defaultValue nothing */
  beforeStep?: () => void
  /** Called after each step. @defaultValue nothing */
  afterStep?: () => void
}

/** What `serve` takes. Every field may be left out. */
export interface ServeOptions {
  /** Types of constraints that the page may add, by their names, and that scenes may have: also your own. @defaultValue none */
  types?: readonly AnyType[]
  /**
   * Called with the world before the first call of the page. What it adds is there from the first step; what it returns the page may call.
   * It may return a promise: the page's calls wait for it.
   * @defaultValue nothing
   */
  setup?: (hosted: Hosted) => SetUp | undefined | void | Promise<SetUp | undefined | void>
  /** Readers of further stages in scenes, as `fromJSON` takes them. Collisions are read without. @defaultValue none */
  stages?: Readonly<Record<string, StageReader>>
  /** Compiled loops for the world, `simd()` of `@tautline/simd`: the page cannot post them. @defaultValue none */
  kernels?: Kernels
  /** Where the page is heard. @defaultValue the worker's own port */
  port?: PortLike
}
