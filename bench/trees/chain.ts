/**
 * The heavy chain beside Rapier, a process an engine: time of a step, and the worst joint gap at the end of any step.
 *
 *   chain.ts --engine tautline|rapier-simd --ratio R [--links N] [--steps N]      one measurement, JSON
 *
 * Run with `node --import tsx --conditions=@tautline/source`. Links of 0.5 m and 1 kg on ball joints, the last of R kg, let go
 * from the horizontal; dt 1/60 s, nothing sleeps, no shapes; 60 steps of warm-up, then the median of the rest.
 */

import { parseArgs } from 'node:util'
import { type Body, solidBox, World } from '@tautline/core'
import { ballSocket } from '@tautline/constraints'

export interface ChainResult {
  engine: string
  /** Of a step [µs]. */
  median: number
  /** Worst joint gap at the end of any step, warm-up included [m]; `null` when a pose is not finite. */
  gap: number | null
  /** Newton's solves a step, in the mean of the measured ones; `null` where there are none. */
  solves: number | null
}

/** An engine with the chain in it. */
interface Chain {
  step(): void
  /** Ends of link `k` [m]: where it hangs, then where the next one does. */
  ends(k: number): readonly [readonly number[], readonly number[]]
  /** Newton's solves of the last step. */
  solves?(): number
}

const DT = 1 / 60
const WARM_UP = 60
const LENGTH = 0.5
const SIZE = [LENGTH, 0.1, 0.1] as const
const HALF = 0.5 * LENGTH
/** Default number of Rapier's iterations. */
const ITERATIONS = 4

const ENGINES: Record<string, (links: number, ratio: number) => Chain | Promise<Chain>> = {
  tautline,
  'rapier-simd': rapier,
}

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'tautline' },
    ratio: { type: 'string', default: '1' },
    links: { type: 'string', default: '20' },
    steps: { type: 'string', default: '600' },
  },
})
const make = ENGINES[values.engine] as (typeof ENGINES)[string] | undefined
if (make === undefined)
  throw new RangeError(`chain: engine must be one of ${Object.keys(ENGINES).join(', ')}, got ${values.engine}`)
console.log(
  JSON.stringify(await measure(values.engine, Number(values.links), Number(values.ratio), Number(values.steps))),
)

async function measure(engine: string, links: number, ratio: number, steps: number): Promise<ChainResult> {
  const chain = await (make as (typeof ENGINES)[string])(links, ratio)
  const times: number[] = []
  let [gap, solves] = [0, 0]
  for (let step = 0; step < WARM_UP + steps; step++) {
    const before = performance.now()
    chain.step()
    const took = performance.now() - before
    gap = Math.max(gap, worstGap(chain, links))
    if (step < WARM_UP) continue
    times.push(took)
    solves += chain.solves?.() ?? NaN
  }
  times.sort((r, s) => r - s)
  return { engine, median: 1e3 * times[times.length >> 1], gap: orNull(gap), solves: orNull(solves / steps) }
}

/** JSON has no NaN. */
function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

function worstGap(chain: Chain, links: number): number {
  let worst = 0
  let hook: readonly number[] = [0, 0, 0]
  for (let k = 0; k < links; k++) {
    const [from, to] = chain.ends(k)
    worst = Math.max(worst, Math.hypot(from[0] - hook[0], from[1] - hook[1], from[2] - hook[2]))
    hook = to
  }
  return worst
}

function massOf(k: number, links: number, ratio: number): number {
  return k === links - 1 ? ratio : 1
}

function tautline(links: number, ratio: number): Chain {
  const world = new World({ dt: DT, substeps: 1 })
  const bodies: Body[] = []
  for (let k = 0; k < links; k++) {
    const mass = massOf(k, links, ratio)
    const b = world.addBody({ position: [(2 * k + 1) * HALF, 0, 0], mass, inertia: solidBox(mass, SIZE) })
    world.add(ballSocket, { a: bodies[k - 1] ?? null, b, point: [k * LENGTH, 0, 0] })
    bodies.push(b)
  }
  return {
    step: () => {
      world.step(DT)
    },
    ends: (k) => [bodies[k].toWorld([-HALF, 0, 0]), bodies[k].toWorld([HALF, 0, 0])] as [number[], number[]],
    solves: () => world.report.direct.solves,
  }
}

async function rapier(links: number, ratio: number): Promise<Chain> {
  const { default: rapier } = await import('@dimforge/rapier3d-simd-compat')
  await rapier.init()
  const world = new rapier.World(new rapier.Vector3(0, -9.81, 0))
  world.numSolverIterations = ITERATIONS
  world.timestep = DT
  const at = (x: number): InstanceType<typeof rapier.Vector3> => new rapier.Vector3(x, 0, 0)
  const hook = world.createRigidBody(rapier.RigidBodyDesc.fixed())
  const bodies = Array.from({ length: links }, (_, k) => {
    const mass = massOf(k, links, ratio)
    const [x, y, z] = solidBox(mass, SIZE)
    return world.createRigidBody(
      rapier.RigidBodyDesc.dynamic()
        .setTranslation((2 * k + 1) * HALF, 0, 0)
        .setAdditionalMassProperties(mass, at(0), new rapier.Vector3(x, y, z), { x: 0, y: 0, z: 0, w: 1 })
        .setCanSleep(false),
    )
  })
  bodies.forEach((body, k) => {
    const above = k === 0 ? hook : bodies[k - 1]
    world.createImpulseJoint(rapier.JointData.spherical(at(k === 0 ? 0 : HALF), at(-HALF)), above, body, true)
  })
  const end = (k: number, x: number): number[] => {
    const p = bodies[k].translation()
    const q = bodies[k].rotation()
    return [
      p.x + x * (1 - 2 * (q.y * q.y + q.z * q.z)),
      p.y + 2 * x * (q.x * q.y + q.w * q.z),
      p.z + 2 * x * (q.x * q.z - q.w * q.y),
    ]
  }
  return {
    step: () => {
      world.step()
    },
    ends: (k) => [end(k, -HALF), end(k, HALF)],
  }
}
