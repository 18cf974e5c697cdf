/** Limits that a pose violates, and limits widened or fitted to poses. */

import {
  inverse,
  normalized,
  times,
  rotationAt,
  rotated,
  difference,
  dot,
  type Quat,
  type Vec3,
  vectorAt,
} from './algebra.js'
import type { RagdollAsset, RagdollPart } from './data.js'
import { COORDINATES, type PartJoint, readAngles } from './part-joint.js'

/** A coordinate of a joint outside its limits. */
export interface LimitViolation {
  /** Name of the part's bone. */
  readonly bone: string
  /** Which of its joint's angles: `swing y`, `swing z`, `twist`, `angle`, `angle A`, `angle B`, `offset`. */
  readonly coordinate: string
  /** [rad], [m] of an offset */
  readonly value: number
  readonly min: number
  readonly max: number
}

/** Where parts are: three and four numbers a part. */
export interface PartPlaces {
  readonly positions: Float64Array
  readonly rotations: Float64Array
}

/** Over a limit by less than this is round-off [rad or m]. */
const TOLERANCE = 1e-6

const F = /* @__PURE__ */ new Float64Array(8)
const angles = /* @__PURE__ */ new Float64Array(3)

/** Where parts are at rest. */
export function restPlaces({ parts, skeleton }: RagdollAsset): PartPlaces {
  const positions = new Float64Array(3 * parts.length)
  const rotations = new Float64Array(4 * parts.length)
  parts.forEach(({ bone }, part) => {
    positions.set(vectorAt(skeleton.worldPositions, bone), 3 * part)
    rotations.set(rotationAt(skeleton.worldRotations, bone), 4 * part)
  })
  return { positions, rotations }
}

/** Coordinates of a part's joint, into `out`: as many as its kind has. */
export function coordinatesAt(
  parts: readonly RagdollPart[],
  places: PartPlaces,
  part: number,
  out: Float64Array,
): void {
  const { joint, parent } = parts[part]
  if (joint === undefined) return
  const { positions, rotations } = places
  const [qa, qb] = [rotationAt(rotations, parent), rotationAt(rotations, part)]
  F.set(normalized(times(qa, joint.frameA)), 0)
  F.set(normalized(times(qb, joint.frameB)), 4)
  readAngles(joint.kind, F, out)
  if (joint.kind === 'slider')
    out[0] = offsetAt(joint, qa, difference(vectorAt(positions, part), vectorAt(positions, parent)))
}

function offsetAt({ frameA, anchor }: PartJoint, qa: Quat, way: Vec3): number {
  return dot(difference(rotated(inverse(qa), way), anchor), rotated(frameA, [1, 0, 0]))
}

/** Limits that places of parts violate, those of rest by default. */
export function violationsOf(asset: RagdollAsset, places: PartPlaces = restPlaces(asset)): LimitViolation[] {
  const { parts } = asset
  return parts.flatMap(({ name, joint }, part) => {
    if (joint === undefined) return []
    coordinatesAt(parts, places, part, angles)
    return COORDINATES[joint.kind].flatMap((coordinate, k): LimitViolation[] => {
      const [min, max] = [joint.limits[2 * k], joint.limits[2 * k + 1]]
      const value = angles[k]
      if (value >= min - TOLERANCE && value <= max + TOLERANCE) return []
      return [{ bone: name, coordinate, value, min, max }]
    })
  })
}

/** The asset with limits wide enough for its rest pose. */
export function widened(asset: RagdollAsset): RagdollAsset {
  return widenedTo(asset, [restPlaces(asset)], 0)
}

/** The asset with limits wide enough for a series of places, and `margin` [rad or m] more where they leave them. */
export function widenedTo(asset: RagdollAsset, series: readonly PartPlaces[], margin: number): RagdollAsset {
  return withLimits(asset, (part, limits) => {
    const found = [...limits]
    for (const places of series) {
      coordinatesAt(asset.parts, places, part, angles)
      for (let k = 0; k < found.length; k++) {
        const value = angles[k >> 1]
        if (k % 2 === 0 && value < limits[k]) found[k] = Math.min(found[k], value - margin)
        if (k % 2 === 1 && value > limits[k]) found[k] = Math.max(found[k], value + margin)
      }
    }
    return found
  })
}

/** The asset with limits that hold what joints do in a series of places and nothing more, give or take `margin` [rad or m]. */
export function fittedTo(asset: RagdollAsset, series: readonly PartPlaces[], margin: number): RagdollAsset {
  return withLimits(asset, (part, limits) => {
    const found = limits.map((_, k) => (k % 2 === 0 ? Infinity : -Infinity))
    for (const places of series) {
      coordinatesAt(asset.parts, places, part, angles)
      for (let k = 0; k < found.length; k++) {
        const value = angles[k >> 1]
        found[k] = k % 2 === 0 ? Math.min(found[k], value - margin) : Math.max(found[k], value + margin)
      }
    }
    return found.map((bound) => Math.min(Math.max(bound, -Math.PI), Math.PI))
  })
}

function withLimits(asset: RagdollAsset, change: (part: number, limits: readonly number[]) => number[]): RagdollAsset {
  const parts = asset.parts.map((part, row): RagdollPart => {
    if (part.joint === undefined || part.joint.limits.length === 0) return part
    return { ...part, joint: { ...part.joint, limits: change(row, part.joint.limits) } }
  })
  return { ...asset, parts }
}
