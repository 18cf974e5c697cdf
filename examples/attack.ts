/**
 * Searches random joint scenes for those that gain energy, part or fail:
 * `npm run attack -- [--seed 0] [--count 100] [--seconds 5] [--kind chain|tree|ragdoll] [--setting free|hung|plane|box|mesh]
 * [--start satisfied|violated] [--motion rest|spins|thrown] [--substeps 1] [--worst 5] [--json]`.
 * A seed gives the whole scene; the others choose among seeds. `--seed N --count 1` repeats one.
 */

import { parseArgs } from 'node:util'
import { type AttackResult, attack, describe } from './scenes/attack/run.js'
import { type ScenePlan, scenePlan } from './scenes/attack/plan.js'
import { figure } from './reports/report.js'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '0' },
    count: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '5' },
    worst: { type: 'string', default: '5' },
    kind: { type: 'string' },
    setting: { type: 'string' },
    start: { type: 'string' },
    motion: { type: 'string' },
    substeps: { type: 'string' },
    json: { type: 'boolean' },
  },
})

const CHOICES = ['kind', 'setting', 'start', 'motion', 'substeps'] as const

function isWanted(plan: ScenePlan): boolean {
  return CHOICES.every((field) => values[field] === undefined || String(plan[field]) === values[field])
}

const results: AttackResult[] = []
const count = Number(values.count)
// A choice that no seed meets must not search for ever.
const end = Number(values.seed) + 1000 * count
for (let seed = Number(values.seed); results.length < count && seed < end; seed++) {
  if (!isWanted(scenePlan(seed))) continue
  results.push(attack(seed, Number(values.seconds)))
  if (process.stderr.isTTY) process.stderr.write(`\r${results.length} of ${count}   `)
}
if (process.stderr.isTTY) process.stderr.write('\r\x1b[K')

/** NaN is worse than anything. */
function worstBy(measure: (result: AttackResult) => number): AttackResult[] {
  const key = (result: AttackResult): number => (Number.isNaN(measure(result)) ? Infinity : measure(result))
  return [...results].sort((r, s) => key(s) - key(r)).slice(0, Number(values.worst))
}

function show(
  title: string,
  measure: (result: AttackResult) => number,
  among: (result: AttackResult) => boolean,
): void {
  console.log(`\n${title}`)
  for (const result of worstBy((r) => (among(r) ? measure(r) : -1))) {
    if (!among(result)) continue
    console.log(`  ${figure(measure(result))}  seed ${result.seed}: ${describe(scenePlan(result.seed))}`)
  }
}

if (values.json === true) console.log(JSON.stringify(results, null, 2))
else {
  const sum = (measure: (result: AttackResult) => number): number => results.reduce((all, r) => all + measure(r), 0)
  const bad = results.filter(({ gain }) => !(gain <= 0.01)).length
  const apart = results.filter(({ isExact, gap }) => isExact && !(gap <= 1e-6)).length
  const exact = results.filter(({ isExact }) => isExact).length
  console.log(
    `${results.length} scenes × ${values.seconds} s: ${bad} gain more than 1 % of m g L; ${apart} of ${exact} exact ones part by more than 1e-6 m`,
  )
  console.log(
    `${sum((r) => r.passes)} passes, ${figure(sum((r) => r.solves) / sum((r) => r.passes))} solves each, ${sum((r) => r.unsolved)} unsolved, ${sum((r) => r.halved)} halved; the guard acted ${sum((r) => r.guarded)} times in ${results.filter((r) => r.guarded > 0).length} scenes`,
  )
  const all = (): boolean => true
  show('highest gain, share of m g L', ({ gain }) => gain, all)
  show(
    'widest gap of joints all solved directly and satisfied at the start [m]',
    ({ gap }) => gap,
    ({ isExact }) => isExact,
  )
  show('most passes unsolved or halved', ({ unsolved, halved }) => unsolved + halved, all)
  show('most often guarded', ({ guarded }) => guarded, all)
  show('slowest steps: p99 over median', ({ p99, median }) => p99 / median, all)
}
