/**
 * A soft body in the shape of a real mesh, filled with tetrahedra, dropped on the ground.
 *
 * Edges are soft distance rows, and every tetrahedron keeps its volume. The mesh itself rides along: its vertices are
 * tied to the tetrahedra.
 */

import { closedMesh, World } from '@tautline/core'
import { pointContact, distance, tetraVolume } from '@tautline/constraints'
import { bunnyMesh } from '../lib/bunny.js'
import { embed, follow } from '../lib/embed.js'
import { latticeFill, sixVolumes } from '../lib/lattice.js'
import { bounds, fit, type Mesh, weld } from '../lib/mesh.js'
import { distanceBetween, type Scene, stepsIn, type Timing, withDefaults, writePositions } from './scene.js'

export interface SoftBodyParameters extends Timing {
  /** Any closed surface; it is scaled to `size`. */
  mesh: Mesh
  /** Longest side [m] */
  size: number
  /** Cubes along the longest side. */
  cells: number
  /** Vertices closer than this are one, share of the longest side. */
  weldTolerance: number
  /** [kg/m³] */
  density: number
  /** Of the edges [m/N] */
  edgeCompliance: number
  /** Of the edges [N s/m] */
  edgeDamping: number
  /** Bulk modulus [Pa]; `null` keeps every volume exactly. */
  bulkModulus: number | null
  /** Height of the lowest point above the ground at the start [m] */
  dropHeight: number
  /** Height of the body at the start, share of its height at rest: below 1 it starts flattened, below 0 inside out. */
  flatten: number
  friction: number
}

export const SOFT_BODY: Omit<SoftBodyParameters, 'mesh'> = {
  size: 0.3,
  cells: 12,
  weldTolerance: 1e-6,
  density: 1000,
  edgeCompliance: 3e-4,
  edgeDamping: 2,
  bulkModulus: null,
  dropHeight: 0.1,
  flatten: 1,
  friction: 0.6,
  dt: 1 / 60,
  substeps: 20,
  iterations: 1,
  seconds: 3,
}

/** The body above the ground at y = 0. */
export function softBodyScene(given: Partial<SoftBodyParameters> = {}): Scene<SoftBodyParameters> {
  const parameters = withDefaults('softBodyScene', { ...SOFT_BODY, mesh: given.mesh ?? bunnyMesh() }, given, [
    'size',
    'cells',
    'density',
    'seconds',
  ])
  const { mesh, size, cells, dropHeight, flatten, dt, substeps, iterations } = parameters
  const fitted = fit(mesh.positions, size, dropHeight)
  const skin = weld(fitted, mesh.triangles, parameters.weldTolerance * size)
  const lattice = latticeFill(skin, cells)
  const { tetrahedra, positions } = lattice
  const embedding = embed(skin.positions, positions, tetrahedra)

  const world = new World({ dt, substeps, iterations })
  const nodes = world.addBodies({
    count: positions.length / 3,
    positions,
    mass: nodeMasses(lattice, parameters.density),
  })
  const sides: [number, number][] = []
  for (let e = 0; e < lattice.edges.length; e += 2) sides.push([lattice.edges[e], lattice.edges[e + 1]])
  const rest = sides.map(([a, b]) => distanceBetween(world, nodes[a], nodes[b]))
  const { edgeCompliance: compliance, edgeDamping: damping } = parameters
  for (const [a, b] of sides) world.add(distance, { a: nodes[a], b: nodes[b], compliance, damping })
  const volumes: number[] = []
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const four = tetrahedra.subarray(t, t + 4)
    const volume = sixVolumes(positions, four[0], four[1], four[2], four[3]) / 6
    const soft = parameters.bulkModulus === null ? 0 : (36 * volume) / parameters.bulkModulus
    world.add(tetraVolume, { bodies: Array.from(four, (n) => nodes[n]), compliance: soft })
    volumes.push(volume)
  }
  const whole = volumes.reduce((sum, volume) => sum + volume, 0)
  const { staticFriction, normal } = { staticFriction: parameters.friction, normal: [0, 1, 0] as const }
  for (const n of new Set(lattice.surface)) {
    const [x, , z] = nodes[n].position
    world.add(pointContact, {
      a: nodes[n],
      b: null,
      pointA: nodes[n].position,
      pointB: [x, 0, z],
      normal,
      staticFriction,
    })
  }
  if (flatten !== 1) {
    for (const node of nodes) {
      const [x, y, z] = node.position
      node.setPosition([x, dropHeight + flatten * (y - dropHeight), z])
    }
    const lowest = Math.min(...nodes.map((node) => node.position[1]))
    for (const node of nodes)
      node.setPosition([node.position[0], node.position[1] + dropHeight - lowest, node.position[2]])
  }

  const present = new Float64Array(positions.length)
  return {
    name: 'soft-body',
    parameters,
    world,
    dt,
    steps: stepsIn(parameters),
    picture: {
      shapes: [{ kind: 'ground', height: 0 }],
      lines: [],
      surface: {
        triangles: skin.triangles,
        count: skin.positions.length / 3,
        nodes,
        embedding,
        write(out) {
          writePositions(world, nodes, present)
          follow(embedding, present, out)
        },
      },
    },
    measure() {
      writePositions(world, nodes, present)
      let [sum, worst, inverted, stretch] = [0, 0, 0, 0]
      volumes.forEach((volume, t) => {
        const [a, b, c, d] = tetrahedra.subarray(4 * t, 4 * t + 4)
        const now = sixVolumes(present, a, b, c, d) / 6
        sum += now
        worst = Math.max(worst, Math.abs(now / volume - 1))
        if (now <= 0) inverted++
      })
      sides.forEach(([a, b], e) => {
        stretch = Math.max(stretch, distanceBetween(world, nodes[a], nodes[b]) / rest[e] - 1)
      })
      return {
        stretch,
        figures: {
          tetrahedra: { value: volumes.length, unit: '' },
          'filled share of the mesh': { value: (100 * whole) / meshVolume(skin), unit: '%' },
          'volume error': { value: 100 * (sum / whole - 1), unit: '%' },
          'worst tetrahedron': { value: 100 * worst, unit: '%' },
          'inside out': { value: inverted, unit: '' },
          'into the ground': { value: 1000 * Math.max(0, -bounds(present).min[1]), unit: 'mm' },
        },
      }
    },
  }
}

/** A quarter of each tetrahedron's mass [kg]. */
function nodeMasses({ positions, tetrahedra }: { positions: Float64Array; tetrahedra: Uint32Array }, density: number) {
  const masses = new Float64Array(positions.length / 3)
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [a, b, c, d] = tetrahedra.subarray(t, t + 4)
    for (const n of [a, b, c, d]) masses[n] += (density * sixVolumes(positions, a, b, c, d)) / 24
  }
  return masses
}

function meshVolume({ positions, triangles }: Mesh): number {
  return closedMesh(positions, triangles, { density: 1 }).volume
}
