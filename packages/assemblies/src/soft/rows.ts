/**
 * The rows of a soft body, by its model. Stiffness of the material to that of a row:
 *
 *   neoHookean   as they stand
 *   distance     edges k = 6 E V_e/ℓ² [N/m], V_e a sixth of the tetrahedra at an edge: so a cloud of springs, whose own Poisson's ratio is ¼, has the bulk modulus ⅔ E that
 *                goes with it; and volumes of bulk modulus κ = E/3(1 − 2ν), compliance 36 V/κ
 *   shape        compliance ℓ²/E V, V that of the cluster, ℓ the length of an edge: each node holds to its place by E ℓ [N/m], about
 *   balloon      edges k = K A/ℓ², A a third of the triangles at one, as of cloth; and the volume within
 */

import type { Body, Constraint, LeanWorld } from '@tautline/core'
import { distance, enclosedVolume, neoHookean, shapeMatching, tetraVolume } from '@tautline/constraints'
import { apart, triangleAreas } from '../parts/mesh.js'
import { edgesOf } from '../parts/topology.js'
import { meanEdge, type SoftBodyAsset } from './asset.js'
import type { SoftBodySettings } from './definition.js'
import { sixVolumes } from '../tetrahedralize/quality.js'

/** Adds all rows. Nodes are at rest. */
export function addRows(
  world: LeanWorld,
  asset: SoftBodyAsset,
  settings: SoftBodySettings,
  nodes: readonly Body[],
): Constraint[] {
  switch (settings.model) {
    case 'neoHookean':
      return addElements(world, asset, settings, nodes)
    case 'distance':
      return addSprings(world, asset, settings, nodes)
    case 'shape':
      return addClusters(world, asset, settings, nodes)
    case 'balloon':
      return addSkin(world, asset, settings, nodes)
  }
}

function addElements(
  world: LeanWorld,
  { tetrahedra }: SoftBodyAsset,
  { youngsModulus, poissonRatio, damping, solver }: SoftBodySettings,
  nodes: readonly Body[],
): Constraint[] {
  const made: unknown[] = []
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const bodies = Array.from(tetrahedra.subarray(t, t + 4), (v) => nodes[v])
    made.push(world.add(neoHookean, { bodies, youngsModulus, poissonRatio, damping, solver }))
  }
  return made as Constraint[]
}

function addSprings(
  world: LeanWorld,
  { positions: x, tetrahedra }: SoftBodyAsset,
  { youngsModulus, poissonRatio, damping }: SoftBodySettings,
  nodes: readonly Body[],
): Constraint[] {
  const made: unknown[] = []
  for (const [v, w, volume] of edgeVolumes(x, tetrahedra)) {
    const length = apart(x, v, w)
    const stiffness = (6 * youngsModulus * volume) / (length * length)
    made.push(
      world.add(distance, { a: nodes[v], b: nodes[w], stiffness, damping: damping * stiffness, solver: 'sweep' }),
    )
  }
  const bulk = youngsModulus / (3 * (1 - 2 * poissonRatio))
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const [a, b, c, d] = tetrahedra.subarray(t, t + 4)
    const stiffness = bulk / (6 * sixVolumes(x, a, b, c, d))
    const bodies = [a, b, c, d].map((v) => nodes[v])
    made.push(world.add(tetraVolume, { bodies, stiffness, damping: damping * stiffness }))
  }
  return made as Constraint[]
}

/** Each edge once, with a sixth of the tetrahedra at it [m³]. */
function edgeVolumes(x: Float64Array, tetrahedra: Uint32Array): [number, number, number][] {
  const found = new Map<number, [number, number, number]>()
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const corners = tetrahedra.subarray(t, t + 4)
    const volume = sixVolumes(x, corners[0], corners[1], corners[2], corners[3]) / 36
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const [v, w] = [Math.min(corners[i], corners[j]), Math.max(corners[i], corners[j])]
        const key = (v * x.length) / 3 + w
        const edge = found.get(key)
        if (edge === undefined) found.set(key, [v, w, volume])
        else edge[2] += volume
      }
    }
  }
  return Array.from(found.values())
}

