/**
 * What soft bodies are made of, by name.
 *
 * Sources. Rubber (natural), neoprene, foam (flexible polymer, low density), cork: M. Ashby, "Materials selection in mechanical design" (3rd edition, 2005),
 * appendix C: means of the ranges of density and Young's modulus. Fat: A. Samani, J. Zubovits and D. Plewes, "Elastic moduli of normal and pathological human
 * breast tissues" (2007): 3.25 kPa; density as ICRU report 44 (1989) has it for adipose tissue. Poisson's ratios: L. Gibson and M. Ashby,
 * "Cellular solids" (1997) for foam and cork; what keeps its volume is taken as 0.49, as tetrahedra lock nearer to a half.
 */

/** What a soft body is made of. */
export interface SoftMaterial {
  /** [kg/m³] */
  readonly density: number
  /** [Pa] */
  readonly youngsModulus: number
  /** Poisson's ratio. */
  readonly poissonRatio: number
}

/** Names of materials. */
export type SoftMaterialName = 'rubber' | 'neoprene' | 'foam' | 'cork' | 'fat'

/** The materials by name. */
export const SOFT_MATERIALS: Readonly<Record<SoftMaterialName, SoftMaterial>> = {
  rubber: { density: 925, youngsModulus: 1.9e6, poissonRatio: 0.49 },
  neoprene: { density: 1240, youngsModulus: 1.2e6, poissonRatio: 0.49 },
  foam: { density: 52, youngsModulus: 1.7e6, poissonRatio: 0.33 },
  cork: { density: 170, youngsModulus: 2.5e7, poissonRatio: 0.1 },
  fat: { density: 950, youngsModulus: 3250, poissonRatio: 0.49 },
}
