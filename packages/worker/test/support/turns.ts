/** Waiting by turns of the event loop instead of time. */

/** Lets everything that is ready run, `count` times. */
export async function turns(count: number): Promise<void> {
  for (let k = 0; k < count; k++) await new Promise((resolve) => setImmediate(resolve))
}

/** Waits until a condition holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turns(1)
}
