import { BUILT_IN, conformance } from '../src/index.js'
const only = process.argv[2]
const seed = Number(process.argv[3] ?? 1)
let n = 0, bad = 0
for (const { name, type, fields, options } of BUILT_IN) {
  if (only && only !== 'all' && !name.includes(only)) continue
  const t = performance.now()
  const slow: string[] = []
  for (const check of conformance(type, fields, { ...options, seed })) {
    n++
    const u = performance.now()
    try { check.run() } catch (e) { bad++; console.log((e as Error).message.slice(0, 400).split('\n')[0]) }
    const ms = performance.now() - u
    if (ms > 300) slow.push(`${check.name} ${ms.toFixed(0)}`)
  }
  console.log(name, (performance.now() - t).toFixed(0), 'ms', slow.join(', '))
}
console.log(n, 'checks', bad, 'failed')
