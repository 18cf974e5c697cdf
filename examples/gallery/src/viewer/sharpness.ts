/** How sharp a picture is: less so where frames come late, and sharper again where there is room. The simulation knows nothing of it. */

/** What a picture is drawn with. */
export interface Level {
  /** Of the pixels across that the screen has. */
  readonly ratio: number
  /** Of the map of shadows, at most [px]. */
  readonly shadow: number
}

const LEVELS: readonly Level[] = [
  { ratio: 1, shadow: 2048 },
  { ratio: 0.8, shadow: 1024 },
  { ratio: 0.63, shadow: 1024 },
  { ratio: 0.5, shadow: 512 },
]
export const SHARPEST: Level = LEVELS[0]
const LAST = LEVELS.length - 1
/** From one frame to the next [ms], and by how much a mean may be more: one frame in twelve that is missed. */
const FRAME = 1000 / 60
const LATE = 1.08
/** So late that it is no chance, and one level is not enough. */
const VERY_LATE = 1.6
/** A look takes so many frames and so long [ms]; longer than a pause [ms] is no frame: the page was not seen. */
const LEAST_FRAMES = 4
const WINDOW = 300
const PAUSE = 500
/** Looks in time before it gets sharper: at first, and at most where it has been too sharp each time. */
const PATIENCE = 7
const MOST_PATIENCE = 112
/** The last level has to bring frames nearer together by this, or something else takes the time: lowering is given up for so many looks, twice as many each time. */
const HELPS = 0.93
const REST = 32

export class Sharpness {
  private level = 0
  private frames = 0
  private time = 0
  private last: number | undefined
  private calm = 0
  private late = 0
  private patience = PATIENCE
  private isTrying = false
  /** Where it has come down from, and from one frame to the next there [ms]. */
  private from: { readonly level: number; readonly interval: number } | undefined
  private resting = 0
  private rest = REST

  get ratio(): number {
    return LEVELS[this.level].ratio
  }

  get shadow(): number {
    return LEVELS[this.level].shadow
  }

  /** Begins to count anew: building a scene is no frame. */
  begin(): void {
    this.last = undefined
    this.frames = this.time = this.late = 0
  }

  /** Counts a frame at a time [ms]. Says whether sharpness has changed. */
  note(now: number): boolean {
    const elapsed = this.last === undefined ? 0 : now - this.last
    this.last = now
    if (elapsed <= 0 || elapsed > PAUSE) return false
    this.frames++
    this.time += elapsed
    if (this.time < WINDOW || this.frames < LEAST_FRAMES) return false
    const interval = this.time / this.frames
    this.frames = this.time = 0
    const before = this.level
    if (interval <= LATE * FRAME) this.inTime()
    else if (++this.late > 1 || interval > VERY_LATE * FRAME) this.tooLate(interval)
    return this.level !== before
  }

  private inTime(): void {
    this.late = 0
    this.isTrying = false
    this.from = undefined
    if (this.level === 0 || ++this.calm < this.patience) return
    this.level--
    this.calm = 0
    this.isTrying = true
  }

  private tooLate(interval: number): void {
    this.late = this.calm = 0
    if (this.isTrying) this.patience = Math.min(MOST_PATIENCE, 2 * this.patience)
    this.isTrying = false
    if (this.resting-- > 0) return
    if (this.level < LAST) {
      this.from ??= { level: this.level, interval }
      this.level = Math.min(LAST, this.level + (interval > VERY_LATE * FRAME ? 2 : 1))
    } else if (this.from !== undefined) {
      if (interval > HELPS * this.from.interval) this.giveUp(this.from.level)
      this.from = undefined
    }
  }

  /** As sharp as before: it is not drawing that takes the time. */
  private giveUp(level: number): void {
    this.level = level
    this.resting = this.rest
    this.rest *= 2
  }
}
