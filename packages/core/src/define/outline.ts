/**
 * What a constraint looks like, as the `outline` of its type says it: for debug drawing, an editor, a test.
 *
 * Points [m] and unit vectors are in world space, each three numbers of an array `g` from an index on; orientations are quaternions,
 * four numbers of an array `q`. Whoever draws chooses colours and sizes, and what of it is drawn at all.
 */
export interface Outline {
  /** Anchors of the first two bodies, which coincide where a joint holds. What is drawn first is where its force acts. */
  anchors(g: Float64Array, a: number, b: number): void
  /** Anchors that come apart along the axis of the first: b's at an offset [m], which limits[l] and limits[l + 1] may bound. */
  slide(g: Float64Array, a: number, b: number, axis: number, limits: Float64Array, l: number): void
  /** A line through a point along an axis. */
  axis(g: Float64Array, point: number, axis: number): void
  /** The direction, from a point, that an axis has come to. */
  needle(g: Float64Array, point: number, axis: number): void
  /** The axes x, y and z of an orientation, at a point. */
  frame(g: Float64Array, point: number, q: Float64Array, o: number): void
  /**
   * Range of an angle about an axis [rad], from limits[l] to limits[l + 1]; `needle`, across the axis, is the direction at the present angle,
   * angle[k]. A range that is free, −Infinity to Infinity, is not drawn.
   */
  arc(
    g: Float64Array,
    point: number,
    axis: number,
    needle: number,
    limits: Float64Array,
    l: number,
    angle: Float64Array,
    k: number,
  ): void
  /** Cone of half opening angle[k] [rad] about an axis, and the needle that it bounds. */
  coneRange(g: Float64Array, point: number, axis: number, needle: number, angle: Float64Array, k: number): void
  /**
   * Where the x axis of an orientation may be swung to: angles about its y axis from limits[y] to limits[y + 1] and about its z axis from
   * limits[z] to limits[z + 1] [rad], a box of them or an ellipse through its four ends; the needle is the axis at present.
   */
  swing(
    g: Float64Array,
    point: number,
    needle: number,
    q: Float64Array,
    o: number,
    limits: Float64Array,
    y: number,
    z: number,
    isEllipse: boolean,
  ): void
  /** A line of a joint, as between two bodies that it turns against each other. */
  line(g: Float64Array, from: number, to: number): void
  /** A line of a length, a spring, a rope. */
  link(g: Float64Array, from: number, to: number): void
  /** A point that something is pulled to. */
  target(g: Float64Array, point: number): void
  /** Two points that touch, and the normal at the second, which carries it. */
  contact(g: Float64Array, a: number, b: number, normal: number): void
}
