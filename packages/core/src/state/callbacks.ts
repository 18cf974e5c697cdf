/**
 * A user's functions that a step calls: what they may do to the world meanwhile. What is removed goes when the step is over, what
 * would move the tables under the step's hands is refused, and an error of theirs comes out of `step` when the step is done.
 */

export class Callbacks {
  private depth = 0
  private readonly queue: (() => void)[] = []
  private errors: unknown[] = []

  /** Before a user's function is called. */
  begin(): void {
    this.depth++
  }

  /** After it has returned. */
  end(): void {
    this.depth--
  }

  /** After it has thrown: the first error is kept. */
  fail(error: unknown): void {
    this.depth--
    this.keep(error)
  }

  /** An error that was thrown meanwhile, and caught. */
  keep(error: unknown): void {
    if (this.errors.length === 0) this.errors.push(error)
  }

  /** Puts something off to the end of the step; false, and nothing done, when no user's function runs. */
  defer(action: () => void): boolean {
    if (this.depth > 0) this.queue.push(action)
    return this.depth > 0
  }

  /** Throws while a user's function runs. */
  refuse(where: string): void {
    if (this.depth > 0)
      throw new RangeError(`${where} must not be called by what a step calls, got a call within a step`)
  }

  /** When the step is over: does what was put off, and throws what a user's function threw. */
  finish(): void {
    for (let action = this.queue.shift(); action !== undefined; action = this.queue.shift()) action()
    const [error] = this.errors
    const failed = this.errors.length > 0
    this.errors = []
    if (failed) throw error
  }
}
