/** What every type over many bodies must keep: gradient, loop, momentum, finiteness, resolve. */

import type { Body, Constraint, ConstraintType, World } from '@tautline/core'
import { wrapAngle } from '@tautline/core/kernel'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { SEED } from '../../../core/test/support/seed.js'
import { dihedralBend } from '../../src/dihedral-bend.js'
import { isometricBend } from '../../src/isometric-bend.js'
import { lineBend } from '../../src/line-bend.js'
import { tether } from '../../src/tether.js'
import { ropeLength } from '../../src/rope-length.js'
import { tetraVolume } from '../../src/tetra-volume.js'
import {
  begin,
  check,
  farthest,
  finiteMass,
  gradientByDifferences,
  mass,
  momentumOfChange,
  particles,
  point,
  poses,
  rowsOf,
  sweeps,
  type Vector,
} from './support.js'

/** Step of the central differences [m]: ε^(1/3), where truncation meets round-off. */
const STEP = 6e-6
/** Their error: STEP² times a third derivative, which a height of SOUND metres lets grow to 1/SOUND². */
const GRADIENT = 1e-6
/** Two orders of the same sums, over a few sweeps that may amplify them a hundredfold: 1e4 ε. */
const SAME = 1e-12
/** Momentum of a correction against the size of its parts: some 100 sums and products, and 1/SOUND lost in u. */
const MOMENTUM = 1e-12
/** Least sine at a corner, and least edge [m], of shapes for which the two above hold. */
const SOUND = 0.1

type Make = (world: World, bodies: Body[], soft: Soft) => Constraint
interface Soft {
  compliance: number
  damping: number
  relaxation: number
  regularization: number
}

interface Case {
  name: string
  bodies: [number, number]
  /** The constraint with its rest state off the present one, so that it acts. */
  make: Make
  sound(points: readonly Vector[]): boolean
  difference?(up: number, down: number): number
}

const edgesSound = (points: readonly Vector[]): boolean =>
  points.every((p, k) => k === 0 || norm(minus(p, points[k - 1])) > SOUND)
const anglesSound = ([a, b, c, d]: readonly Vector[]): boolean => [c, d].every((wing) => triangleSound(a, b, wing))

const CASES: Case[] = [
  {
    name: 'ropeLength',
    bodies: [2, 7],
    make: (world, bodies, soft) => add(world, ropeLength, { bodies, length: 0.5, mode: 'rigid', ...soft }),
    sound: edgesSound,
  },
  {
    name: 'tetraVolume',
    bodies: [4, 4],
    make: (world, bodies, soft) => add(world, tetraVolume, { bodies, volume: 0.3, ...soft }),
    sound: ([a, b, c, d]) => Math.abs(dot(minus(b, a), cross(minus(c, a), minus(d, a)))) > SOUND,
  },
  {
    name: 'dihedralBend',
    bodies: [4, 4],
    make: (world, bodies, soft) => add(world, dihedralBend, { bodies, angle: 0.4, ...soft }),
    sound: anglesSound,
    difference: (up, down) => wrapAngle(up - down),
  },
  {
    name: 'isometricBend',
    bodies: [4, 4],
    make: (world, bodies, soft) => add(world, isometricBend, { bodies, rest: 0, ...soft }),
    sound: anglesSound,
  },
  {
    name: 'lineBend',
    bodies: [3, 3],
    make: (world, bodies, soft) => add(world, lineBend, { bodies, rest: 0, ...soft }),
    sound: edgesSound,
  },
  {
    name: 'tether',
    bodies: [2, 2],
    make: (world, [a, b], soft) => add(world, tether, { a, b, length: 0.05, ...soft }),
    sound: edgesSound,
  },
]

