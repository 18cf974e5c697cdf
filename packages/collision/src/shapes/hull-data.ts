/** What a convex hull is stored as, and how it is filled in from vertices and faces. */

import { areaVector, unit } from './vector.js'

/** Faces are convex polygons, counter-clockwise seen from outside; coplanar triangles are merged. */
export interface HullData {
  /** x, y, z a vertex. */
  readonly vertices: Float64Array
  /** Outward unit normal and offset a face: n·x = d. No vertex of the hull lies beyond. */
  readonly planes: Float64Array
  /** Face f has the vertices `faceVertices[faceStart[f] … faceStart[f + 1])`, in order. */
  readonly faceStart: Int32Array
  readonly faceVertices: Int32Array
  /** Each edge once: its two vertices, then the faces on its left and right (seen from outside along the edge). */
  readonly edges: Int32Array
  /** Vertex v shares edges with `neighbours[neighbourStart[v] … neighbourStart[v + 1])`. */
  readonly neighbourStart: Int32Array
  readonly neighbours: Int32Array
  /** The farthest vertex towards −x, +x, −y, +y, −z, +z: where a climb begins. */
  readonly extremes: Int32Array
  /** Vertices of the face that has most. */
  readonly largestFace: number
}

/** Derives planes, edges and neighbours of a closed surface of polygons. */
export function hullData(vertices: Float64Array, faces: readonly (readonly number[])[]): HullData {
  const faceStart = new Int32Array(faces.length + 1)
  faces.forEach((face, f) => (faceStart[f + 1] = faceStart[f] + face.length))
  const planes = new Float64Array(4 * faces.length)
  faces.forEach((face, f) => writePlane(vertices, face, planes, 4 * f))
  const edges = edgesOf(faces)
  return {
    vertices,
    planes,
    faceStart,
    faceVertices: Int32Array.from(faces.flat()),
    edges,
    ...neighboursOf(edges, vertices.length / 3),
    extremes: extremesOf(vertices),
    largestFace: Math.max(...faces.map((face) => face.length)),
  }
}

/** Through the vertex of the hull that lies farthest out, which is one of the face up to round-off. */
function writePlane(vertices: Float64Array, face: readonly number[], planes: Float64Array, o: number): void {
  const [x, y, z] = unit(areaVector(vertices, face))
  let d = -Infinity
  for (let i = 0; i < vertices.length; i += 3) {
    d = Math.max(d, x * vertices[i] + y * vertices[i + 1] + z * vertices[i + 2])
  }
  planes[o] = x
  planes[o + 1] = y
  planes[o + 2] = z
  planes[o + 3] = d
}

/** In order of the faces that have them on the left. */
function edgesOf(faces: readonly (readonly number[])[]): Int32Array {
  const left = new Map<string, number>()
  faces.forEach((face, f) => face.forEach((from, k) => left.set(`${from} ${face[(k + 1) % face.length]}`, f)))
  const edges: number[] = []
  faces.forEach((face, f) => {
    face.forEach((from, k) => {
      const to = face[(k + 1) % face.length]
      if (from < to) edges.push(from, to, f, left.get(`${to} ${from}`)!)
    })
  })
  return Int32Array.from(edges)
}

function neighboursOf(edges: Int32Array, vertexCount: number): { neighbourStart: Int32Array; neighbours: Int32Array } {
  const lists: number[][] = Array.from({ length: vertexCount }, () => [])
  for (let e = 0; e < edges.length; e += 4) {
    lists[edges[e]].push(edges[e + 1])
    lists[edges[e + 1]].push(edges[e])
  }
  const neighbourStart = new Int32Array(vertexCount + 1)
  lists.forEach((list, v) => (neighbourStart[v + 1] = neighbourStart[v] + list.length))
  return { neighbourStart, neighbours: Int32Array.from(lists.flat()) }
}

function extremesOf(vertices: Float64Array): Int32Array {
  const extremes = new Int32Array(6)
  for (let v = 0; 3 * v < vertices.length; v++) {
    for (let k = 0; k < 3; k++) {
      if (vertices[3 * v + k] < vertices[3 * extremes[2 * k] + k]) extremes[2 * k] = v
      if (vertices[3 * v + k] > vertices[3 * extremes[2 * k + 1] + k]) extremes[2 * k + 1] = v
    }
  }
  return extremes
}
