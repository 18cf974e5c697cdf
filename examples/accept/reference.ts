/**
 * A fixed loop of plain arithmetic. Processor time of a step is told as a multiple of this loop's, which runs in the same process between the steps: what slows
 * both (a slow machine, a shared cache, another process on the core) cancels.
 */

/** Numbers that the loop runs over: 128 kB, more than the first cache and less than the second, as the columns of a scene are. */
const COUNT = 16_384
/** Passes over them, so that the loop takes about a millisecond on a machine of 2024. */
const PASSES = 12

const values = new Float64Array(COUNT)
const order = new Int32Array(COUNT)
for (let k = 0; k < COUNT; k++) {
  values[k] = 1 + k / COUNT
  // An odd multiplier visits every place once, not in sequence.
  order[k] = (Math.imul(k, 5_741) + 77) & (COUNT - 1)
}

/** Runs it once; the result keeps it from being left out. */
export function referenceLoop(): number {
  let sum = 0
  for (let pass = 0; pass < PASSES; pass++) {
    for (let k = 0; k < COUNT; k++) {
      const x = values[order[k]]
      const y = 1 + x * x
      sum += x / Math.sqrt(y)
      // Stays between 0 and 2 however often it runs.
      values[k] = 0.999 * values[k] + 0.001 / y
    }
  }
  return sum
}
