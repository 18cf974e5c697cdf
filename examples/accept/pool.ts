/** Runs scenes in processes of their own, at most two at once. */

import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { SceneResult } from './metric.js'

/** More at once would share caches on small machines, and times with them. */
const MOST = 2

export const PROCESSES: number = Math.min(MOST, availableParallelism())

/** Runs one scene; a process that dies is a failed scene. */
function runOne(script: string, scene: string, nudge: number): Promise<SceneResult> {
  return new Promise((resolve) => {
    const child = fork(script, [scene, String(nudge)], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let result: SceneResult | undefined
    let said = ''
    child.stderr?.on('data', (text: Buffer) => (said += text.toString()))
    child.on('message', (message: SceneResult) => (result = message))
    child.on('exit', (code, signal) => {
      const why = `ended with ${signal ?? code ?? 0}: ${said.trim().split('\n').at(-1) ?? ''}`
      resolve(result ?? { scene, metrics: [], busy: 0, failed: why })
    })
  })
}

/** Runs all by `width` processes, in the order given; `onDone` hears of each as it ends. */
export async function runAll(
  script: string,
  scenes: readonly string[],
  { nudge = 0, width = PROCESSES, onDone }: { nudge?: number; width?: number; onDone?: (done: number) => void } = {},
): Promise<SceneResult[]> {
  const results: SceneResult[] = []
  let [next, done] = [0, 0]
  const work = async (): Promise<void> => {
    while (next < scenes.length) {
      const at = next++
      results[at] = await runOne(script, scenes[at], nudge)
      onDone?.(++done)
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  return results
}
