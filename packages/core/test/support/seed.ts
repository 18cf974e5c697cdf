/**
 * Seed of this run's property tests: new each run, printed in the names of the suites; `FC_SEED=… npm test` repeats it.
 *
 * Hand it on, `fc.assert(property, { seed: SEED })`, and put it in the describe name.
 */
export const SEED = Number(process.env.FC_SEED ?? Date.now() | 0)
