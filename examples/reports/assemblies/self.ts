/** Row 2: cloth that touches itself, its price and what passes. */

import { cloth, type ClothDef } from '@tautline/assemblies'
import { Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { countCrossings } from '../../lib/crossings.js'
import { figure, type Measured, type ReportRow } from '../report.js'
import { curtain } from './meshes.js'
import { fall } from './speed.js'

async function price(): Promise<Measured> {
  const scene = { n: 78, work: 10, on: 'sphere and floor' } as const
  const free = await fall(scene)
  const [own, plain] = [await fall({ ...scene, self: true }), await fall({ ...scene, self: true, engine: 'plain' })]
  if (typeof free === 'string' || typeof own === 'string' || typeof plain === 'string') {
    throw new Error('the bench gave no figures')
  }
  const share = own.median / plain.median
  const stretch = plain.stretch === null ? 'not finite' : `${figure(100 * plain.stretch)} %`
  return {
    figures: `${own.rows} rows: ${figure(own.median)} ms (p95 ${figure(own.p95)}), ${figure(free.median)} ms without self-collision; the plain loop, ${plain.rows} rows, ${figure(plain.median)} ms (p95 ${figure(plain.p95)}, mean stretch ${stretch}, ours ${figure(100 * (own.stretch ?? NaN))} %): ${figure(share)} of its time`,
    holds: own.median <= 15 && share <= 1 / 3,
  }
}

const N = 26

/** Most crossings at once in a drop that folds, and how many are left. */
function drop(selfCollision: ClothDef['selfCollision']): { most: number; left: number } {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const mesh = curtain(N, N, 0.5)
  const positions = mesh.positions.map((x, k) => (k % 3 === 1 ? x + 0.6 : x + (k % 3 === 2 ? 1e-4 * Math.sin(k) : 0)))
  const sheet = cloth(world, { ...mesh, positions, thickness: 0.006, selfCollision: selfCollision ?? false })
  const { edges, triangles } = sheet.asset
  const at = new Float64Array(positions.length)
  let [most, left] = [0, 0]
  for (let k = 0; k < 600; k++) {
    world.step()
    if (k % 10 !== 9) continue
    sheet.positions(at)
    left = countCrossings(at, edges.ends, triangles)
    most = Math.max(most, left)
  }
  return { most, left }
}

function crossings(): Measured {
  const [none, cheap, tight] = [drop(false), drop('vertices'), drop('surface')]
  const text = ({ most, left }: typeof none): string => `at most ${most} at once, ${left} at the end`
  return {
    figures: `tight: ${text(tight)}; cheap: ${text(cheap)}; none: ${text(none)}`,
    holds: tight.most === 0,
  }
}

export const self: readonly ReportRow[] = [
  {
    id: '2.1',
    claim: 'Cloth of 6000 particles that touches itself',
    asked: '≤ 15 ms a step, and ≤ ⅓ of a plain loop with a hash grid',
    scene:
      '78 × 78 vertices, 10 substeps, falls on a sphere and a floor, by vertices; a process each; the loop: distances, balls, a grid anew in each substep (`bench/assemblies/engines/plain.ts`)',
    measure: price,
  },
  {
    id: '2.2',
    claim: 'In a drop that folds no edge passes a triangle',
    asked: '0 by surface; by vertices counted',
    scene: `${N} × ${N} vertices, upright, dropped from 10 cm onto a floor, 10 s, counted by exact predicates every tenth step, defaults`,
    slow: true,
    measure: crossings,
  },
]
