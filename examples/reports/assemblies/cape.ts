/** Row 3: a cape on a figure that runs and turns. */

import { readFileSync } from 'node:fs'
import { makeCape } from '../../scenes/assemblies/cape.js'
import { figure, type Measured, type ReportRow } from '../report.js'

const SECONDS = 10
const DT = 1 / 60

/** Lines between the marks in the scene. */
function linesOfUser(): number {
  const text = readFileSync(new URL('../../scenes/assemblies/cape.ts', import.meta.url), 'utf8')
  const [, code] = text.split('// user code\n')
  return code.slice(0, code.indexOf('// end of user code')).trim().split('\n').length
}

/** Judged at defaults; what it is without tethers stands beside. */
function measure(): Measured {
  const judged = run({})
  return { ...judged, figures: `${judged.figures}; without tethers ${run({ tether: 'none' }).figures}` }
}

function run(options: Parameters<typeof makeCape>[0]): Measured {
  const { cape, trunk, limbs, sizes, step } = makeCape(options)
  const pinned = cape.pins.map(({ vertex }) => vertex)
  const local = pinned.map((v) => trunk.toBody(cape.vertices[v].position))
  let [lag, stretch, deepest] = [0, 0, 0]
  const thickness = cape.settings.thickness[0]
  for (let k = 0; k < SECONDS / DT; k++) {
    step(DT)
    pinned.forEach((v, n) => {
      const at = trunk.toWorld(local[n])
      const { position } = cape.vertices[v]
      for (let axis = 0; axis < 3; axis++) lag = Math.max(lag, Math.abs(position[axis] - at[axis]))
    })
    stretch = Math.max(stretch, besidePins(cape, pinned))
    ;[trunk, ...limbs].forEach((body, n) => {
      const [r, half] = n === 1 ? [sizes[1][0] + sizes[1][1], 0] : sizes[n]
      for (const vertex of cape.vertices) {
        if (pinned.some((v) => cape.vertices[v] === vertex)) continue
        const [x, y, z] = body.toBody(vertex.position)
        const up = Math.max(-half, Math.min(half, y))
        deepest = Math.max(deepest, r + thickness - Math.hypot(x, y - up, z))
      }
    })
  }
  const lines = linesOfUser()
  return {
    figures: `lag ${figure(lag)} m, stretch beside pins at most ${figure(100 * stretch)} %, deepest ${figure(1000 * deepest)} mm of ${1000 * thickness} mm, ${lines} lines`,
    holds: lag < 1e-9 && stretch < 0.01 && deepest <= thickness && lines <= 8,
  }
}

/** Most that an edge at a pin is longer than at rest. */
export function besidePins(cape: ReturnType<typeof makeCape>['cape'], pinned: readonly number[]): number {
  const { edges, threads, positions } = cape.asset
  const isPinned = new Set(pinned)
  let most = 0
  for (let e = 0; e < edges.count; e++) {
    const [u, v] = [edges.ends[2 * e], edges.ends[2 * e + 1]]
    if (isPinned.has(u) === isPinned.has(v) || threads?.kind[e] === 3) continue
    const [a, b] = [cape.vertices[u].position, cape.vertices[v].position]
    const rest = Math.hypot(...[0, 1, 2].map((k) => positions[3 * u + k] - positions[3 * v + k]))
    most = Math.max(most, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / rest - 1)
  }
  return most
}

export const cape: readonly ReportRow[] = [
  {
    id: '3',
    claim: 'A cape on a running and turning capsule figure',
    asked: 'lag 0 (< 1e-9 m), stretch beside pins < 1 %, nothing deeper than its thickness, ≤ 8 lines of user code',
    scene: `40 × 30 vertices, pins on a trunk that gets up to 20 m/s within a second and turns by 1 rad/s, arms and legs swing, ${SECONDS} s at 60 Hz, defaults, and without tethers beside them; depth of vertices in the figure, of their thickness`,
    measure,
  },
]
