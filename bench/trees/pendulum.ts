/**
 * Energy of the two-link pendulum over a minute beside Rapier and MuJoCo, as JSON.
 *
 *   pendulum.ts --engine NAME --rate N        one engine at N steps a second
 *
 * Engines: tautline (solved directly, one substep), tautline-8 (eight substeps), tautline-start (one substep, gradients at its
 * start), rapier-simd (its default 4 iterations), mujoco (its default integrator, semi-implicit Euler on joint coordinates).
 */

import { parseArgs } from 'node:util'
import type { WorldOptions } from '@tautline/core'
import { energyOfState, RELEASED, ROD, ROD_SIZE, twoLinks } from '../../examples/scenes/trees/pendulum.js'
import { solidBox } from '@tautline/core'

export interface PendulumResult {
  engine: string
  /** Mean energy of the last ten seconds less that of the start, as a share of it above hanging down. */
  drift: number | null
  /** Largest such difference at any instant. */
  most: number | null
}

/** A pendulum that swings. */
interface Pendulum {
  step(): void
  /** Above some constant [J]. */
  energy(): number
}

const SECONDS = 60
const LAST = 10

const ENGINES: Record<string, (h: number) => Pendulum | Promise<Pendulum>> = {
  tautline: (h) => tautline({ dt: h }),
  'tautline-8': (h) => tautline({ dt: h, substeps: 8 }),
  'tautline-start': (h) => tautline({ dt: h, jacobians: 'start' }),
  'rapier-simd': rapier,
  mujoco,
}

const { values } = parseArgs({
  options: { engine: { type: 'string', default: 'tautline' }, rate: { type: 'string', default: '60' } },
})
const make = ENGINES[values.engine] as (typeof ENGINES)[string] | undefined
if (make === undefined)
  throw new RangeError(`pendulum: engine must be one of ${Object.keys(ENGINES).join(', ')}, got ${values.engine}`)
const rate = Number(values.rate)
console.log(JSON.stringify(measure(values.engine, await make(1 / rate), rate)))

function measure(engine: string, pendulum: Pendulum, rate: number): PendulumResult {
  const start = pendulum.energy()
  const span = energyOfState(RELEASED)
  let [most, sum] = [0, 0]
  for (let step = 1; step <= SECONDS * rate; step++) {
    pendulum.step()
    const off = pendulum.energy() - start
    most = Math.max(most, Math.abs(off))
    if (step > (SECONDS - LAST) * rate) sum += off
  }
  return { engine, drift: orNull(sum / (LAST * rate) / span), most: orNull(most / span) }
}

/** JSON has no NaN. */
function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null
}

function tautline(options: WorldOptions): Pendulum {
  const { world } = twoLinks(RELEASED, options)
  return {
    step: () => {
      world.step()
    },
    energy: () => {
      const { kinetic, potential } = world.energy()
      return kinetic + potential
    },
  }
}

async function rapier(h: number): Promise<Pendulum> {
  const { default: rapier } = await import('@dimforge/rapier3d-simd-compat')
  await rapier.init()
  const { length, mass, gravity } = ROD
  const world = new rapier.World(new rapier.Vector3(0, -gravity, 0))
  world.numSolverIterations = 4
  world.timestep = h
  const inertia = solidBox(mass, ROD_SIZE)
  const moments = new rapier.Vector3(inertia[0], inertia[1], inertia[2])
  const hook = world.createRigidBody(rapier.RigidBodyDesc.fixed())
  const half = Math.SQRT1_2
  const hang = (x: number, y: number, turn: { z: number; w: number }): ReturnType<typeof world.createRigidBody> =>
    world.createRigidBody(
      rapier.RigidBodyDesc.dynamic()
        .setTranslation(x, y, 0)
        .setRotation({ x: 0, y: 0, ...turn })
        .setAdditionalMassProperties(mass, new rapier.Vector3(0, 0, 0), moments, { x: 0, y: 0, z: 0, w: 1 })
        .setCanSleep(false),
    )
  // As released: the first rod a quarter turn up, the second hanging from its end.
  const bodies = [hang(0.5 * length, 0, { z: half, w: half }), hang(length, -0.5 * length, { z: 0, w: 1 })]
  const along = (y: number): InstanceType<typeof rapier.Vector3> => new rapier.Vector3(0, y, 0)
  world.createImpulseJoint(rapier.JointData.spherical(along(0), along(0.5 * length)), hook, bodies[0], true)
  const elbow = rapier.JointData.spherical(along(-0.5 * length), along(0.5 * length))
  world.createImpulseJoint(elbow, bodies[0], bodies[1], true)
  return {
    step: () => {
      world.step()
    },
    energy: () =>
      bodies.reduce((sum, body) => {
        const [v, w] = [body.linvel(), body.angvel()]
        const { x, y, z, w: s } = body.rotation()
        // ω in the body's frame: v + 2 u × (u × v − s v) with u the vector part.
        const t = [y * w.z - z * w.y - s * w.x, z * w.x - x * w.z - s * w.y, x * w.y - y * w.x - s * w.z]
        const local = [
          w.x + 2 * (y * t[2] - z * t[1]),
          w.y + 2 * (z * t[0] - x * t[2]),
          w.z + 2 * (x * t[1] - y * t[0]),
        ]
        const spin = local.reduce((total, rate, k) => total + inertia[k] * rate * rate, 0)
        const speed = v.x * v.x + v.y * v.y + v.z * v.z
        return sum + 0.5 * mass * speed + 0.5 * spin + mass * gravity * body.translation().y
      }, 0),
  }
}

async function mujoco(h: number): Promise<Pendulum> {
  const { default: load } = await import('mujoco-js')
  const mujoco = await load()
  const { length, mass, gravity } = ROD
  const inertial = `<inertial pos="0 ${-0.5 * length} 0" mass="${mass}" diaginertia="${solidBox(mass, ROD_SIZE).join(' ')}"/>`
  const joint = '<joint type="hinge" axis="0 0 1"/>'
  const text = `<mujoco><option timestep="${h}" gravity="0 ${-gravity} 0"/><worldbody><body>${joint}${inertial}
    <body pos="0 ${-length} 0">${joint}${inertial}</body></body></worldbody></mujoco>`
  const files = mujoco.FS as { writeFile(path: string, text: string): void }
  files.writeFile('/pendulum.xml', text)
  const model = mujoco.MjModel.loadFromXML('/pendulum.xml')
  const data = new mujoco.MjData(model)
  const [q, v] = [data.qpos as Float64Array, data.qvel as Float64Array]
  q.set([RELEASED[0], RELEASED[1] - RELEASED[0]])
  return {
    step: () => {
      mujoco.mj_step(model, data)
    },
    energy: () => energyOfState([q[0], q[0] + q[1], v[0], v[0] + v[1]]),
  }
}
