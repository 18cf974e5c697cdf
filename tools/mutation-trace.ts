/** Leaves a file a test file that passes: how long it took, and which functions of which sources it ran. */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { afterAll, beforeEach, expect } from 'vitest'

const start = performance.now()
const tasks: { readonly result?: { readonly state?: string } }[] = []

beforeEach(({ task }) => {
  tasks.push(task)
})

afterAll(() => {
  if (tasks.some(({ result }) => result?.state === 'fail')) return
  const test = (expect.getState().testPath ?? '').slice(process.cwd().length + 1)
  const ran = (globalThis as { __ran?: Record<string, Uint8Array> }).__ran ?? {}
  const functions = Object.fromEntries(
    Object.entries(ran).map(([file, marks]) => [file, Array.from(marks.keys()).filter((k) => marks[k] === 1)]),
  )
  const name = createHash('sha256').update(test).digest('hex').slice(0, 16)
  const time = performance.now() - start
  writeFileSync(`${process.env['TRACE']}/${name}.json`, JSON.stringify({ test, time, functions }))
})
