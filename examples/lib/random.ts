/** Numbers that look random and are the same everywhere. */

/** Numbers in [−1, 1), the same for the same seed: a linear congruential generator (Numerical Recipes, 2nd ed., 7.1). */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 0x80000000 - 1
  }
}
