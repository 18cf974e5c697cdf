/**
 * Seed of this run's property tests. It is the same in every run, so that a test that fails was made to fail by a change.
 * `npm run explore` draws others, and `FC_SEED=… npx vitest run PATH` repeats one.
 *
 * Hand it on, `fc.assert(property, { seed: SEED })`, and put it in the describe name.
 */
export const SEED = Number(process.env.FC_SEED ?? 20261121)
