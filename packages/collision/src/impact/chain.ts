/** The chain of impacts in hand. */

/** Manifolds that a chain of impacts has reached, in order; kept, and grown. */
export const chain = /* @__PURE__ */ {
  count: 0,
  rows: /* @__PURE__ */ new Int32Array(0) as Int32Array,
  /** By place: approach speed [m/s], whether it is that of its fall, and impulses so far (4 each). */
  approach: /* @__PURE__ */ new Float64Array(0) as Float64Array,
  falls: /* @__PURE__ */ new Uint8Array(0) as Uint8Array,
  pushed: /* @__PURE__ */ new Float64Array(0) as Float64Array,
  /** By place: whether its bodies may go where their speeds lead. */
  level: /* @__PURE__ */ new Uint8Array(0) as Uint8Array,
  /** By place: by how much what was pushed through it has lifted bodies [kg m²/s²]; of all, what impacts have paid of it. */
  lift: /* @__PURE__ */ new Float64Array(0) as Float64Array,
  paid: 0,
  /** Fastest of the impacts that start it [m/s]. */
  impact: 0,
  /** Whether there was one in this substep. */
  any: false,
  /** By row: 1 when reached, 2 when struck. */
  reached: /* @__PURE__ */ new Uint8Array(0) as Uint8Array,
  /** By row: whether it is the first of its component that bounces, or another; the next of those, −1 for none. */
  starts: /* @__PURE__ */ new Uint8Array(0) as Uint8Array,
  nextStart: /* @__PURE__ */ new Int32Array(0) as Int32Array,
  /** By body: its first end, and by end (2 a row) the next of the same body; −1: none. */
  first: /* @__PURE__ */ new Int32Array(0) as Int32Array,
  next: /* @__PURE__ */ new Int32Array(0) as Int32Array,
  /** By root of a component: the last of its manifolds that bounce. */
  last: /* @__PURE__ */ new Int32Array(0) as Int32Array,
  /** Places that are struck at once. */
  equal: /* @__PURE__ */ new Int32Array(0) as Int32Array,
  equalCount: 0,
}

/** Whether a chain of impacts of this substep has struck a manifold: then its normals are done. */
export function wasStruck(row: number): boolean {
  return chain.any && chain.reached[row] === 2
}
