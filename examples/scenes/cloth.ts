/**
 * A cloth cut from a real mesh, dropped on a ball.
 *
 * The lower part of the mesh is cut away, so that what is left hangs over the ball like a bag. Every edge is a distance
 * row that resists lengthening only: a surface of triangles whose edges keep their lengths both ways has about as many
 * rows as ways to move, and is stiff as a board. What holds cloth against crumpling is its bending.
 *
 * The ball is a strut from each vertex to its centre, with Coulomb friction on the velocities: within a substep of length h
 * at most ν f h/m of the speed along the ball is taken away, f the force of the strut. The ground is a contact a vertex.
 * The cloth does not collide with itself.
 */

import { type Body, type Constraint, World } from '@tautline/core'
import { pointContact, dihedralBend, distance, isometricBend } from '@tautline/constraints'
import { bunnyMesh } from '../lib/bunny.js'
import { bendPairs, bounds, edges, fit, type Mesh, vertexAreas, weld } from '../lib/mesh.js'
import { distanceBetween, type Scene, stepsIn, type Timing, withDefaults, writePositions } from './scene.js'

export interface ClothParameters extends Timing {
  /** Any surface; it is scaled to `size`. */
  mesh: Mesh
  /** Longest side of the whole mesh [m]. */
  size: number
  /** Vertices closer than this are one, share of the longest side. */
  weldTolerance: number
  /** Share of the height that is cut away from below. */
  cut: number
  /** [kg/m²] */
  areaDensity: number
  /** [m/N] */
  stretchCompliance: number
  /** `rope` edges resist lengthening only. */
  edgeMode: 'rope' | 'rigid'
  bendModel: 'isometric' | 'dihedral' | 'none'
  /** Bending rigidity [N m] */
  bendStiffness: number
  /** Damping of the bending [N m s] */
  bendDamping: number
  /** Drag of the air [1/s] */
  drag: number
  /** [m] */
  ballRadius: number
  /** Height of the ball's centre above the ground [m] */
  ballHeight: number
  /** Height that the cloth falls until it touches the ball [m] */
  dropHeight: number
  /** On ball and ground. */
  friction: number
  /** Share of the last substep's forces that starts the next one: what hangs still needs them again. */
  warmStart: number
}

export const CLOTH: Omit<ClothParameters, 'mesh'> = {
  size: 1,
  weldTolerance: 1e-6,
  cut: 0.3,
  areaDensity: 0.2,
  stretchCompliance: 0,
  edgeMode: 'rope',
  bendModel: 'isometric',
  bendStiffness: 1e-4,
  bendDamping: 1e-6,
  drag: 0.5,
  ballRadius: 0.2,
  ballHeight: 0.6,
  dropHeight: 0.05,
  friction: 0.5,
  warmStart: 0,
  dt: 1 / 60,
  substeps: 40,
  iterations: 1,
  seconds: 2.5,
}

/** The cloth above its ball, with the ground at y = 0. */
export function clothScene(given: Partial<ClothParameters> = {}): Scene<ClothParameters> {
  const parameters = withDefaults('clothScene', { ...CLOTH, mesh: given.mesh ?? bunnyMesh() }, given, [
    'size',
    'areaDensity',
    'ballRadius',
    'seconds',
  ])
  const { mesh, size, ballRadius, ballHeight, dt, substeps, iterations, drag } = parameters
  const welded = weld(mesh.positions, mesh.triangles, parameters.weldTolerance * extent(mesh))
  const cut = cutBelow(welded.positions, welded.triangles, parameters.cut)
  const { triangles } = cut
  const positions = fit(cut.positions, size * cut.share, 0)
  const lift = liftOver(positions, ballRadius, ballHeight) + parameters.dropHeight
  for (let y = 1; y < positions.length; y += 3) positions[y] += lift

  const world = new World({ dt, substeps, iterations, warmStart: parameters.warmStart })
  const mass = vertexAreas(positions, triangles).map((area) => area * parameters.areaDensity)
  const vertices = world.addBodies({ count: mass.length, positions, mass, linearDamping: drag })
  const ball = world.addBody({ name: 'ball', position: [0, ballHeight, 0], mass: Infinity })

  const pairs = edges(triangles)
  const sides: [Body, Body][] = []
  for (let e = 0; e < pairs.length; e += 2) sides.push([vertices[pairs[e]], vertices[pairs[e + 1]]])
  const rest = sides.map(([a, b]) => distanceBetween(world, a, b))
  const { stretchCompliance: compliance, edgeMode: mode } = parameters
  sides.forEach(([a, b], e) => world.add(distance, { a, b, length: rest[e], mode, compliance }))
  addBending(world, vertices, bendPairs(triangles), parameters)
  const struts = vertices.map((a) => world.add(distance, { a, b: ball, length: ballRadius, mode: 'strut' }))
  const staticFriction = parameters.friction
  world.onVelocities((_, h) => rubBall(world, struts, ball, staticFriction, h))
  for (const a of vertices) {
    const [x, , z] = a.position
    world.add(pointContact, { a, b: null, pointA: a.position, pointB: [x, 0, z], normal: [0, 1, 0], staticFriction })
  }

  return {
    name: 'cloth',
    parameters,
    world,
    dt,
    steps: stepsIn(parameters),
    picture: {
      shapes: [
        { kind: 'sphere', body: ball, radius: ballRadius },
        { kind: 'ground', height: 0 },
      ],
      lines: [],
      surface: {
        triangles,
        count: vertices.length,
        nodes: vertices,
        write: (out) => writePositions(world, vertices, out),
      },
    },
    measure() {
      let [worst, sum, lowest, nearest] = [0, 0, Infinity, Infinity]
      sides.forEach(([a, b], e) => {
        const share = distanceBetween(world, a, b) / rest[e] - 1
        worst = Math.max(worst, share)
        sum += Math.max(0, share)
      })
      const { position } = world.bodies.columns
      for (const vertex of vertices) {
        lowest = Math.min(lowest, position[4 * vertex.index + 1])
        nearest = Math.min(nearest, distanceBetween(world, vertex, ball))
      }
      return {
        stretch: worst,
        figures: {
          'mean stretch': { value: (100 * sum) / sides.length, unit: '%' },
          'into the ball': { value: 1000 * Math.max(0, ballRadius - nearest), unit: 'mm' },
          'into the ground': { value: 1000 * Math.max(0, -lowest), unit: 'mm' },
          'lowest vertex': { value: lowest, unit: 'm' },
        },
      }
    },
  }
}