describe.each(CASES)(`$name (seed ${SEED})`, ({ make, bodies: [least, most], sound, difference }) => {
  const scene = (masses: fc.Arbitrary<number>): fc.Arbitrary<{ points: Vector[]; masses: number[] }> =>
    fc
      .array(fc.tuple(point, masses), { minLength: least, maxLength: most })
      .map((list) => ({ points: list.map(([p]) => p), masses: list.map(([, m]) => m) }))
      .filter(({ points, masses: list }) => sound(points) && list.some((m) => m < Infinity))
  const stiff: Soft = { compliance: 0, damping: 0, relaxation: 1, regularization: 0 }

  test('the gradient is that of c', () => {
    check(SEED, scene(finiteMass), ({ points, masses }) => {
      const { world, bodies } = particles(points, masses)
      const constraint = make(world, bodies, stiff)
      const { J } = rowsOf(constraint)
      const numeric = gradientByDifferences(constraint, bodies, STEP, difference)
      const scale = Math.max(1, ...J.flat().map(Math.abs))
      expect(J.length).toBeGreaterThan(0)
      J.forEach((row, k) => {
        expect(farthest(row, numeric[k])).toBeLessThan(GRADIENT * scale * scale)
      })
    })
  })

  test('the loop does what the reference does', () => {
    const soft = fc.record({
      compliance: fc.constantFrom(0, 1e-6, 1e-3),
      damping: fc.constantFrom(0, 30),
      relaxation: fc.constantFrom(1, 0.7),
      regularization: fc.constantFrom(0, 0.1),
    })
    check(SEED, fc.tuple(scene(mass), soft), ([{ points, masses }, softness]) => {
      const results = [true, false].map((own) => {
        const { world, bodies } = particles(points, masses)
        const constraint = make(world, bodies, softness)
        begin(world)
        // It has moved in the substep, so damping acts; λ is what an earlier sweep may have left.
        bodies.forEach((body, k) => {
          if (body.mass < Infinity) world.bodies.columns.position[4 * body.index + (k % 3)] += 0.01
        })
        sweeps(world, 3, own)
        return { pose: poses(world), lambda: constraint.multipliers }
      })
      const [own, reference] = results
      const size = Math.max(1, ...reference.pose.map(Math.abs))
      // A wild first step, from a thin tetrahedron, is as wild in both, and so is its rounding.
      expect(farthest(own.pose, reference.pose)).toBeLessThan(SAME * size * size * size)
      const most = Math.max(1, ...reference.lambda.map(Math.abs))
      expect(farthest(own.lambda, reference.lambda)).toBeLessThan(SAME * most * size * size)
    })
  })

  test('a correction keeps linear and angular momentum', () => {
    check(SEED, scene(finiteMass), ({ points, masses }) => {
      const { world, bodies } = particles(points, masses)
      make(world, bodies, stiff)
      begin(world)
      const before = poses(world)
      const { linear, angular } = momentumOfChange(world, () => sweeps(world, 1, true))
      const moved = farthest(before, poses(world))
      // A shape that is at rest by chance proves nothing.
      fc.pre(moved > 0)
      const size = 10 * 4 * Math.max(1, moved)
      expect(linear).toBeLessThan(MOMENTUM * size)
      expect(angular).toBeLessThan((MOMENTUM * size) / SOUND)
    })
  })

  test('degenerate shapes stay finite', () => {
    const lattice: fc.Arbitrary<Vector> = fc.tuple(
      fc.constantFrom(0, 1, 1 + 1e-12),
      fc.constantFrom(0, 1e-9, 1),
      fc.constantFrom(0, 0, 1),
    )
    const list = fc.array(fc.tuple(lattice, mass), { minLength: least, maxLength: most })
    check(SEED, list, (entries) => {
      // Rest data from a sound shape; then anything.
      const { world, bodies } = particles(
        entries.map((_, k): Vector => [[0, 1, 0.3, 0.4, 2, 3, 4][k], [0, 0, 1, -1, 0, 1, 0][k], k === 3 ? 0.5 : 0]),
        entries.map(([, m]) => m),
      )
      make(world, bodies, stiff)
      bodies.forEach((body, k) => body.setPosition(entries[k][0]))
      begin(world)
      sweeps(world, 5, true)
      expect(poses(world).every(Number.isFinite)).toBe(true)
      expect(world.batches[0].common.lambda.every(Number.isFinite)).toBe(true)
    })
  })

  test('a resolved definition resolves to itself at any pose, and nothing moves', () => {
    check(SEED, scene(mass), ({ points, masses }) => {
      const { world, bodies } = particles(points, masses)
      const before = poses(world)
      const constraint = make(world, bodies, stiff)
      const { def, batch } = constraint
      expect(poses(world)).toEqual(before)
      bodies.forEach((body, k) => body.setPosition([k, k * k, 1 - k]))
      const again = (world.add(batch.type as unknown as ConstraintType<object>, def) as Constraint).def
      expect(again).toEqual(def)
    })
  })
})

function add<Def extends object>(world: World, type: ConstraintType<Def>, def: Def): Constraint {
  return world.add(type, def) as unknown as Constraint
}

function minus(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function norm(v: Vector): number {
  return Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
}

/** Sound edge, and a height above it that is. */
function triangleSound(a: Vector, b: Vector, wing: Vector): boolean {
  const edge = minus(b, a)
  return norm(edge) > SOUND && norm(cross(edge, minus(wing, a))) > SOUND * Math.max(1, norm(edge))
}
