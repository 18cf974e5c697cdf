/** Small scenes with known answers: the paper's figures and the closed forms that reports and tests compare with. */

import { type Body, type Constraint, solidBox, World, type WorldOptions } from '@tautline/core'
import {
  angularDrive,
  type AngularDriveDef,
  pointContact,
  distance,
  fixed,
  hinge,
  ropeLength,
  spring,
  tetraVolume,
} from '@tautline/constraints'

const WEIGHTLESS: WorldOptions = { gravity: [0, 0, 0] }

/** Waterson figure 6: ends fixed, the middle node so far down that the rope is a tenth too long. */
export interface ThreeNodes {
  world: World
  middle: Body
  /** Length of the rope [m]. */
  length: number
  /** By how much each half of it is too long [m]. */
  error: number
}

/**
 * `rows` says which rows hold the length; `span` is the distance of the ends as a share of the rope's length. The middle is `placed` where the
 * rope is stretched, or `thrown` so that a step of 1/60 s predicts it there: what is violated before a step is repaired before any sweep.
 */
export function threeNodes(
  rows: 'pairwise' | 'total',
  iterations: number,
  span = 0.25,
  start: 'placed' | 'thrown' = 'placed',
): ThreeNodes {
  const world = new World({ ...WEIGHTLESS, substeps: 1, iterations })
  const length = 2
  const half = 0.5 * span * length
  const below = (stretch: number): number => {
    const reach = 0.5 * length * (1 + stretch)
    return Math.sqrt(reach * reach - half * half)
  }
  const ends = [-half, half].map((x) => world.addParticle({ position: [x, 0, 0], mass: Infinity }))
  const stretched = -below(0.1)
  const middle =
    start === 'placed'
      ? world.addParticle({ position: [0, stretched, 0] })
      : world.addParticle({ position: [0, -below(0), 0], velocity: [0, 60 * (stretched + below(0)), 0] })
  if (rows === 'total') world.add(ropeLength, { bodies: [ends[0], middle, ends[1]], length })
  else for (const end of ends) world.add(distance, { a: end, b: middle, length: length / 2 })
  const error = Math.hypot(half, stretched) - length / 2
  return { world, middle, length, error }
}

/** Length of a chain of bodies [m]. */
export function chainLength(bodies: readonly Body[]): number {
  let length = 0
  for (let i = 1; i < bodies.length; i++) length += separation(bodies[i - 1], bodies[i])
  return length
}

/** Distance of two centres of mass [m]. */
export function separation(a: Body, b: Body): number {
  const [p, q] = [a.position, b.position]
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

/** Waterson figure 7: a square cloth of particles hanging from two corners. */
export interface GridCloth {
  world: World
  nodes: Body[]
  links: Constraint[]
}

/** `total` adds a row for the length of every warp and weft line. */
export function gridCloth(
  side: number,
  total: boolean,
  options: WorldOptions = { gravity: [0, -100, 0], substeps: 1, iterations: 8 },
): GridCloth {
  const world = new World(options)
  const spacing = 1 / (side - 1)
  const nodes: Body[] = []
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const pinned = row === 0 && (column === 0 || column === side - 1)
      nodes.push(
        world.addParticle({
          position: [column * spacing, 0, row * spacing],
          mass: pinned ? Infinity : 1 / (side * side),
        }),
      )
    }
  }
  const at = (row: number, column: number): Body => nodes[side * row + column]
  const links: Constraint[] = []
  for (let i = 0; i < side; i++) {
    for (let j = 0; j + 1 < side; j++) {
      links.push(world.add(distance, { a: at(i, j), b: at(i, j + 1) }) as Constraint)
      links.push(world.add(distance, { a: at(j, i), b: at(j + 1, i) }) as Constraint)
    }
  }
  if (total) {
    for (let i = 0; i < side; i++) {
      world.add(ropeLength, { bodies: nodes.slice(side * i, side * (i + 1)) })
      world.add(ropeLength, { bodies: nodes.filter((_, k) => k % side === i) })
    }
  }
  return { world, nodes, links }
}

