/** Where two convex shapes are nearest, or deepest in each other: what the distance functions hand to the manifolds. */

/** The largest separation [m] of a point of a contact. */
export const MARGIN: Float64Array = /* @__PURE__ */ new Float64Array(1)

/**
 * Unit normal from b to a (3), the points of a and of b (3 and 3), and their separation (a − b)·n [m], in the frame of the
 * pair; then 1 if the points are to be taken from the features (`UNSURE`), else 0.
 */
export const CLOSEST: Float64Array = /* @__PURE__ */ new Float64Array(11)

/**
 * Where normal and separation hold but the points may be beside a feature, as where a whole edge or face is as deep as the
 * corner that was found.
 */
export const UNSURE = 10
