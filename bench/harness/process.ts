/** A process of a contest, as a value that is asked and answers. */

import { type ChildProcess, fork } from 'node:child_process'
import type { Answer, End, Order, Ready } from './messages.js'

/** Who runs: an engine with a setting, of the sources in `tree`. */
export interface Entry {
  readonly engine: string
  readonly work: number
  /** Root of the checkout that it runs in, and what it runs: see `bundled`. */
  readonly tree: string
  readonly script: string
  /** Whether tables show it, or only plots. */
  readonly isUsual: boolean
}

/** An engine that does not run here, or that stopped. */
export class NotRunning extends Error {}

export class Runner {
  readonly entry: Entry
  private readonly child: ChildProcess
  private wait: ((answer: Answer) => void) | undefined
  private last = ''

  constructor(entry: Entry, scene: string) {
    this.entry = entry
    const { engine, work, tree, script } = entry
    this.child = fork(script, [scene, engine, String(work)], {
      cwd: tree,
      execArgv: ['--max-old-space-size=4096'],
      // What engines print while they start is no part of a table.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.child.stderr?.on('data', (text: Buffer) => {
      this.last = text.toString()
    })
    this.child.on('message', (answer: Answer) => {
      this.take(answer)
    })
    this.child.on('exit', (code, signal) => {
      this.take({ failed: `ended with ${signal ?? code ?? 0}: ${this.last.trim().split('\n').at(-1) ?? ''}` })
    })
  }

  /** When the scene is made. */
  async ready(): Promise<Ready> {
    const answer = await this.next()
    if ('ready' in answer) return answer.ready
    throw this.unexpected(answer)
  }

  /** Times of so many samples [ms], and the processor time that they took [ms]. */
  async run(count: number, isMeasured: boolean): Promise<{ times: readonly number[]; busy: readonly number[] }> {
    const answer = await this.ask({ run: count, isMeasured })
    if ('times' in answer) return answer
    throw this.unexpected(answer)
  }

  /** What was watched; the process ends. */
  async finish(median: number): Promise<End> {
    const answer = await this.ask({ finish: median })
    if ('end' in answer) return answer.end
    throw this.unexpected(answer)
  }

  /** Ends it, whatever it does. */
  stop(): void {
    this.child.kill('SIGKILL')
  }

  private ask(order: Order): Promise<Answer> {
    const answer = this.next()
    this.child.send(order)
    return answer
  }

  private next(): Promise<Answer> {
    return new Promise((resolve) => {
      this.wait = resolve
    })
  }

  private take(answer: Answer): void {
    const { wait } = this
    this.wait = undefined
    wait?.(answer)
  }

  private unexpected(answer: Answer): Error {
    return new NotRunning('failed' in answer ? answer.failed : `answered ${Object.keys(answer).join(', ')}`)
  }
}
