import { BUILT_IN, conformance } from '../src/index.js'
const [name, check, seed] = process.argv.slice(2)
for (const b of BUILT_IN.filter((x) => x.name === name)) for (const c of conformance(b.type, b.fields, { ...b.options, seed: Number(seed) }).filter((x) => x.name === check)) try { c.run() } catch (e) { console.log((e as Error).message) }
