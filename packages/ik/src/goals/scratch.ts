/** What goals reckon in while they write their rows, one at a time. Nothing is kept here. */

export const v: Float64Array = /* @__PURE__ */ new Float64Array(3)
export const w: Float64Array = /* @__PURE__ */ new Float64Array(3)
/** Sine and cosine of an angle, then the angle. */
export const angleTo: Float64Array = /* @__PURE__ */ new Float64Array(2)
