/** Row 12: what kernels are to give. They are not built, and the rows say so. */

import { type ReportRow, skipped } from '../report.js'

const KERNELS = 'packages/simd is not built'

function missing(id: string, claim: string, asked: string, why: string): ReportRow {
  return { id, claim, asked, scene: 'as the row of plain TypeScript', measure: () => skipped(why) }
}

export const kernelRows: readonly ReportRow[] = [
  missing('12.1', 'Piles of ragdolls with kernels', '≤ 2.5 × Rapier SIMD', KERNELS),
  missing('12.2', 'Mixed pile of 1000 with kernels', '≤ 2.5 × Rapier SIMD', KERNELS),
  missing('12.3', 'Pyramid of 210 with kernels', '≤ 1.5 × Rapier SIMD', KERNELS),
  missing('12.4', 'Heavy chain with kernels', '≤ 0.4 × Rapier SIMD', KERNELS),
  missing('12.5', 'Rows of cloth with kernels', '≤ 0.4 × Jolt', KERNELS),
  missing('12.6', 'Cloth of 10 000 on a sphere with kernels', '≤ 0.7 × Jolt', KERNELS),
  missing('12.7', 'Cloth of 6000 that touches itself with kernels', '≤ 8 ms', KERNELS),
  missing('12.8', 'One figure on the ground with kernels', '≤ 0.15 ms', KERNELS),
  missing('12.9', 'Kernels give the bits of TypeScript', 'every scene', KERNELS),
]