function addClusters(
  world: LeanWorld,
  asset: SoftBodyAsset,
  { youngsModulus, damping, plasticity, clusters }: SoftBodySettings,
  nodes: readonly Body[],
): Constraint[] {
  const { positions, tetrahedra, shares } = asset
  const edge = meanEdge(asset)
  const sets = clustersOf(positions, tetrahedra, clusters)
  const times = new Uint32Array(nodes.length)
  for (const set of sets) for (const v of set) times[v]++
  return sets.map((set) => {
    const volume = set.reduce((sum, v) => sum + shares[v] / times[v], 0)
    const stiffness = (youngsModulus * volume) / (edge * edge)
    const bodies = set.map((v) => nodes[v])
    const flow = plasticity === undefined ? {} : { plasticity }
    const made: unknown = world.add(shapeMatching, { bodies, stiffness, damping: damping * stiffness, ...flow })
    return made as Constraint
  })
}

function addSkin(
  world: LeanWorld,
  { positions: x, surface }: SoftBodyAsset,
  { youngsModulus, damping, pressure, volumeCompliance }: SoftBodySettings,
  nodes: readonly Body[],
): Constraint[] {
  const made: unknown[] = []
  const edges = edgesOf(surface, nodes.length)
  const areas = triangleAreas(x, surface)
  for (let e = 0; e < edges.count; e++) {
    const [v, w] = [edges.ends[2 * e], edges.ends[2 * e + 1]]
    const length = apart(x, v, w)
    const around = edges.triangles.subarray(edges.first[e], edges.first[e + 1])
    const area = around.reduce((sum, t) => sum + areas[t] / 3, 0)
    // Slivers of no area hold nothing.
    const stiffness = (youngsModulus * area) / (length * length)
    if (!(stiffness > 0)) continue
    made.push(
      world.add(distance, { a: nodes[v], b: nodes[w], stiffness, damping: damping * stiffness, solver: 'sweep' }),
    )
  }
  const triangles = Array.from(surface)
  const compliance = volumeCompliance
  made.push(world.add(enclosedVolume, { bodies: nodes, triangles, pressure, compliance }))
  return made as Constraint[]
}

/** Nodes of each cluster, rising. */
function clustersOf(x: Float64Array, tetrahedra: Uint32Array, count: number): number[][] {
  const nodes = x.length / 3
  if (count === 1) return [Array.from({ length: nodes }, (_, v) => v)]
  const nearest = shareOut(x, count)
  const sets = Array.from({ length: count }, () => new Set<number>())
  // All of each tetrahedron belongs to the clusters of its corners: so far they overlap.
  for (let t = 0; t < tetrahedra.length; t += 4) {
    const corners = tetrahedra.subarray(t, t + 4)
    for (const v of corners) for (const w of corners) sets[nearest[v]].add(w)
  }
  return sets.filter(({ size }) => size > 1).map((set) => Array.from(set).sort((a, b) => a - b))
}

/** The nearest of `count` nodes that are far from each other: each is the farthest from those before. */
function shareOut(x: Float64Array, count: number): Uint32Array {
  const nearest = new Uint32Array(x.length / 3)
  const away = new Float64Array(nearest.length).fill(Infinity)
  let middle = 0
  for (let c = 0; c < count; c++) {
    let farthest = 0
    for (let v = 0; v < nearest.length; v++) {
      let squared = 0
      for (let k = 0; k < 3; k++) squared += (x[3 * v + k] - x[3 * middle + k]) * (x[3 * v + k] - x[3 * middle + k])
      if (squared < away[v]) {
        away[v] = squared
        nearest[v] = c
      }
      if (away[v] > away[farthest]) farthest = v
    }
    middle = farthest
  }
  return nearest
}