function addBending(world: World, vertices: Body[], quads: Uint32Array, parameters: ClothParameters): void {
  const { bendModel, bendStiffness: stiffness, bendDamping: damping } = parameters
  if (bendModel === 'none' || stiffness === 0) return
  for (let q = 0; q < quads.length; q += 4) {
    const bodies = Array.from(quads.subarray(q, q + 4), (v) => vertices[v])
    if (bendModel === 'isometric') world.add(isometricBend, { bodies, stiffness, damping })
    else world.add(dihedralBend, { bodies, stiffness, damping })
  }
}

/** How far the lowest point has to be above the ground so that no vertex is in the ball, or below its top. */
function liftOver(positions: Float64Array, radius: number, height: number): number {
  let lift = 0
  for (let v = 0; v < positions.length; v += 3) {
    const [x, y, z] = positions.subarray(v, v + 3)
    const squared = radius * radius - x * x - z * z
    if (squared > 0) lift = Math.max(lift, height + Math.sqrt(squared) - y)
  }
  return lift
}

/** Friction of the vertices that touch the ball. Runs once a substep. */
function rubBall(world: World, struts: readonly Constraint[], ball: Body, friction: number, h: number): void {
  const { position, velocity } = world.bodies.columns
  const c = 4 * ball.index
  for (const strut of struts) {
    const { batch } = strut
    const row = strut.row()
    const push = batch.common.lambda[row]
    if (push === 0) continue
    const v = batch.common.body[2 * row]
    const n = [0, 1, 2].map((k) => position[4 * v + k] - position[c + k])
    const squared = n[0] * n[0] + n[1] * n[1] + n[2] * n[2]
    const away = (n[0] * velocity[3 * v] + n[1] * velocity[3 * v + 1] + n[2] * velocity[3 * v + 2]) / squared
    const slip = n.map((x, k) => velocity[3 * v + k] - away * x)
    const speed = Math.sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2])
    if (speed === 0) continue
    // λ/h² is the force, λ w/h the change of speed that it makes in a substep.
    const share = Math.min(1, (friction * push * position[4 * v + 3]) / (h * speed))
    for (let k = 0; k < 3; k++) velocity[3 * v + k] -= share * slip[k]
  }
}

function extent({ positions }: Mesh): number {
  const { min, max } = bounds(positions)
  return Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2])
}

/** The triangles with their centre above a share of the height, and how long they are, share of the whole. */
function cutBelow(
  positions: Float64Array,
  triangles: Uint32Array,
  share: number,
): { positions: Float64Array; triangles: Uint32Array; share: number } {
  if (!(share >= 0 && share < 1)) throw new RangeError(`clothScene: cut must be in [0, 1), got ${share}`)
  const { min, max } = bounds(positions)
  const height = min[1] + share * (max[1] - min[1])
  const kept: number[] = []
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.subarray(t, t + 3)]
    const center = corners.reduce((sum, v) => sum + positions[3 * v + 1], 0) / 3
    if (center >= height) kept.push(...corners)
  }
  if (kept.length === 0) throw new RangeError(`clothScene: cut must leave a triangle, got ${share}`)
  const left = weld(positions, kept, 0)
  return { ...left, share: extent(left) / extent({ positions, triangles }) }
}
