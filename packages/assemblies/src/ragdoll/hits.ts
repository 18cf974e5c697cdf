/** What a hit does to muscles. */

import type { RagdollAsset } from './data.js'
import type { Motion } from './motion.js'

/** How many joints away a hit is felt. */
const REACH = 2

/** Takes a share of their strength off the muscles of a part, half as much of its neighbours, a quarter of theirs; it comes back in `time` [s]. */
export function weakenAround(
  { parts }: RagdollAsset,
  { weakness, recovery }: Motion,
  part: number,
  by: number,
  time: number,
): void {
  const steps = new Map([[part, 0]])
  for (let round = 1; round <= REACH; round++) {
    const reached = Array.from(steps.keys())
    parts.forEach(({ parent }, k) => {
      if (parent < 0) return
      if (reached.includes(k) && !steps.has(parent)) steps.set(parent, round)
      if (reached.includes(parent) && !steps.has(k)) steps.set(k, round)
    })
  }
  for (const [k, away] of steps) {
    weakness[k] = Math.max(weakness[k], by / (1 << away))
    recovery[k] = weakness[k] / time
  }
}
