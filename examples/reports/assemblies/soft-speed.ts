/** Row 1, soft bodies: time of a step and its errors, beside Rapier and Jolt. */

import { figure, type Measured, type ReportRow } from '../report.js'
import { benched, inTurns, type NOT_INSTALLED } from './bench.js'

interface BodyResult {
  engine: string
  tetrahedra: number
  rows: number
  median: number
  p95: number
  volume: number | null
  leastVolume: number | null
  depth: number | null
  deepest: number | null
  sag: number | null
  gain: number | null
  restSpeed: number | null
}

type Mesh = 'cube' | 'bunny'

const ENGINES = ['tautline', 'tautline-springs', 'jolt', 'rapier', 'rapier-fem'] as const
const SUBSTEPS = 5
/** Of the reference: twice as many change the cube's sag by 2 %. */
const FINE = 60

/** What `bench/assemblies/soft.ts` measures in a process of its own. */
function drop(engine: string, mesh: Mesh, work: number): Promise<BodyResult | typeof NOT_INSTALLED> {
  return benched('soft.ts', ['--engine', engine, '--mesh', mesh, '--work', String(work)])
}

const scaled = (value: number | null, unit: number): string => (value === null ? 'not finite' : figure(unit * value))

function text(own: BodyResult, it: BodyResult): string {
  const ratio = it === own ? '' : `, ours ${figure(own.median / it.median)} of its time`
  return `${it.engine} ${figure(it.median)} ms (p95 ${figure(it.p95)}${ratio}), ${errors(it)}, in the impact ${scaled(it.leastVolume, 100)} % of the volume and ${scaled(it.deepest, 1000)} mm deep, gain ${scaled(it.gain, 100)} %`
}

function errors({ volume, sag, depth, restSpeed }: BodyResult): string {
  return `at the end ${scaled(volume, 100)} % of the volume, ${scaled(sag, 1000)} mm of sag, ${scaled(depth, 1000)} mm deep, ${scaled(restSpeed, 1000)} mm/s`
}

const isFinite = (it: BodyResult): boolean =>
  [it.volume, it.leastVolume, it.depth, it.deepest, it.sag, it.gain, it.restSpeed].every((value) => value !== null)

async function beside(mesh: Mesh): Promise<Measured> {
  const results = await inTurns(ENGINES.map((engine) => () => drop(engine, mesh, SUBSTEPS)))
  const own = results[0] as BodyResult
  const fine = (await drop('tautline', mesh, FINE)) as BodyResult
  const texts = results.map((it, k) => (it === undefined ? `${ENGINES[k]} is not installed` : text(own, it)))
  const reference = `ours at ${FINE} substeps, for reference: ${errors(fine)}`
  return { figures: `${own.tetrahedra} tetrahedra: ${[...texts, reference].join('; ')}`, holds: isFinite(own) }
}

const DROPS = `longest side 0.5 m, E 0.1 MPa, ν 0.4, 1000 kg/m³, drops by 1 m on a floor, 4 s at 60 Hz, ${SUBSTEPS} substeps and ${SUBSTEPS} iterations, damping by each engine's defaults, linear damping 0, nothing sleeps, medians of three turns, a process each; Rapier: neo-Hookean, by constraints and by FEM, with its 3 iterations more a substep and up to 4 substeps more in an impact; Jolt and tautline-springs: edges and volumes of the same compliances; depth of the lowest node, of its radius of 10 mm; sag of the centre of mass; gain of kinetic and gravitational energy, of what the drop gives`

export const softSpeed: readonly ReportRow[] = [
  {
    id: '1.4',
    claim: 'Soft body of about 1000 tetrahedra: time a step beside Rapier and Jolt',
    asked: 'no number was asked: told',
    scene: `a cube; ${DROPS}`,
    measure: () => beside('cube'),
  },
  {
    id: '1.5',
    claim: 'The same of a bunny, which is not regular',
    asked: 'no number was asked: told',
    scene: `the Stanford bunny; ${DROPS}`,
    slow: true,
    measure: () => beside('bunny'),
  },
]
