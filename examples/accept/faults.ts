/** Faults that the gate has to see: one expression of the packages replaced in a copy of this checkout, whose gate then runs beside this one's. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { linkDependencies } from '../lib/link-dependencies.js'
import { compareRuns, type Difference } from './compare.js'
import { runGate } from './gate.js'
import { runIn } from './revision.js'

export interface Fault {
  readonly name: string
  readonly file: string
  /** Text that is in the file exactly once. */
  readonly right: string
  readonly wrong: string
  /** Scenes that it acts on. */
  readonly scenes: readonly string[]
}

/** Growth of every velocity a substep with which kinetic energy grows by 1 % in the 480 substeps of a second. */
const ONE_PERCENT = 1.01 ** (1 / 960)

export const FAULTS = {
  friction: {
    name: 'friction with the sign swapped',
    file: 'packages/core/src/step/disc.ts',
    right: 'const scale = slip / Math.sqrt(',
    wrong: 'const scale = -slip / Math.sqrt(',
    scenes: ['box-slides', 'ramp', 'ball-rolls'],
  },
  softJoint: {
    name: 'joints softer by 10 %',
    file: 'packages/core/src/edit/edit.ts',
    right: '  c.compliance[row] = common.compliance ?? 0\n',
    wrong: '  c.compliance[row] = 1.1 * (common.compliance ?? 0)\n',
    scenes: ['soft-joints', 'soft-joints-swept'],
  },
  energy: {
    name: 'velocities that gain 1 % of their energy a second',
    file: 'packages/core/src/step/motion.ts',
    right: '  spinFromPoses(bodies, i, h, gyroscopic, squares)\n',
    wrong: `  spinFromPoses(bodies, i, h, gyroscopic, squares)\n  for (let k = v; k < v + 3; k++) {\n    velocity[k] *= ${ONE_PERCENT}\n    bodies.angularVelocity[k] *= ${ONE_PERCENT}\n  }\n`,
    scenes: ['heavy-top', 'tumbling-body', 'figure-floats'],
  },
} as const satisfies Record<string, Fault>

/** What a copy of the checkout needs to run the gate. */
const COPIED = ['package.json', 'tsconfig.base.json', 'packages', 'examples']
const LEFT_OUT = ['node_modules', 'dist', 'coverage']

/** A fault and the metrics that differ where it is planted: exact ones alone, as time sees nothing of it. */
export async function plant(root: string, fault: Fault): Promise<readonly Difference[]> {
  const tree = mkdtempSync(join(tmpdir(), 'tautline-fault-'))
  try {
    for (const entry of COPIED) {
      const filter = (source: string): boolean => !LEFT_OUT.includes(basename(source))
      cpSync(join(root, entry), join(tree, entry), { recursive: true, filter })
    }
    linkDependencies(root, tree)
    replaceOnce(join(tree, fault.file), fault)
    const before = await runGate({ scenes: fault.scenes })
    const after = runIn(tree, fault.scenes)
    return compareRuns(before.results, after.results).filter(({ isTime }) => !isTime)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

/** Replaces the text of a fault. Throws where it is not in the file exactly once: the code has changed, and the fault with it. */
function replaceOnce(path: string, { file, right, wrong }: Fault): void {
  const text = readFileSync(path, 'utf8')
  const found = text.split(right).length - 1
  if (found !== 1) throw new RangeError(`accept: ${file} must contain the text of the fault once, got ${found} times`)
  writeFileSync(
    path,
    text.replace(right, () => wrong),
  )
}
