/**
 * Tries a visitor's text where it can hang nothing: in a worker, before the page runs it. One that does not end is given up.
 *
 * The worker runs this page's own script, which a browser has at hand; `isOnTrial` keeps the page from being made in it.
 */

import { setScript, writeYourOwn } from './exhibits/write-your-own.js'
import { Run } from './run.js'
import { ScriptError } from './script-error.js'
import type { Values } from './settings.js'
import { solverOf } from './stepper.js'

/** A text may take so long [ms]: building, and the first steps. */
const LIMIT = 2000
/** Steps that are tried, as long as they are quick [ms]. */
const STEPS = 60
const QUICK = 150

/** Whether this script runs in the worker. */
export const isOnTrial = 'WorkerGlobalScope' in globalThis

interface Text {
  readonly text: string
  readonly values: Values
}

const READY = 'ready'
const ENDED = 'ended'

if (isOnTrial) {
  addEventListener('message', ({ data }: MessageEvent<Text>) => {
    void attempt(data).then(() => postMessage(ENDED))
  })
  postMessage(READY)
}

/** What goes wrong here goes wrong in the page as well, which tells. */
async function attempt({ text, values }: Text): Promise<void> {
  try {
    await solverOf(values)
    setScript(text)
    const run = new Run(writeYourOwn, values)
    const start = performance.now()
    while (run.steps < STEPS && performance.now() - start < QUICK) run.step()
  } catch {
    // It has ended.
  }
}

/** A worker, and the text that it is at. */
export class Trial {
  private worker: Worker | undefined
  private isReady = false
  private timer: ReturnType<typeof setTimeout> | undefined
  private settle: ((error?: ScriptError) => void) | undefined

  /** Resolves when a text has ended, rejects with a `ScriptError` when it does not, or another one takes its place. */
  run(text: string, values: Values): Promise<void> {
    if (this.settle !== undefined) this.dispose()
    return new Promise((resolve, reject) => {
      this.settle = (error) => {
        clearTimeout(this.timer)
        this.settle = undefined
        if (error === undefined) resolve()
        else reject(error)
      }
      this.worker ??= this.start()
      const ask = (): void => {
        this.worker?.postMessage({ text, values } satisfies Text)
        this.timer = setTimeout(() => this.dispose(`does not end: stopped after ${LIMIT / 1000} s`), LIMIT)
      }
      if (this.isReady) ask()
      else this.worker.addEventListener('message', ask, { once: true })
    })
  }

  private start(): Worker {
    const worker = new Worker(import.meta.url, { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<string>) => {
      this.isReady = true
      if (data === ENDED) this.settle?.()
    })
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      // A worker that never began says nothing of the text.
      if (!this.isReady) this.settle?.()
      this.dispose('ended its worker: it may need too much memory')
    })
    return worker
  }

  /** Stops the worker, whatever it is at. */
  dispose(why = 'was not tried'): void {
    this.worker?.terminate()
    this.worker = undefined
    this.isReady = false
    this.settle?.(new ScriptError(why, undefined))
  }
}
