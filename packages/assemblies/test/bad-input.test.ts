/** What is wrong is refused with its name and value, before anything is made. */

import { Collisions, box } from '@tautline/collision'
import { World } from '@tautline/core'
import { describe, expect, it } from 'vitest'
import {
  assembliesFromJSON,
  cloth,
  createGetUp,
  fallDown,
  limitsFromClip,
  pulleys,
  ragdoll,
  ragdollAsset,
  restPose,
  rod,
  rope,
  softBody,
  validateAsset,
  vehicle,
  writeRagdollAsset,
} from '../src/index.js'
import { humanoid } from './support/figures.js'

const LINE = { from: [0, 0, 0], to: [1, 0, 0], segments: 4 } as const
const SQUARE = { positions: [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1], indices: [0, 2, 1, 1, 2, 3] }
const TETRAHEDRA = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tetrahedra: [0, 1, 2, 3] }

/** A world whose state tells what was done to it. */
function bare(): { world: World; counts: () => readonly number[] } {
  const world = new World()
  return { world, counts: () => [world.bodies.all().length, world.constraints().length, world.stages.length] }
}

describe('bad input of assemblies', () => {
  const named = { name: 5 } as never
  it.each([
    ['rope', (world: World) => rope(world, { ...LINE, ...(named as object) })],
    ['rod', (world: World) => rod(world, { ...LINE, ...(named as object) })],
    ['cloth', (world: World) => cloth(world, { ...SQUARE, ...(named as object) })],
    ['softBody', (world: World) => softBody(world, { ...TETRAHEDRA, ...(named as object) })],
    ['pulleys', (world: World) => pulleys(world, { points: [], ...(named as object) })],
    ['ragdoll', (world: World) => ragdoll(world, humanoid(), named)],
  ])('a name that is no text: %s', (kind, make) => {
    const { world, counts } = bare()
    expect(() => make(world)).toThrow(`${kind}: name must be a text, got 5`)
    expect(counts()).toEqual([0, 0, 0])
  })

  it('a name that is no text: vehicle', () => {
    const world = new World()
    const chassis = new Collisions(world).addBody({ shape: box([1, 0.3, 2]), mass: 100 })
    const before = world.hash()
    const def = { chassis, wheels: [{ position: [0, -1, 0] as const }], ...(named as object) }
    expect(() => vehicle(world, def)).toThrow(/vehicle: name must be a text, got 5/)
    expect(world.hash()).toBe(before)
  })

  it.each([
    [{ plasticity: 5 }, /plasticity must be an object, got 5/],
    [{ plasticity: { yield: NaN } }, /plasticity: yield must be >= 0 and finite, got NaN/],
    [{ plasticity: { speed: 1 } }, /plasticity must have known fields only .*got speed: 1/],
    [{ indices: NaN }, /indices must be an array of numbers, got NaN/],
  ])('what a soft body is made of: %o, before its nodes are', (change, message) => {
    const { world, counts } = bare()
    expect(() => softBody(world, { ...TETRAHEDRA, model: 'shape', ...change } as never)).toThrow(message)
    expect(counts()).toEqual([0, 0, 0])
  })

  it.each([
    [{ asset: 5 }, /asset must be an object, got 5/],
    [{ stretchCompliance: { wrap: 1 } }, /stretchCompliance must have known fields only .*got wrap: 1/],
    [{ stretchCompliance: { warp: 'x' } }, /stretchCompliance: warp must be an array of numbers, got "x"/],
    [{ density: { low: 1, high: 2 } }, /density: map must be an array of numbers, got undefined/],
  ])('what a cloth is made of: %o', (change, message) => {
    const { world, counts } = bare()
    expect(() => cloth(world, { ...SQUARE, ...change } as never)).toThrow(message)
    expect(counts()).toEqual([0, 0, 0])
  })

  it('a winch, and shares of a rope', () => {
    const { world } = bare()
    const line = rope(world, LINE)
    expect(() => line.setWinch(5 as never)).toThrow(/setWinch: changes must be an object, got 5/)
    expect(() => line.setWinch({ end: 'middle' } as never)).toThrow(
      /setWinch: end must be 'start' or 'end', got "middle"/,
    )
    expect(() => line.setWinch({ sped: 1 } as never)).toThrow(/got sped: 1/)
    expect(() => line.tensionAt(null as never)).toThrow(/tensionAt: share must be a number within \[0, 1\], got null/)
    expect(() => line.teleport(5 as never)).toThrow(/teleport: options must be an object, got 5/)
    expect(() => line.updateLod('x' as never)).toThrow(/updateLod: from must be .*got "x"/)
  })

  it('bones, skins and poses of a ragdoll', () => {
    const [first, ...bones] = humanoid()
    const made = (change: object) => () => ragdollAsset({ bones: [{ ...first, ...change }, ...bones] } as never)
    expect(made({ centre: 5 })).toThrow(/bone "root": centre must be an array of 3 numbers, got 5/)
    expect(made({ inertia: [NaN, 1, 1] })).toThrow(/bone "root": inertia\[0\] must be finite, got NaN/)
    expect(made({ joint: 5 })).toThrow(/bone "root": joint must be an object, got 5/)
    const skin = { positions: [0, 1, 0], joints: [0, 0, 0, 0], weights: [NaN, 0, 0, 0] }
    expect(() => ragdollAsset(humanoid(), { skin })).toThrow(/skin: weights\[0\] must be finite, got NaN/)
    expect(() => ragdollAsset(humanoid(), { skin: NaN as never })).toThrow(/skin must be an object, got NaN/)
    const doll = ragdoll(new World(), humanoid())
    expect(() => doll.pose(undefined, NaN)).toThrow(/pose: alpha must be within \[0, 1\], got NaN/)
    expect(() => doll.setWeights({}, ['tail'])).toThrow(/setWeights: bones: bone must be one of a part/)
  })

  it.each([
    ['validateAsset: asset', () => validateAsset(5 as never)],
    ['writeRagdollAsset: asset', () => writeRagdollAsset(5 as never)],
    ['limitsFromClip: asset', () => limitsFromClip(5 as never, [restPose(ragdollAsset(humanoid()).skeleton)])],
    ['restPose: skeleton', () => restPose(5 as never)],
    ['fallDown: getUp', () => fallDown(5 as never)],
    ['assembliesFromJSON: kinds[0]', () => assembliesFromJSON([5 as never])],
  ])('%s that is none', (what, call) => {
    expect(call).toThrow(new TypeError(`${what} must be an object, got 5`))
    expect(() => createGetUp(ragdoll(new World(), humanoid()), 5 as never)).toThrow(/options must be an object, got 5/)
  })
})
