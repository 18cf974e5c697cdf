/** Scenes and files by turns, until the time is up or the numbers asked for are reached. */

import { type Failure } from './failure.js'
import { FORMATS, type FileTally, newFileTally, runFile } from './files.js'
import { newTally, type Tally } from './run-program.js'
import { runScene } from './scenes.js'

export interface FuzzOptions {
  seed: number
  /** For how long, where no numbers are given. @defaultValue 60 */
  seconds?: number | undefined
  /** How many: @defaultValue none where files are given, as many as there is time for where nothing is */
  scenes?: number | undefined
  /** @defaultValue ten a scene */
  files?: number | undefined
}

/** One defect: failures of one kind that read alike. */
export interface Found {
  failure: Failure
  seen: number
  seed: number
}

export interface FuzzResult {
  scenes: Tally
  files: FileTally
  failures: Found[]
  seconds: number
}

/** Scenes and files of one seed must not be those of the next. */
const STRIDE = 1_000_003
const FILES_A_SCENE = 10

/** Fuzzes; `progress` is told how far it is, and `tell` of each failure as it is found. */
export async function fuzz(
  options: FuzzOptions,
  progress: (text: string) => void = () => {},
  tell: (failure: Failure, seed: number) => void = () => {},
): Promise<FuzzResult> {
  const { seed } = options
  const isTimed = options.scenes === undefined && options.files === undefined
  const scenes = isTimed ? Infinity : (options.scenes ?? 0)
  const files = isTimed ? Infinity : (options.files ?? FILES_A_SCENE * scenes)
  const found = new Map<string, Found>()
  const result: FuzzResult = { scenes: newTally(), files: newFileTally(), failures: [], seconds: 0 }
  const start = performance.now()
  const end = isTimed ? start + 1000 * (options.seconds ?? 60) : Infinity
  const note = (failure: Failure | undefined, at: number): void => {
    if (failure === undefined) return
    const known = found.get(failure.name)
    if (known !== undefined) known.seen++
    else {
      found.set(failure.name, { failure, seen: 1, seed: at })
      tell(failure, at)
    }
  }
  const isKnown = (name: string): boolean => found.has(name)
  const isOver = (): boolean => performance.now() > end
  let fileCount = 0
  for (let k = 0; performance.now() < end && (k < scenes || fileCount < files); k++) {
    const at = (Math.imul(seed, STRIDE) + k) | 0
    if (k < scenes) note(runScene(at, result.scenes, isKnown, isOver), at)
    for (let n = 0; n < FILES_A_SCENE && fileCount < files; n++, fileCount++) {
      const file = (Math.imul(seed, STRIDE) + fileCount) | 0
      note(await runFile(file, FORMATS[fileCount % FORMATS.length], result.files), file)
    }
    progress(`${result.scenes.scenes} scenes, ${fileCount} files, ${found.size} failures`)
  }
  result.failures = [...found.values()]
  result.seconds = (performance.now() - start) / 1000
  return result
}

/** What was done, in a line. */
export function counts({ scenes, files, failures, seconds }: FuzzResult): string {
  const each = FORMATS.map(
    (format) => `${files[format].read + files[format].refused} ${format} (${files[format].read} read)`,
  )
  return [
    `${scenes.scenes} scenes (${scenes.poisoned} with extreme numbers), ${scenes.steps} steps, ${scenes.edits} edits`,
    `${scenes.bad} wrong calls (${scenes.taken} taken), ${scenes.refused} refusals, ${scenes.snapshots} snapshots and ${scenes.reloads} reloads`,
    `${scenes.skipped} rows skipped and ${scenes.frozen} bodies frozen (${scenes.saneSkipped} and ${scenes.saneFrozen} without extreme numbers)`,
    `files: ${each.join(', ')}, the longest ${Math.round(files.longest)} ms`,
    `${failures.length} failures in ${Math.round(seconds)} s`,
  ].join('; ')
}
