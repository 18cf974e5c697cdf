import type { quat, vec3 } from 'gl-matrix'
import { describe, expect, test } from 'vitest'
import { principalAxes, World } from '../src/index.js'
import { type Gyroscopic, quaternionFromRotationVector, rotateInertia, rotateVector } from '../src/kernel.js'
import { worldInertia } from '../src/state/inertia.js'
import { Random, run } from './support/random.js'

/** n substeps add n roundings to numbers of size 10. */
const SUM = 1e-12
/** Energy of the midpoint rule over 20 s of tumbling at 60 Hz: what method.md claims. */
const ENERGY = 5e-4
/** Its angular momentum: only the fixed point's rest is lost, once a step. */
const MOMENTUM = 1e-6
/** A body given by a full tensor against the same by principal moments: the axes come from an eigensolver. */
const SAME_BODY = 1e-10

const INERTIA = [0.1, 0.5, 0.6] as const

function spinning(gyroscopic: Gyroscopic): World {
  const world = new World({ gravity: [0, 0, 0], substeps: 1, gyroscopic })
  world.addBody({ inertia: INERTIA, angularVelocity: [0.03, 5, 0.03] })
  return world
}

/** 20 s at 60 Hz; how often the middle axis turned over, and the energy over that at the start. */
function tumble(world: World): { flips: number; gain: number; lowest: number } {
  const [body] = world.bodies.all()
  const start = world.energy().kinetic
  let flips = 0
  let lowest = Infinity
  let up = true
  const axis = new Float64Array(3)
  const q = new Float64Array(4)
  for (let k = 0; k < 1200; k++) {
    world.step(1 / 60)
    q.set(body.orientation)
    // ω along the body's middle axis changes sign at a flip; L stays along y.
    rotateVector(q, 0, 0, 1, 0, axis, 0)
    if (axis[1] > 0 !== up) {
      up = !up
      flips++
    }
    lowest = Math.min(lowest, world.energy().kinetic / start)
  }
  return { flips, gain: world.energy().kinetic / start, lowest }
}

describe('translation', () => {
  test.each([1, 2, 8])('a parabola is that of semi-implicit Euler, %i substeps', (substeps) => {
    const dt = 1 / 64
    const world = new World({ gravity: [0.5, -9.75, 0.25], substeps, dt })
    const body = world.addBody({ position: [1, 2, 3], velocity: [3, 4, -5] })
    const n = 128 * substeps
    const h = dt / substeps
    run(world, 128)
    const g = [0.5, -9.75, 0.25]
    for (let k = 0; k < 3; k++) {
      const v = [3, 4, -5][k]
      // x_n = x_0 + n h v + g h² n (n + 1)/2
      expect(Math.abs(body.position[k] - ([1, 2, 3][k] + n * h * v + (g[k] * h * h * n * (n + 1)) / 2))).toBeLessThan(
        SUM,
      )
      expect(Math.abs(body.velocity[k] - (v + n * h * g[k]))).toBeLessThan(SUM)
    }
    expect(world.time).toBe(2)
  })

  test('a free body keeps its momentum to the last bit, 100 km from the origin too', () => {
    const random = new Random(3)
    const world = new World({ gravity: [0, 0, 0] })
    const bodies = [0, 1, 2, 3].map((k) =>
      world.addBody({
        position: random.vector(k < 2 ? 1 : 1e5),
        velocity: random.vector(3),
        mass: random.between(1, 9),
      }),
    )
    const before = bodies.map((body) => body.velocity)
    run(world, 300)
    bodies.forEach((body, k) => {
      expect(body.velocity).toEqual(before[k])
    })
  })

  test('gravity far away is the gravity here, to the last bit', () => {
    const world = new World({ substeps: 8 })
    const near = world.addBody({})
    const far = world.addBody({ position: [1e5, 1e5, -1e5] })
    run(world, 100)
    expect(far.velocity).toEqual(near.velocity)
  })
})

