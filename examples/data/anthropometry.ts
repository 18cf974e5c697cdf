/**
 * Segments of an adult man: lengths, masses, centres of mass, radii of gyration.
 *
 * P. de Leva 1996, "Adjustments to Zatsiorsky–Seluyanov's segment inertia parameters", Journal of Biomechanics 29(9),
 * 1223–1230, table 4, the columns for males (mean stature 1.741 m, mean mass 73.0 kg). Rows are those that run from joint
 * to joint; where the table has alternative rows, the end points say which one this is.
 *
 * Breadths and heights that the table lacks are shares of stature from R. Drillis and R. Contini 1966, "Body segment
 * parameters", technical report 1166.03, New York University, as drawn in D. A. Winter, "Biomechanics and Motor Control of
 * Human Movement", figure 4.1.
 */

/** A row of the table. Lengths are millimetres at the mean stature, the rest is per cent, as printed. */
export interface Segment {
  /** Reference points, upper or inner end first. */
  readonly ends: string
  /** Distance between the ends at a stature of 1741 mm [mm]. */
  readonly length: number
  /** Share of the body's mass [%]. */
  readonly mass: number
  /** Distance of the centre of mass from the first end, share of the length [%]. */
  readonly center: number
  /** Radius of gyration about the sagittal axis (back to front), share of the length [%]. */
  readonly sagittal: number
  /** About the transverse axis (side to side) [%]. */
  readonly transverse: number
  /** About the longitudinal axis [%]. */
  readonly longitudinal: number
}

/** Names of the segments; arms and legs come twice. */
export type SegmentName =
  'head' | 'thorax' | 'abdomen' | 'pelvis' | 'upperArm' | 'forearm' | 'hand' | 'thigh' | 'shank' | 'foot'

/** Stature that the lengths belong to [mm]. */
export const MEAN_STATURE = 1741

/** de Leva 1996, table 4, males. */
export const SEGMENTS: Readonly<Record<SegmentName, Segment>> = {
  head: row('VERT–CERV', 242.9, 6.94, 50.02, 30.3, 31.5, 26.1),
  thorax: row('CERV–XYPH', 242.1, 15.96, 50.66, 50.5, 32.0, 46.5),
  abdomen: row('XYPH–OMPH', 215.5, 16.33, 45.02, 48.2, 38.3, 46.8),
  pelvis: row('OMPH–MIDH', 145.7, 11.17, 61.15, 61.5, 55.1, 58.7),
  upperArm: row('SJC–EJC', 281.7, 2.71, 57.72, 28.5, 26.9, 15.8),
  forearm: row('EJC–WJC', 268.9, 1.62, 45.74, 27.6, 26.5, 12.1),
  hand: row('WJC–DAC3', 187.9, 0.61, 36.24, 28.8, 23.5, 18.4),
  thigh: row('HJC–KJC', 422.2, 14.16, 40.95, 32.9, 32.9, 14.9),
  shank: row('KJC–AJC', 440.3, 4.33, 43.95, 25.1, 24.6, 10.2),
  foot: row('HEEL–TTIP', 258.1, 1.37, 44.15, 25.7, 24.5, 12.4),
}

/** Distance from CERV down to the line between the shoulder joints: CERV–MIDH 603.3 less MIDS–MIDH 515.5 [mm], table 4. */
export const SHOULDER_DROP = 603.3 - 515.5

/** Shares of stature (Drillis and Contini 1966). */
export const SHARES = {
  /** Half the distance between the shoulders. */
  halfShoulders: 0.129,
  /** Half the breadth of the hips. */
  halfHips: 0.0955,
  /** Height of the ankle above the sole. */
  ankleHeight: 0.039,
} as const

/** A segment of one person, in metres and kilograms. */
export interface Scaled {
  /** [m] */
  readonly length: number
  /** [kg] */
  readonly mass: number
  /** Of the centre of mass from the first end [m]. */
  readonly center: number
  /** Moments about the sagittal, transverse and longitudinal axis [kg m²]. */
  readonly sagittal: number
  readonly transverse: number
  readonly longitudinal: number
}

/** A segment for a stature [m] and a body mass [kg]: lengths grow with stature, masses with mass. */
export function scaled(name: SegmentName, stature: number, mass: number): Scaled {
  const segment = SEGMENTS[name]
  const length = (segment.length / MEAN_STATURE) * stature
  const m = (segment.mass / 100) * mass
  const moment = (radius: number): number => m * ((radius / 100) * length) * ((radius / 100) * length)
  return {
    length,
    mass: m,
    center: (segment.center / 100) * length,
    sagittal: moment(segment.sagittal),
    transverse: moment(segment.transverse),
    longitudinal: moment(segment.longitudinal),
  }
}

function row(
  ends: string,
  length: number,
  mass: number,
  center: number,
  sagittal: number,
  transverse: number,
  longitudinal: number,
): Segment {
  return { ends, length, mass, center, sagittal, transverse, longitudinal }
}
