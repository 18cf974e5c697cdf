/** A player of little skill, for tests and for who is alone: runs to behind the ball, and through it to the other's goal. */

import type { Controls } from '../input.js'
import { type Match, RINK } from '../match.js'
import type { Player } from '../packet.js'

/** How far behind the ball it starts its run [m]. */
const BEHIND = 0.9

export function botInput({ heroes, ball }: Match, player: Player, tick: number): Controls {
  const attack = player === 0 ? 1 : -1
  const [bx, , bz] = ball.position
  const [x, y, z] = heroes[player].body.position
  // Away from the boards where the ball lies there.
  const aim = Math.abs(bz) > RINK.z - 1 ? 0.7 * Math.sign(bz) : 0
  const isBehind = attack * (bx - x) > 0.3
  const target = isBehind ? [bx + attack, bz - aim] : [bx - attack * (BEHIND + 0.6), bz + (z > bz ? 1.1 : -1.1)]
  const [dx, dz] = [target[0] - x, target[1] - z]
  const size = Math.max(1, Math.hypot(dx, dz))
  const beat = (tick + 97 * player) % 240
  return { x: dx / size, z: dz / size, jump: beat < 4 && y < 1, reel: beat > 90 && beat < 170 }
}
