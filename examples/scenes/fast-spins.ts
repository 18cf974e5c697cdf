/** Random joint systems that spin by up to twenty radians a substep: what report passive and the tests look for gains with. */

import { type Body, World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { ballSocket, fixed, hinge } from '@tautline/constraints'

type Vector = [number, number, number]

export interface FastSpinScene {
  readonly world: World
  /** Steps a second. */
  readonly rate: number
  /** Kinetic energy at the start and m g L [J]: what gains are measured by. */
  readonly scale: number
  readonly name: string
}

const GRAVITY = 9.81
const KINDS = ['ball', 'hinge', 'centred', 'fixed'] as const
const RATES = [30, 60, 144]
const SUBSTEPS = [1, 2, 4, 8]

/** One to five bodies of 0.05 to 1 m in a chain; all start as one rigid body would, spinning about its pivot or its centre. */
export function fastSpinScene(random: () => number, solver: 'auto' | 'sweep' | 'direct'): FastSpinScene {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]
  const spread = (): number => 2 * random() - 1
  const rate = pick(RATES)
  const substeps = pick(SUBSTEPS)
  const count = random() < 0.5 ? 1 : 2 + Math.floor(4 * random())
  const kind = pick(KINDS)
  const isHeld = count === 1 || random() < 0.7
  const perSubstep = 0.1 * 200 ** random()
  const axis = unit([spread(), spread(), spread()])
  const w = scaled(axis, perSubstep * rate * substeps)
  const world = new World({ gravity: [0, -GRAVITY, 0], substeps, solver, energyGuard: false })
  const bodies: Body[] = []
  let at: Vector = [0, 0, 0]
  let length = 0
  for (let k = 0; k < count; k++) {
    const size: Vector = [0.05 * 20 ** random(), 0.05 * 20 ** random(), 0.05 * 20 ** random()]
    const mass = 10 ** spread()
    const arm: Vector =
      kind === 'centred' ? [0, 0, 0] : [0.5 * size[0] * spread(), 0.5 * size[1] * spread(), 0.5 * size[2] * spread()]
    const position: Vector = [at[0] + arm[0], at[1] + arm[1], at[2] + arm[2]]
    const square = size.map((s) => s * s)
    const body = world.addBody({
      position,
      orientation: turned(axis, kind === 'hinge' || kind === 'centred' ? 0 : 3 * random()),
      velocity: cross(w, position),
      angularVelocity: w,
      mass,
      inertia: [
        (mass * (square[1] + square[2])) / 12,
        (mass * (square[0] + square[2])) / 12,
        (mass * (square[0] + square[1])) / 12,
      ],
    })
    const a = k === 0 ? null : bodies[k - 1]
    if (k > 0 || isHeld) {
      if (kind === 'ball' || (k > 0 && kind === 'centred')) world.add(ballSocket, { a, b: body, point: at })
      else if (kind === 'fixed' && k > 0) world.add(fixed, { a, b: body, point: at })
      else if (kind === 'fixed') world.add(ballSocket, { a, b: body, point: at })
      else world.add(hinge, { a, b: body, point: at, axis })
    }
    bodies.push(body)
    length += Math.hypot(...arm)
    at = [at[0] + 2 * arm[0], at[1] + 2 * arm[1], at[2] + 2 * arm[2]]
  }
  const mass = bodies.reduce((sum, body) => sum + body.mass, 0)
  const name = `${count} ${kind} ${isHeld ? 'held' : 'free'} ${rate} Hz ${substeps} substeps ${perSubstep.toFixed(2)} rad`
  return { world, rate, name, scale: mass * GRAVITY * length + world.energy().kinetic }
}

/** Largest rise of a scene's energy above its start, as a share of m g L and its kinetic energy. */
export function worstGain({ world, rate, scale }: FastSpinScene, seconds: number): number {
  const start = world.energy().total
  let worst = 0
  for (let step = 0; step < seconds * rate; step++) {
    world.step(1 / rate)
    worst = Math.max(worst, (world.energy().total - start) / scale)
  }
  return worst
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function scaled(v: Vector, s: number): Vector {
  return [s * v[0], s * v[1], s * v[2]]
}

function unit(v: Vector): Vector {
  return scaled(v, 1 / Math.hypot(...v))
}

function turned(axis: Vector, angle: number): [number, number, number, number] {
  const [x, y, z] = scaled(axis, sin(angle / 2))
  return [x, y, z, cos(angle / 2)]
}
