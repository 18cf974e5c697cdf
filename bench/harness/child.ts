/**
 * One engine in one scene, in a process of its own: what one engine teaches the compiler must not slow the next.
 * `child.ts SCENE ENGINE WORK`, started by a contest, which says when to run: so all contenders run by turns.
 */

import { sceneNamed } from '../scenes/index.js'
import { takeBusy } from './clock.js'
import type { Answer, Order } from './messages.js'
import type { Task } from './scene.js'

const [scene, engine, work] = process.argv.slice(2)

try {
  const task = await sceneNamed(scene).open(engine, Number(work))
  process.on('message', (order: Order) => {
    answer(task, order)
  })
  const { note, init, setup } = task
  say({ ready: { note, init, setup } })
} catch (error) {
  fail(error)
}

function answer(task: Task, order: Order): void {
  try {
    if ('finish' in order) {
      const memory = process.resourceUsage().maxRSS / 1024
      const hash = task.hash?.()
      say({ end: { figures: task.figures(order.finish), memory, ...(hash !== undefined && { hash }) } })
      process.disconnect()
      return
    }
    const times = Array.from({ length: order.run }, () => task.run(order.isMeasured))
    say({ times, busy: takeBusy() })
  } catch (error) {
    fail(error)
  }
}

function say(message: Answer): void {
  process.send?.(message)
}

function fail(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error)
  const isMissing = (error as { code?: string }).code === 'ERR_MODULE_NOT_FOUND'
  say({ failed: isMissing ? `not installed: ${text.split("'")[1] ?? text}` : text.split('\n')[0] })
  process.disconnect()
}
