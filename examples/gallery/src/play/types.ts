/** Asks the worker that knows the library's types. */

import type { Answer, Found, Offer, Question } from './types-protocol.js'

export class Types {
  private worker: Worker | undefined
  private readonly waiting = new Map<number, (answer: Answer) => void>()
  private count = 0

  /** What is wrong with a text. */
  async check(text: string): Promise<readonly Found[]> {
    return (await this.ask({ kind: 'check', text, at: 0 })).found ?? []
  }

  /** What may stand at a place of a text. */
  async complete(text: string, at: number): Promise<readonly Offer[]> {
    return (await this.ask({ kind: 'complete', text, at })).offers ?? []
  }

  private ask(question: Omit<Question, 'id'>): Promise<Answer> {
    this.worker ??= this.start()
    const id = ++this.count
    const answer = new Promise<Answer>((resolve) => this.waiting.set(id, resolve))
    this.worker.postMessage({ ...question, id } satisfies Question)
    return answer
  }

  private start(): Worker {
    const worker = new Worker(new URL('./types-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      this.waiting.get(data.id)?.(data)
      this.waiting.delete(data.id)
    })
    return worker
  }

  dispose(): void {
    this.worker?.terminate()
    this.waiting.clear()
  }
}