describe('tumbling about the middle axis, 20 s at 60 Hz with one substep', () => {
  test('midpoint: energy and six flips', () => {
    const world = spinning('midpoint')
    const before = world.momentum().angular
    const { flips, gain } = tumble(world)
    expect(flips).toBe(6)
    expect(Math.abs(gain - 1)).toBeLessThan(ENERGY)
    const after = world.momentum().angular
    for (let k = 0; k < 3; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(MOMENTUM * Math.hypot(...before))
  })

  test('explicit gains energy', () => {
    expect(tumble(spinning('explicit')).gain).toBeGreaterThan(1.5)
  })

  test('implicit loses energy', () => {
    expect(tumble(spinning('implicit')).gain).toBeLessThan(0.7)
  })

  test('none keeps the angular velocity', () => {
    const world = spinning('none')
    run(world, 1200)
    const [body] = world.bodies.all()
    ;[0.03, 5, 0.03].forEach((w, k) => {
      expect(Math.abs(body.angularVelocity[k] - w)).toBeLessThan(SUM)
    })
  })

  test('one with equal moments turns evenly in every mode', () => {
    for (const gyroscopic of ['midpoint', 'implicit', 'explicit', 'none'] as const) {
      const world = new World({ gravity: [0, 0, 0], substeps: 2, gyroscopic })
      const body = world.addBody({ inertia: 0.3, angularVelocity: [1, 2, 3] })
      run(world, 60)
      ;[1, 2, 3].forEach((w, k) => {
        expect(Math.abs(body.angularVelocity[k] - w)).toBeLessThan(SUM)
      })
    }
  })
})

describe('a full inertia tensor', () => {
  test.each(['midpoint', 'implicit', 'explicit'] as const)('tumbles as its principal moments do: %s', (gyroscopic) => {
    const turned: vec3 = [0.3, -0.8, 0.5]
    const r = new Float64Array(4)
    quaternionFromRotationVector(r, 0, ...(turned as [number, number, number]))
    const frame: quat = [r[0], r[1], r[2], r[3]]
    const world = new World({ gravity: [0, 0, 0], substeps: 2, gyroscopic })
    const tensor = rotateInertia([0.4, 0, 0, 0, 0.5, 0, 0, 0, 0.7], frame)
    const byTensor = world.addBody({ inertia: principalAxes(tensor), angularVelocity: [1, 2, -0.5] })
    const byMoments = world.addBody({ inertia: [0.4, 0.5, 0.7], orientation: frame, angularVelocity: [1, 2, -0.5] })
    for (let k = 0; k < 60; k++) {
      for (const body of [byTensor, byMoments]) body.applyTorque([0.1, 0.2, -0.3])
      world.step()
    }
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(byTensor.angularVelocity[k] - byMoments.angularVelocity[k])).toBeLessThan(SAME_BODY)
    }
    const of = (body: { index: number }): Float64Array => {
      const out = new Float64Array(9)
      worldInertia(world.bodies.columns, body.index, out)
      return out
    }
    const [I, J] = [of(byTensor), of(byMoments)]
    for (let k = 0; k < 9; k++) expect(Math.abs(I[k] - J[k])).toBeLessThan(SAME_BODY)
  })
})

describe('effective inertia (36, 65)', () => {
  /** One step at rest orientation with ω set so that the predicted pose is what is measured. */
  function inverse(moments: vec3, w: vec3, effectiveInertia: boolean): { M: Float64Array; world: World } {
    const world = new World({ gravity: [0, 0, 0], substeps: 1, dt: 0.01, gyroscopic: 'none', effectiveInertia })
    const body = world.addBody({ inertia: moments, angularVelocity: w, orientation: [0.2, 0.4, 0.4, 0.8] })
    world.step()
    return { M: world.bodies.columns.inverseInertia.slice(9 * body.index, 9 * body.index + 9), world }
  }

  test('is the inverse of I − h [Iω]ₓ + h I [ω]ₓ at the predicted pose', () => {
    const { M, world } = inverse([0.2, 0.5, 0.6], [3, -4, 5], true)
    const c = world.bodies.columns
    const I = new Float64Array(9)
    worldInertia(c, 1, I)
    // Without a gyroscopic term the velocity of the prediction is that of the end.
    const w = c.angularVelocity.subarray(3, 6)
    const h = 0.01
    const L = [0, 1, 2].map((r) => I[3 * r] * w[0] + I[3 * r + 1] * w[1] + I[3 * r + 2] * w[2])
    const cross = (v: ArrayLike<number>): number[] => [0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0]
    const W = cross(w)
    const Lx = cross(L)
    const at = (r: number, k: number): number =>
      I[3 * r + k] - h * Lx[3 * r + k] + h * [0, 1, 2].reduce((sum, j) => sum + I[3 * r + j] * W[3 * j + k], 0)
    for (let r = 0; r < 3; r++) {
      for (let k = 0; k < 3; k++) {
        const product = [0, 1, 2].reduce((sum, j) => sum + at(r, j) * M[3 * j + k], 0)
        expect(Math.abs(product - (r === k ? 1 : 0))).toBeLessThan(SUM)
      }
    }
    expect(Math.abs(M[1] - M[3])).toBeGreaterThan(1e-3)
  })

  test('is I⁻¹ where the body does not turn, and where it has lost definiteness', () => {
    const [still, plain] = [true, false].map((effective) => inverse([0.2, 0.5, 0.6], [0, 0, 0], effective).M)
    for (let k = 0; k < 9; k++) expect(Math.abs(still[k] - plain[k])).toBeLessThan(SUM)
    const fast = inverse([0.01, 1, 1], [0, 0, 300], true).M
    expect(fast).toEqual(inverse([0.01, 1, 1], [0, 0, 300], false).M)
    const slow = inverse([0.01, 1, 1], [0, 0, 3], true).M
    expect(slow).not.toEqual(inverse([0.01, 1, 1], [0, 0, 3], false).M)
  })
})
