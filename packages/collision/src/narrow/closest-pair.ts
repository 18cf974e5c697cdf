/** Where two convex shapes are nearest, or deepest in each other: what the distance functions hand to the manifolds. */

/**
 * Unit normal from b to a (3), the points of a and of b (3 and 3), and their separation (a − b)·n [m], in the frame of the
 * pair. Each distance function writes it last.
 */
export const CLOSEST: Float64Array = /* @__PURE__ */ new Float64Array(10)

/**
 * 1 if `CLOSEST` comes from a face that the other shape's deepest corner lies under: where a whole edge or face is as deep, that
 * corner may be beside the face. Normal and separation hold; the points are `touch`'s to find.
 */
export const BESIDE: Int32Array = /* @__PURE__ */ new Int32Array(1)
