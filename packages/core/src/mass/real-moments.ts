/** Which principal moments a real body can have. */

/**
 * Refuses moments [kg m²] that no body has: below 0, or one above the sum of the other two, by more than `slack` [kg m²].
 * With coordinates from the centre of mass, I_x + I_y - I_z = 2 ∫ ρ z² dV.
 */
export function checkReal(where: string, moments: ArrayLike<number>, slack: number): void {
  const [low, middle, high] = Array.prototype.slice.call(moments).sort((a: number, b: number) => a - b) as number[]
  if (high <= low + middle + slack) return // and so low >= high - middle - slack >= -slack
  const rule = low < -slack ? 'principal moments >= 0' : 'no principal moment above the sum of the other two'
  const list = Array.prototype.join.call(moments, ', ')
  throw new RangeError(`${where} must have ${rule}, as a real body does, got moments [${list}]`)
}