/** Macklin 2016: particles of 1 kg on compliant links hanging straight down from a fixed one. */
export interface HangingChain {
  world: World
  top: Constraint
}

export function hangingChain(count: number, compliance: number, iterations: number): HangingChain {
  const world = new World({ substeps: 1, iterations })
  let above = world.addParticle({ mass: Infinity })
  let top: Constraint | undefined
  for (let i = 1; i <= count; i++) {
    const below = world.addParticle({ position: [0, -i, 0] })
    const link = world.add(distance, { a: above, b: below, compliance }) as Constraint
    top ??= link
    above = below
  }
  return { world, top: top as Constraint }
}

/** Force in the top link at every step of a hanging chain of unit masses, each step solved exactly. */
export function exactChainForces(count: number, compliance: number, dt: number, steps: number, g = 9.81): number[] {
  const a = compliance / (dt * dt)
  let depth = Array.from({ length: count + 1 }, (_, i) => i)
  let speed = depth.map(() => 0)
  const forces: number[] = []
  for (let step = 0; step < steps; step++) {
    const free = depth.map((d, i) => (i === 0 ? 0 : d + dt * (speed[i] + dt * g)))
    // Tridiagonal J M⁻¹ Jᵀ + a: 2 on the diagonal (1 at the top), −1 beside it.
    const diagonal = free.slice(1).map((_, k) => (k === 0 ? 1 : 2) + a)
    const lambda = free.slice(1).map((d, k) => -(d - free[k] - 1))
    for (let k = 1; k < count; k++) {
      diagonal[k] -= 1 / diagonal[k - 1]
      lambda[k] += lambda[k - 1] / diagonal[k - 1]
    }
    for (let k = count - 1; k >= 0; k--) {
      lambda[k] = (lambda[k] + (k + 1 < count ? lambda[k + 1] : 0)) / diagonal[k]
    }
    const next = free.map((d, i) => (i === 0 ? 0 : d + lambda[i - 1] - (i < count ? lambda[i] : 0)))
    speed = next.map((d, i) => (d - depth[i]) / dt)
    depth = next
    forces.push(-lambda[0] / (dt * dt))
  }
  return forces
}

/** A beam of boxes clamped at one end, joined by soft fixed joints. */
export interface Beam {
  boxes: number
  /** Length [m] and mass [kg] of a box. */
  size: number
  mass: number
  /** Of a joint [rad/(N m)]. */
  angularCompliance: number
}

/** Joints much softer than what a substep of 3 ms resolves, and joints of about that stiffness. */
export const SOFT_BEAM: Beam = { boxes: 5, size: 0.5, mass: 1, angularCompliance: 0.01 }
export const STIFF_BEAM: Beam = { boxes: 8, size: 0.1, mass: 0.1, angularCompliance: 0.02 }

/** How far a beam's tip sags when it has come to rest [m]. */
export function cantileverSag(beam: Beam, substeps: number, iterations: number, seconds = 20): number {
  const { boxes, size, mass, angularCompliance } = beam
  const world = new World({ substeps, iterations })
  let last = world.addBody({ type: 'static' })
  for (let i = 1; i <= boxes; i++) {
    const inertia = solidBox(mass, [size, size / 2, size / 2])
    const box = world.addBody({ position: [i * size, 0, 0], mass, inertia, linearDamping: 2, angularDamping: 2 })
    world.add(fixed, { a: last, b: box, point: [(i - 0.5) * size, 0, 0], angularCompliance })
    last = box
  }
  for (let step = 0; step < 60 * seconds; step++) world.step(1 / 60)
  return -last.position[1]
}

/** A particle on a compliant row, or on a spring, along x. */
export interface Oscillator {
  world: World
  particle: Body
  /** [rad/s] */
  omega: number
  /** Rest position and first amplitude [m]. */
  rest: number
  amplitude: number
}

