import { BUILT_IN, conformance } from '../src/index.js'
const seed = Number(process.argv[3] ?? 5)
for (const { name, type, fields, options } of BUILT_IN) {
  if (process.argv[2] !== 'all' && !name.includes(process.argv[2])) continue
  const out: string[] = []
  for (const energy of [0.03, 0.1, 0.3, 1, 3]) {
    const check = conformance(type, fields, { ...options, seed, runs: 200, tolerances: { ...options.tolerances, energy } }).find((c) => c.name === 'passivity')!
    try { check.run(); out.push(`<${energy}`); break } catch (e) { out.push((e as Error).message.split('\n')[0].slice(-130)) ; if (process.argv[4]) console.log((e as Error).message) }
  }
  console.log(name, out.at(-1), out.length)
}
