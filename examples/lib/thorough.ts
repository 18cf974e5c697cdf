/** How much work a test does: `npm test` does a part of it, `npm run test:all` everything. */

/** Whether this is `npm run test:all`, or `vitest run --mode all`. */
export const IS_THOROUGH = process.env.TAUTLINE_TESTS === 'all'

/** Every entry of a list in `npm run test:all`; in `npm test` one in `share`, beginning with the first. */
export function sample<T>(list: readonly T[], share: number): T[] {
  return IS_THOROUGH ? [...list] : list.filter((_, k) => k % share === 0)
}

/** Options of a test or suite that `npm test` leaves out, unless it is among the `quick` ones. */
export function thoroughUnless(isQuick: boolean): { tags?: string[] } {
  return isQuick ? {} : { tags: ['thorough'] }
}
