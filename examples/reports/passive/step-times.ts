/** A process that times steps of one scene: `step-times.ts FILE NAME SIZE`. For each number n that comes, the median time of n steps [ms] goes back. */

import { pathToFileURL } from 'node:url'
import type { World } from '@tautline/core'
import { median } from '../report.js'

const [file, name, size] = process.argv.slice(2)
const scenes = (await import(pathToFileURL(file).href)) as Record<string, (size: number) => { world: World }>
const { world } = scenes[name](Number(size))

process.on('message', (count: number) => {
  const times = Array.from({ length: count }, () => {
    const start = performance.now()
    world.step()
    return performance.now() - start
  })
  process.send?.(median(times))
})
process.send?.('ready')
