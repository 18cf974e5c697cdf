/**
 * What fabrics are like, by name.
 *
 * Sources. Denim, jersey, polyester, swimsuit: H. Wang, J. O'Brien and R. Ramamoorthi, "Data-driven elastic models for cloth: modeling and
 * measurement" (2011): the samples 11oz-black-denim, gray-interlock, white-dots-on-blk and white-swim-solid, at small strains, bending as the
 * mean of those measured. Silk and cotton: typical of the Kawabata evaluation system, S. Kawabata and M. Niwa, "Fabric performance in clothing
 * and clothing manufacture" (1989), for habotai of 55 g/m² and shirting of 120 g/m². Rubber and leather: sheets of 0.5 mm and 1.2 mm, E = 1.5 and 50 MPa, of
 * 930 and 860 kg/m³, by E t, E t/2(1 + ν) and E t³/12(1 − ν²).
 */

/** Stiffness of a material: of a square of any size, as sheets are [N/m], and against bending [N m]. */
export interface ClothMaterial {
  /** Mass of a square metre [kg/m²]. */
  readonly density: number
  /** Stiffness against stretch along the warp [N/m]. */
  readonly warp: number
  /** Along the weft [N/m]. */
  readonly weft: number
  /** Against shear [N/m]. */
  readonly shear: number
  /** Bending rigidity [N m]. */
  readonly bend: number
  /** Friction coefficient of cloth on most things. */
  readonly friction: number
  /** [m] */
  readonly thickness: number
}

/** Names of materials. */
export type ClothMaterialName = 'silk' | 'cotton' | 'polyester' | 'jersey' | 'denim' | 'swimsuit' | 'leather' | 'rubber'

/** The materials by name. */
export const CLOTH_MATERIALS: Readonly<Record<ClothMaterialName, ClothMaterial>> = {
  silk: { density: 0.055, warp: 4000, weft: 3000, shear: 20, bend: 4e-6, friction: 0.2, thickness: 0.002 },
  cotton: { density: 0.12, warp: 5000, weft: 3500, shear: 45, bend: 7e-6, friction: 0.4, thickness: 0.003 },
  polyester: { density: 0.128, warp: 2107, weft: 2150, shear: 38, bend: 3e-5, friction: 0.3, thickness: 0.003 },
  jersey: { density: 0.187, warp: 406, weft: 127, shear: 32, bend: 2e-5, friction: 0.4, thickness: 0.004 },
  denim: { density: 0.324, warp: 1058, weft: 226, shear: 72, bend: 7e-5, friction: 0.5, thickness: 0.005 },
  swimsuit: { density: 0.204, warp: 125, weft: 52, shear: 20, bend: 5.5e-5, friction: 0.5, thickness: 0.004 },
  leather: { density: 1.03, warp: 60000, weft: 60000, shear: 21000, bend: 8e-3, friction: 0.6, thickness: 0.006 },
  rubber: { density: 0.465, warp: 750, weft: 750, shear: 250, bend: 2e-5, friction: 0.9, thickness: 0.004 },
}
