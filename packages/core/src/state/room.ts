/** How long a list is made that has become too short. */

/** What is needed now, or twice what there was: whoever adds all at once pays for no more than that, and who adds one by one does not copy again and again. */
export function roomFor(needed: number, { length }: { readonly length: number }): number {
  return Math.max(needed, 2 * length)
}
