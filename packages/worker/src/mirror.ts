/**
 * A world on the page whose bodies stand where those of a world in a worker stand, for what draws worlds: bindings to three.js, surfaces, ropes.
 *
 *   const mirror = new WorldMirror(remote)
 *   const bindings = new Bindings(mirror.world)
 *   bindings.bind(mirror.body(box), mesh)
 *   a frame: bindings.update(mirror.update())
 *
 * It is not stepped, and nothing that is done to it reaches the worker.
 */

import { type Body, World } from '@tautline/core'
import { ASLEEP, DYNAMIC, instance, KINEMATIC } from '@tautline/core/kernel'
import { RemoteBody } from './client/remote-body.js'
import { RemoteWorld } from './client/remote-world.js'
import {
  FLAGS,
  IS_DYNAMIC,
  ORIENTATION,
  POSITION,
  PREVIOUS_ORIENTATION,
  PREVIOUS_POSITION,
  SLEEPS,
} from './frames/layout.js'

interface Pair {
  readonly remote: RemoteBody
  readonly body: Body
}

/** Bodies of a remote world, as bodies of a world on the page. */
export class WorldMirror {
  /** The world that is drawn. */
  readonly world: World = new World({ gravity: [0, 0, 0] })
  private readonly remote: RemoteWorld
  private readonly pairs = new Map<RemoteBody, Pair>()

  /** Throws a `TypeError` for what is no remote world. */
  constructor(remote: RemoteWorld) {
    this.remote = instance('WorldMirror: remote', remote, RemoteWorld, 'a remote world')
  }

  /** The body of {@link world} that stands for one of the remote world; made when it is first asked for. Throws a `TypeError`/`RangeError` for others. */
  body(remote: RemoteBody): Body {
    const known = this.pairs.get(instance('body: remote', remote, RemoteBody, 'a body of a remote world'))
    if (known !== undefined) return known.body
    if (remote.remote !== this.remote)
      throw new RangeError(`body: remote must be of the same remote world, got another's`)
    const { position, orientation, name, isParticle } = remote
    const body = this.world.addBody({
      position,
      ...(name === undefined ? {} : { name }),
      ...(isParticle ? {} : { orientation, inertia: 1 }),
    })
    const pair = { remote, body }
    this.pairs.set(remote, pair)
    this.copy(pair)
    return body
  }

  /** Several at once, in their order. */
  bodies(remotes: readonly RemoteBody[]): Body[] {
    return remotes.map((remote) => this.body(remote))
  }

  /** Takes the newest poses, and returns how far the moment is past their step: what `update` of bindings takes. What is gone is removed. */
  update(): number {
    const { remote, pairs } = this
    remote.refresh()
    for (const pair of pairs.values()) {
      if (pair.remote.alive) this.copy(pair)
      else {
        pair.body.remove()
        pairs.delete(pair.remote)
      }
    }
    return remote.alpha
  }

  private copy({ remote, body }: Pair): void {
    const { frame } = this.remote.frames
    const o = remote.place()
    if (o < 0 || frame === undefined) return
    const c = this.world.bodies.columns
    const i = body.index
    for (let k = 0; k < 3; k++) {
      c.position[4 * i + k] = frame[o + POSITION + k]
      c.previousPosition[3 * i + k] = frame[o + PREVIOUS_POSITION + k]
    }
    for (let k = 0; k < 4; k++) {
      c.orientation[4 * i + k] = frame[o + ORIENTATION + k]
      c.previousOrientation[4 * i + k] = frame[o + PREVIOUS_ORIENTATION + k]
    }
    const flags = frame[o + FLAGS]
    c.flags[i] = (flags & SLEEPS) !== 0 ? c.flags[i] | ASLEEP : c.flags[i] & ~ASLEEP
    c.kind[i] = (flags & IS_DYNAMIC) !== 0 ? DYNAMIC : KINEMATIC
  }
}
