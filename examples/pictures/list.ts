/** Pictures of the docs that `npm run pictures` writes. */

import { SYMPTOMS } from './symptoms.js'

/** A scene, and the steps before the picture. */
export type Shown = readonly [scene: string, steps: number]

/** Names of files in docs, and what they show side by side. */
export const PICTURES: Readonly<Record<string, readonly Shown[]>> = {
  scenes: [
    ['rope', 88],
    ['cloth', 45],
    ['drape', 80],
    ['ragdoll', 75],
    ['soft', 40],
    ['bridge', 300],
    ['arch', 120],
    ['pile', 110],
    ['ik-humanoid', 70],
  ],
  cloth: [
    ['cape', 200],
    ['curtain', 95],
    ['flag', 330],
  ],
  rope: [
    ['winch', 100],
    ['winch', 240],
    ['yarn', 240],
  ],
  'soft-bodies': [
    ['hammock', 14],
    ['hammock', 20],
    ['hammock', 240],
  ],
}

/** Folder in docs of the pictures of symptoms. */
export const SYMPTOM_FOLDER = 'symptoms'

/** All files that it writes, below docs. */
export const FILES: readonly string[] = [
  ...Object.keys(PICTURES).map((name) => `${name}.webp`),
  ...Object.keys(SYMPTOMS).map((name) => `${SYMPTOM_FOLDER}/${name}.webp`),
]
