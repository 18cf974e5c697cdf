/** How much work a test does: `npm test` does a part of it, `npm run test:all` everything. */

/** Whether this is `npm run test:all`, or `vitest run --mode all`. */
export const IS_THOROUGH = process.env.TAUTLINE_TESTS === 'all'

/** Divides the runs of a property in `npm test`. */
const SHARE = 5

/** Runs of a property: `all` in `npm run test:all`, a fifth of them in `npm test`. */
export function runs(all: number): number {
  return IS_THOROUGH ? all : Math.ceil(all / SHARE)
}

/** Every entry of a list in `npm run test:all`, every fifth in `npm test`, beginning with the first. */
export function sample<T>(list: readonly T[], share: number = SHARE): T[] {
  return IS_THOROUGH ? [...list] : list.filter((_, k) => k % share === 0)
}
