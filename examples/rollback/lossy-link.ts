/** One direction of a bad network: each message comes later, perhaps behind one that was sent after it, or never. */

import { finite, knownFields, nonNegative } from '@tautline/core/kernel'

export interface LinkOptions {
  /** Of every message [ms]. @defaultValue 0 */
  delay?: number
  /** On top, evenly spread from 0 to this [ms]: more than the time between two messages changes their order. @defaultValue 0 */
  jitter?: number
  /** Share of messages that never come, in [0, 1]. @defaultValue 0 */
  loss?: number
}

export class LossyLink<Message> {
  private readonly delay: number
  private readonly jitter: number
  private readonly loss: number
  private readonly deliver: (message: Message) => void
  private readonly random: () => number
  private readonly later: (call: () => void, milliseconds: number) => void

  /** `random` is in [0, 1); `later` calls after a time, as `setTimeout` does. */
  constructor(
    options: LinkOptions,
    deliver: (message: Message) => void,
    random: () => number = Math.random,
    later: (call: () => void, milliseconds: number) => void = setTimeout,
  ) {
    const {
      delay = 0,
      jitter = 0,
      loss = 0,
    } = knownFields('LossyLink: options', options, ['delay', 'jitter', 'loss']) as LinkOptions
    this.delay = nonNegative('LossyLink: delay', delay)
    this.jitter = nonNegative('LossyLink: jitter', jitter)
    this.loss = finite('LossyLink: loss', loss)
    if (loss < 0 || loss > 1) throw new RangeError(`LossyLink: loss must be in [0, 1], got ${loss}`)
    this.deliver = deliver
    this.random = random
    this.later = later
  }

  send(message: Message): void {
    if (this.random() < this.loss) return
    this.later(() => this.deliver(message), this.delay + this.jitter * this.random())
  }
}
