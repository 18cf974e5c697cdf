import { BUILT_IN, conformance } from '../src/index.js'
const [names, checks, seed, energy] = process.argv.slice(2)
for (const { name, type, fields, options } of BUILT_IN) {
  if (names !== 'all' && !name.includes(names)) continue
  for (const c of conformance(type, fields, { ...options, seed: Number(seed), ...(energy && {tolerances: { ...options.tolerances, energy: Number(energy) }}) })) {
    if (checks !== 'all' && !checks.split(',').includes(c.name)) continue
    try { c.run() } catch (e) { console.log((e as Error).message.split('\n')[0].slice(0, 330)) }
  }
}
