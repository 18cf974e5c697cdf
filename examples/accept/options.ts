/** What `npm run accept` is told. */

import { parseArgs } from 'node:util'

export const HELP = `npm run accept -- [options]      judges the behaviour of some fifty scenes at default settings

  --scene NAME        that scene only; may be given several times
  --list              the scenes, and what they are
  --save FILE         keeps the run as JSON
  --against FILE      compares with a kept run
  --against REVISION  compares with a run of that git revision in a checkout of its own
  --nudge SEED        moves every body by a nanometre first: how far metrics differ then is chaos, not a change
  --update-known      writes the values of examples/accept/known-failures.json anew and takes out what is mended
  --help              this

Exit status: 0 nothing new; 1 a metric is outside its bound and not a known failure, or worse than before by more than its tolerance; 2 the call is wrong.
`

const OPTIONS = {
  scene: { type: 'string', multiple: true },
  list: { type: 'boolean' },
  save: { type: 'string' },
  against: { type: 'string' },
  nudge: { type: 'string' },
  'update-known': { type: 'boolean' },
  help: { type: 'boolean' },
} as const

export interface Options {
  readonly scenes: readonly string[]
  /** Whether all scenes run. */
  readonly isWhole: boolean
  readonly list: boolean
  readonly save: string | undefined
  readonly against: string | undefined
  readonly nudge: number
  readonly updateKnown: boolean
  readonly help: boolean
}

/** Checks the arguments. Throws `TypeError` for unknown flags and `RangeError` for names and values that do not exist. */
export function readOptions(args: readonly string[], all: readonly string[]): Options {
  const { values } = parseArgs({ args: [...args], options: OPTIONS, strict: true })
  const { scene = all, list = false, save, against, nudge = '0', help = false } = values
  for (const name of scene) {
    if (!all.includes(name)) throw new RangeError(`accept: scene must be one of ${all.join(', ')}, got ${name}`)
  }
  const seed = Number(nudge)
  if (!Number.isInteger(seed) || seed < 0)
    throw new RangeError(`accept: nudge must be a whole number >= 0, got ${nudge}`)
  return {
    scenes: all.filter((name) => scene.includes(name)),
    isWhole: values.scene === undefined,
    list,
    save,
    against,
    nudge: seed,
    updateKnown: values['update-known'] ?? false,
    help,
  }
}