export function oscillator(kind: 'row' | 'spring', frequency: number, substeps: number): Oscillator {
  const world = new World({ ...WEIGHTLESS, substeps })
  const omega = 2 * Math.PI * frequency
  const mass = 2
  const rest = 1
  const amplitude = 0.1
  const particle = world.addParticle({ mass, position: [rest + amplitude, 0, 0] })
  const stiffness = mass * omega * omega
  if (kind === 'row') world.add(distance, { a: particle, length: rest, stiffness })
  else world.add(spring, { a: particle, length: rest, stiffness })
  return { world, particle, omega, rest, amplitude }
}

/** A free body turning about its middle axis (Dzhanibekov). */
export function tumblingBody(options: WorldOptions = {}): { world: World; body: Body } {
  const world = new World({ ...WEIGHTLESS, substeps: 1, ...options })
  const body = world.addBody({ inertia: [0.1, 0.5, 0.6], angularVelocity: [0.03, 5, 0.03] })
  return { world, body }
}

/** Two unit masses on a rigid row, turning freely at `omega` [rad/s]; `keeps`: whether it says that it keeps momenta, or is left to the scheme alone. */
export function rotatingRod(substeps: number, jacobians: 'fresh' | 'start', omega = 2, keeps = true): World {
  const world = new World({ ...WEIGHTLESS, substeps, iterations: 20, jacobians })
  const a = world.addParticle({ position: [0.5, 0, 0], velocity: [0, 0.5 * omega, 0] })
  const b = world.addParticle({ position: [-0.5, 0, 0], velocity: [0, -0.5 * omega, 0] })
  world.add(keeps ? distance : { ...distance, name: 'rod', keepsMomenta: () => false }, { a, b })
  return world
}

/** A horizontal arm on a hinge, held by a drive on its orientation against its weight. */
export interface DrivenArm {
  world: World
  arm: Body
  drive: Constraint<AngularDriveDef>
  /** Moment of the weight about the hinge when the arm is level [N m]. */
  moment: number
}

export function drivenArm(stiffness: number, damping: number, maxTorque: number): DrivenArm {
  const world = new World({ substeps: 20 })
  const [mass, length] = [2, 0.5]
  const arm = world.addBody({ position: [length / 2, 0, 0], mass, inertia: solidBox(mass, [length, 0.1, 0.1]) })
  world.add(hinge, { b: arm, point: [0, 0, 0], axis: [0, 0, 1] })
  const drive = world.add(angularDrive, { b: arm, target: [0, 0, 0, 1], stiffness, damping, maxTorque })
  return { world, arm, drive, moment: (mass * 9.81 * length) / 2 }
}

/** A light door leaf on a hinge with a load `ratio` times as heavy fixed to its free end: the hinge axis is level. */
export function loadedHinge(
  ratio: number,
  substeps: number,
  iterations: number,
): { world: World; leaf: Body; joint: Constraint } {
  const world = new World({ substeps, iterations })
  const leaf = world.addBody({ position: [0.5, 0, 0], mass: 1, inertia: solidBox(1, [1, 0.1, 1]) })
  const joint = world.add(hinge, { b: leaf, point: [0, 0, 0], axis: [0, 1, 0] }) as Constraint
  const load = world.addBody({ position: [1, 0, 0], mass: ratio, inertia: solidBox(ratio, [0.3, 0.3, 0.3]) })
  world.add(fixed, { a: leaf, b: load, point: [1, 0, 0] })
  return { world, leaf, joint }
}

/** A rigid bar on a row of coplanar contacts, so fast that a step of 1/60 s predicts it `depth` deep, without weight and push-out handling. */
export interface SunkenBar {
  world: World
  bar: Body
  contacts: Constraint[]
}

