/** A part of the step from outside the core. */

/**
 * Something that takes part in the step from outside the core, as collision detection does. What it keeps between steps
 * beyond the world's tables goes through `save` and `restore`, and through JSON, under its name.
 */
export interface Stage {
  readonly name: string
  /** Sets targets of kinematic bodies for a step of `dt` [s], before any stage finds contacts. */
  lead?(dt: number): void
  /** Before the first substep of a step of `dt` [s]. */
  beforeStep?(dt: number): void
  /** Before each substep of `h` [s]. */
  beforeSubstep?(h: number): void
  /**
   * Before violated poses are repaired at the start of a substep of `h` [s]: moves bodies as positions alone and marks them `DISTURBED`. Before it
   * moves any, it writes the poses of all bodies that are awake to the start poses.
   */
  repair?(h: number): void
  /** Finds what touches at the present poses, for a projection: no time passes, and nothing is told of it. */
  findContacts?(): void
  /**
   * Before bodies are predicted over a substep of `h` [s], `left` of which remain in the step, this one counted. What it moves through
   * the substep itself it marks `ADVANCED`.
   */
  advance?(h: number, left: number): void
  /** When the poses of the step are known. */
  afterStep?(dt: number): void
  /** The body in `row` is about to be `dynamic` or not, and to have inertia to turn with (`turns`) or not: throws, as from `where`, what forbids it. */
  bodyChanging?(where: string, row: number, dynamic: boolean, turns: boolean): void
  /** A body is about to be removed. */
  bodyRemoved?(row: number): void
  /** Something that `restore` brings it back from; it must not change afterwards. */
  save?(): unknown
  /** Back to what was saved, or to nothing when it was not there yet. The world's tables are back already. */
  restore?(saved: unknown): void
  /** Plain data; bodies as what `indexOf` makes of their row. */
  toJSON?(indexOf: (row: number) => number): unknown
}

/** What a stage may do. */
export const STAGE_HOOKS: readonly (keyof Stage)[] = [
  'lead',
  'beforeStep',
  'beforeSubstep',
  'repair',
  'findContacts',
  'advance',
  'afterStep',
  'bodyChanging',
  'bodyRemoved',
  'save',
  'restore',
  'toJSON',
]
