/** What `npm run bench` is told. */

import type { Entry } from './process.js'
import type { BenchScene, Contender } from './scene.js'

export const HELP = `npm run bench -- [options]      Tautline beside other engines, time beside error

  --scene NAME,…     those scenes only, or all whose names begin so: chain, ragdolls-10, figures-1-, cloth
  --engine NAME,…    those engines only
  --work N,…         those settings only, instead of the usual: substeps, iterations, collision steps
  --quick            fewer steps and no piles of 40 and 100; below five minutes on a quiet machine
  --plots            more settings of each engine besides, where error is drawn against time
  --json             the run as JSON
  --save FILE        keeps the run as JSON, scene by scene
  --from FILE,…      takes kept runs instead of measuring, of a scene the last that has it
  --budget           how many ragdolls, vertices, segments, tetrahedra and boxes fit into a step of 2 and 4 ms; about a minute
  --docs             with plots unless quick; writes the tables, plots and data of docs/performance.md
  --help             this

A process an engine; all of a scene are alive at once and run by turns. Only ratios of one run count, on a quiet machine.
`

export const OPTIONS = {
  scene: { type: 'string' },
  engine: { type: 'string' },
  work: { type: 'string' },
  quick: { type: 'boolean' },
  plots: { type: 'boolean' },
  json: { type: 'boolean' },
  save: { type: 'string' },
  from: { type: 'string' },
  docs: { type: 'boolean' },
  budget: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

export type Values = {
  [Name in keyof typeof OPTIONS]?: (typeof OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string
}

export interface Options {
  readonly scenes: readonly BenchScene[]
  readonly engines: readonly string[] | undefined
  readonly works: readonly number[] | undefined
  readonly quick: boolean
  readonly plots: boolean
  readonly json: boolean
  readonly docs: boolean
  readonly save: string | undefined
  readonly from: readonly string[] | undefined
}

/** Checks what was given. Throws `RangeError` for names that there are not. */
export function readOptions(values: Values, all: readonly BenchScene[]): Options {
  const { quick = false, plots = false, json = false, docs = false, save, from } = values
  const engines = values.engine?.split(',')
  const known = new Set(all.flatMap(({ contenders }) => contenders.map(({ engine }) => engine)))
  for (const engine of engines ?? []) {
    if (!known.has(engine)) throw new RangeError(`bench: engine must be one of ${[...known].join(', ')}, got ${engine}`)
  }
  const works = values.work?.split(',').map((text) => {
    const work = Number(text)
    if (!Number.isInteger(work) || work < 1)
      throw new RangeError(`bench: work must be a whole number >= 1, got ${text}`)
    return work
  })
  const chosen = scenesNamed(values.scene, all)
  const scenes = quick && values.scene === undefined ? chosen.filter((scene) => scene.quick !== undefined) : chosen
  return { scenes, engines, works, quick, plots: plots || (docs && !quick), json, docs, save, from: from?.split(',') }
}

function scenesNamed(given: string | undefined, all: readonly BenchScene[]): readonly BenchScene[] {
  if (given === undefined) return all
  const names = given.split(',')
  for (const name of names) {
    if (all.some((scene) => scene.name.startsWith(name))) continue
    throw new RangeError(`bench: scene must be one of ${all.map((scene) => scene.name).join(', ')}, got ${name}`)
  }
  const isExact = (name: string): boolean => all.some((scene) => scene.name === name)
  return all.filter((scene) =>
    names.some((name) => (isExact(name) ? scene.name === name : scene.name.startsWith(name))),
  )
}

/** Who takes part in a scene. */
export function entriesOf(
  scene: BenchScene,
  { engines, works, plots }: Options,
  at: Pick<Entry, 'tree' | 'script'>,
): Entry[] {
  return scene.contenders
    .filter(({ engine }) => engines === undefined || engines.includes(engine))
    .flatMap((contender) => {
      const { engine, usual } = contender
      return (works ?? worksOf(contender, plots)).map((work) => ({
        engine,
        work,
        ...at,
        isUsual: works !== undefined || usual.includes(work),
      }))
    })
}

function worksOf({ usual, others = [] }: Contender, plots: boolean): readonly number[] {
  return plots ? [...new Set([...usual, ...others])].sort((r, s) => r - s) : usual
}
