/** Turns the page's handles and shapes into numbers. A shape goes over once, however many colliders have it. */

import { Shape } from '@tautline/collision'
import { encode, HANDLE, SHAPE } from '../wire/values.js'
import { RemoteHandle, type RemoteOwner } from './remote-handle.js'

/** Encodes the arguments of one remote world. */
export class PageEncoder {
  private readonly remote: RemoteOwner
  private readonly tell: (name: string, args: readonly unknown[]) => void
  private readonly shapes = new WeakMap<Shape, number>()
  private readonly gone: FinalizationRegistry<number>
  private last = 0

  /** `tell` posts what is no call of the user's. */
  constructor(remote: RemoteOwner, tell: (name: string, args: readonly unknown[]) => void) {
    this.remote = remote
    this.tell = tell
    this.gone = new FinalizationRegistry((id) => tell('releaseShape', [id]))
  }

  /** Arguments as they go over. Throws a `TypeError` or `RangeError` for what cannot, and for handles of another world. */
  arguments(where: string, args: readonly unknown[]): readonly unknown[] {
    return args.map((value) => encode(where, value, (special) => this.special(where, special)))
  }

  private special(where: string, value: object): object | undefined {
    if (value instanceof RemoteHandle) {
      if (value.remote === this.remote) return { [HANDLE]: value.id }
      throw new RangeError(`${where}: handle must be of this remote world, got another's`)
    }
    return value instanceof Shape ? { [SHAPE]: this.shapeId(value) } : undefined
  }

  private shapeId(shape: Shape): number {
    const known = this.shapes.get(shape)
    if (known !== undefined) return known
    const id = ++this.last
    this.tell('shape', [id, shape.toJSON()])
    this.shapes.set(shape, id)
    this.gone.register(shape, id)
    return id
  }
}
