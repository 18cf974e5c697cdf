/** Numbers that are the same for a seed, and those that break things. */

/** Numbers in [0, 1), the same for a seed (Numerical Recipes' generator). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 0x100000000
  }
}

/** Any of a list. */
export function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]
}

/** Finite numbers that overflow in products, and such that vanish in them. */
export const EXTREME = [1e200, -1e200, 1e308, -1e308, 1e154, 1e100, -1e50, 1e30, 1e-200, 1e-307] as const
