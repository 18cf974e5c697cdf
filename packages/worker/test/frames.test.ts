/** Frames from one thread to another: whole, newest first, and nobody waits. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { World } from '@tautline/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SharedReader, SharedWriter, TransferReader, TransferWriter } from '../src/frames/exchange.js'
import { HandleTable } from '../src/client/handle-table.js'
import { Handles } from '../src/host/handles.js'
import { HANDLE } from '../src/wire/values.js'
import { FRAME } from './support/frame-length.js'
import { threadOf } from './support/threads.js'
import { until } from './support/turns.js'
import { runs } from '../../core/test/support/runs.js'

const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('write' as const), length: fc.integer({ min: 16, max: 200 }) }),
    },
    fc.record({ do: fc.constant('read' as const) }),
    fc.record({ do: fc.constant('deliver' as const) }),
  ),
)

test('shared: a reader has the newest whole frame, whoever is faster', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const reader = new SharedReader()
      const writer = new SharedWriter((buffer) => reader.enter(buffer))
      let written = 0
      for (const step of list) {
        if (step.do === 'write') {
          const frame = writer.open(step.length)
          frame.fill(++written, 0, step.length)
          writer.publish()
        } else if (step.do === 'read') {
          const frame = reader.newest()
          expect(frame?.[0]).toBe(written === 0 ? undefined : written)
          expect(frame?.[15]).toBe(frame?.[0])
        }
      }
    }),
  )
})

test('transferred: the newest that has come, at most three buffers under way, and all come back', () => {
  fc.assert(
    fc.property(steps, (list) => {
      const toPage: ArrayBuffer[] = []
      const toHost: ArrayBuffer[] = []
      const reader = new TransferReader((buffer) => toHost.push(structuredClone(buffer, { transfer: [buffer] })))
      const writer = new TransferWriter((buffer) => toPage.push(structuredClone(buffer, { transfer: [buffer] })))
      let written = 0
      let delivered = 0
      for (const step of list) {
        if (step.do === 'write') {
          const frame = writer.open(step.length, false)
          if (frame === undefined) continue
          frame.fill(++written, 0, step.length)
          writer.publish()
          expect(toPage.length).toBeLessThanOrEqual(3)
        } else if (step.do === 'deliver') {
          for (const buffer of toPage.splice(0)) reader.enter(buffer)
          for (const buffer of toHost.splice(0)) writer.takeBack(buffer)
          delivered = written
        } else {
          expect(reader.newest()?.[0]).toBe(delivered === 0 ? undefined : delivered)
        }
      }
      for (let k = 0; k < 3; k++) {
        for (const buffer of toPage.splice(0)) reader.enter(buffer)
        reader.newest()
        for (const buffer of toHost.splice(0)) writer.takeBack(buffer)
        const frame = writer.open(16, false)
        expect(frame).toBeDefined()
        writer.publish()
      }
    }),
  )
})

test('transferred: a frame that is due is written though none has come back', () => {
  const posted: ArrayBuffer[] = []
  const writer = new TransferWriter((buffer) => posted.push(buffer))
  for (let k = 0; k < 3; k++) {
    expect(writer.open(16, false)).toBeDefined()
    writer.publish()
  }
  expect(writer.open(16, false)).toBe(undefined)
  expect(writer.open(16, true)).toBeDefined()
  writer.publish()
  expect(posted).toHaveLength(4)
})

test('shared: no frame that another thread writes is torn', async () => {
  const reader = new SharedReader()
  const thread = threadOf(new URL('./support/frame-thread.ts', import.meta.url).href)
  let stop: Int32Array | undefined
  thread.on('message', (message: { stop?: Int32Array; buffer?: SharedArrayBuffer }) => {
    stop ??= message.stop
    if (message.buffer !== undefined) reader.enter(message.buffer)
  })
  let last = 0
  for (let seen = 0; seen < runs(200);) {
    const frame = reader.newest()
    if (frame !== undefined) {
      const [first] = frame
      expect(first).toBeGreaterThanOrEqual(last)
      if (frame.subarray(0, FRAME).some((value) => value !== first)) expect.fail(`torn at ${first}`)
      if (first > last) seen++
      last = first
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  Atomics.store(stop as Int32Array, 0, 1)
  await thread.terminate()
})

test('a handle that the page lets go is let go by the worker, unless it was named since', () => {
  const handles = new Handles()
  const world = new World()
  const body = world.addBody({})
  handles.set(7, body)
  handles.encode(body)
  handles.release(7, 0)
  expect(handles.get('test', 7)).toBe(body)
  handles.release(7, 1)
  expect(() => handles.get('test', 7)).toThrow(RangeError)
  expect(handles.idOf(body)).toBe(-1)
})

test('what the worker names is the handle that the page has', () => {
  const made: number[] = []
  const table = new HandleTable(
    ({ [HANDLE]: id }) => {
      made.push(id)
      return { id }
    },
    () => undefined,
  )
  const own = { id: table.reserve(1) }
  table.add(own)
  expect(table.reserve(3)).toBe(2)
  expect(table.reserve(1)).toBe(5)
  expect(table.named({ [HANDLE]: 1, kind: 'body' })).toBe(own)
  const theirs = table.named({ [HANDLE]: -4, kind: 'body' })
  expect(table.named({ [HANDLE]: -4, kind: 'body' })).toBe(theirs)
  expect(table.find(-4)).toBe(theirs)
  expect(made).toEqual([-4])
})

test('a handle that the page has let go is told, with how often the worker had named it', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const released: [number, number][] = []
  const table = new HandleTable(
    ({ [HANDLE]: id }) => ({ id }),
    (id, heard) => released.push([id, heard]),
  )
  for (let k = 0; k < 3; k++) table.named({ [HANDLE]: -2, kind: 'body' })
  const kept = table.named({ [HANDLE]: -3, kind: 'body' })
  await until(() => {
    collect()
    return released.length > 0
  })
  expect(released).toEqual([[-2, 3]])
  expect(table.find(-2)).toBe(undefined)
  expect(table.find(-3)).toBe(kept)
})