export function sunkenBar(count: number, depth: number, iterations: number): SunkenBar {
  const world = new World({ ...WEIGHTLESS, substeps: 1, iterations })
  const bar = world.addBody({ velocity: [0, -60 * depth, 0], mass: 1, inertia: solidBox(1, [2, 0.1, 0.1]) })
  const contacts = Array.from({ length: count }, (_, k) => {
    const x = -1 + (2 * k) / (count - 1)
    const def = { a: bar, pointA: [x, 0, 0], pointB: [x, 0, 0], normal: [0, 1, 0], maxPushOut: Infinity } as const
    return world.add(pointContact, def) as Constraint
  })
  return { world, bar, contacts }
}

/** A block of tetrahedra on soft edges and rigid volumes. */
export interface TetraBlock {
  world: World
  nodes: Body[]
  tetrahedra: number[][]
  restVolume: number
}

/** `cells` cubes a side, five tetrahedra each, mirrored from cube to cube so that faces fit. */
export function tetraBlock(cells: number, edgeCompliance: number, options: WorldOptions): TetraBlock {
  const world = new World(options)
  const n = cells + 1
  const size = 1 / cells
  const nodes: Body[] = []
  for (let x = 0; x < n; x++) {
    for (let y = 0; y < n; y++) {
      for (let z = 0; z < n; z++) {
        nodes.push(
          world.addParticle({ position: [x * size, y * size, z * size], mass: 1 / (n * n * n), linearDamping: 1 }),
        )
      }
    }
  }
  const index = (x: number, y: number, z: number): number => (x * n + y) * n + z
  const tetrahedra: number[][] = []
  for (let x = 0; x < cells; x++) {
    for (let y = 0; y < cells; y++) {
      for (let z = 0; z < cells; z++) {
        const odd = (x + y + z) % 2 === 1
        const c = (i: number, j: number, k: number): number => index(x + (odd ? 1 - i : i), y + j, z + k)
        const five = [
          [c(0, 0, 0), c(1, 0, 0), c(0, 1, 0), c(0, 0, 1)],
          [c(1, 1, 0), c(0, 1, 0), c(1, 0, 0), c(1, 1, 1)],
          [c(1, 0, 1), c(1, 0, 0), c(0, 0, 1), c(1, 1, 1)],
          [c(0, 1, 1), c(0, 0, 1), c(0, 1, 0), c(1, 1, 1)],
          [c(1, 0, 0), c(0, 1, 0), c(0, 0, 1), c(1, 1, 1)],
        ]
        for (const t of five) tetrahedra.push(odd ? [t[0], t[2], t[1], t[3]] : t)
      }
    }
  }
  const edges = new Set<string>()
  for (const t of tetrahedra) {
    for (let i = 0; i < 4; i++) for (let j = 0; j < i; j++) edges.add([t[i], t[j]].sort((r, s) => r - s).join())
    world.add(tetraVolume, { bodies: t.map((k) => nodes[k]) })
  }
  for (const edge of edges) {
    const [i, j] = edge.split(',').map(Number)
    world.add(distance, { a: nodes[i], b: nodes[j], compliance: edgeCompliance })
  }
  return { world, nodes, tetrahedra, restVolume: blockVolume(nodes, tetrahedra) }
}

/** Sum of the signed volumes [m³]. */
export function blockVolume(nodes: readonly Body[], tetrahedra: readonly (readonly number[])[]): number {
  let sum = 0
  for (const t of tetrahedra) sum += signedVolume(t.map((k) => nodes[k].position as [number, number, number]))
  return sum
}

function signedVolume([o, p, q, r]: readonly (readonly [number, number, number])[]): number {
  const [a, b, c] = [p, q, r].map((x) => [x[0] - o[0], x[1] - o[1], x[2] - o[2]])
  const cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]]
  return (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6
}

/** Mirrors all nodes through the plane z = z₀: every tetrahedron is turned inside out. */
export function invert(nodes: readonly Body[], z0 = 0): void {
  for (const node of nodes) {
    const [x, y, z] = node.position
    node.setPosition([x, y, 2 * z0 - z])
  }
}
