/** A player of little skill, for tests and for who is alone: runs to behind the ball, and through it to the other's goal. */

import type { Controls } from '../input.js'
import { type Match, RINK } from '../match.js'
import type { Player } from '../packet.js'

/** How far behind the ball it begins its run, how far to its side it runs round it, and where it waits at home [m]. */
const [BEHIND, ROUND, HOME] = [1.1, 1.2, 5.5]
/** It goes home every so often, and lets the other one play [ticks]. */
const [BEAT, REST] = [300, 100]

type Pair = readonly [number, number]

export function botInput({ heroes, ball }: Match, player: Player, tick: number): Controls {
  const attack = player === 0 ? 1 : -1
  const [bx, , bz] = ball.position
  const [x, y, z] = heroes[player].body.position
  const beat = (tick + (BEAT / 2) * player) % BEAT
  const goal = unit([attack * (RINK.x + 0.5) - bx, -bz])
  const target: Pair = beat < REST ? [-attack * HOME, 0] : runUp([bx - x, bz - z], goal, [bx, bz])
  const [dx, dz] = unit([target[0] - x, target[1] - z])
  return { x: dx, z: dz, jump: beat > 196 && beat < 200 && y < 1, reel: beat > 150 && beat < 230 }
}

/** Where to run: through the ball where one is behind it, else round it to there. */
function runUp(toBall: Pair, goal: Pair, ball: Pair): Pair {
  const along = toBall[0] * goal[0] + toBall[1] * goal[1]
  const across = toBall[0] * goal[1] - toBall[1] * goal[0]
  if (along > 0.3 && Math.abs(across) < 0.5) return [ball[0] + goal[0], ball[1] + goal[1]]
  const side = along > 0 ? 0 : across > 0 ? ROUND : -ROUND
  return [ball[0] - BEHIND * goal[0] - side * goal[1], ball[1] - BEHIND * goal[1] + side * goal[0]]
}

function unit([x, z]: Pair): Pair {
  const size = Math.max(0.3, Math.hypot(x, z))
  return [x / size, z / size]
}
