/** How kernels are asked for, and what is said where they cannot be had. */

import { type NewWorldOptions, World, type WorldOptions } from '@tautline/core'
import { isSimdSupported, simd } from '@tautline/simd'
import { afterEach, expect, test } from 'vitest'
import { Random } from '../../core/test/support/random.js'
import type * as compiled from '../src/compiled.js'
import { addSheet, sheetWorld } from './support/sheet.js'

type Module = typeof compiled

const { WebAssembly: whole } = globalThis
let copies = 0

/** The module as a page loads it that has not compiled it yet, with another WebAssembly. */
async function loadWith(webAssembly: unknown): Promise<Module> {
  Object.defineProperty(globalThis, 'WebAssembly', { value: webAssembly, configurable: true, writable: true })
  const path = `../src/compiled.js?copy=${copies++}`
  return (await import(path)) as Module
}

afterEach(() => {
  Object.defineProperty(globalThis, 'WebAssembly', { value: whole, configurable: true, writable: true })
})

test('kernels are there at once, and the same for all', () => {
  expect(isSimdSupported()).toBe(true)
  expect(simd()).toBe(simd())
  const world = new World({ kernels: simd() })
  world.addParticle({})
  world.step()
  expect(world.bodies.columns.position.buffer).not.toBe(new World().bodies.columns.position.buffer)
})

test('an engine without WebAssembly, or without its SIMD, is told apart, and refused', async () => {
  for (const webAssembly of [undefined, { validate: () => false }]) {
    const { compile, isSimdSupported: isSupported } = await loadWith(webAssembly)
    expect(isSupported()).toBe(false)
    expect(() => compile()).toThrow('simd: WebAssembly with SIMD must be there (isSimdSupported() tells)')
  }
})

test('a page whose policy forbids to compile is told what it needs', async () => {
  class Refused {
    constructor() {
      throw new EvalError('Refused to compile')
    }
  }
  const { compile } = await loadWith({ validate: () => true, Module: Refused })
  expect(() => compile()).toThrow("script-src needs 'wasm-unsafe-eval'")
})

test.each([
  [5, 'World: kernels must be an object'],
  [null, 'World: kernels must be an object'],
  [{}, 'World: kernels.open must be a function'],
  [{ open: 1 }, 'World: kernels.open must be a function'],
])('kernels of %j are refused', (kernels, message) => {
  expect(() => new World({ kernels } as unknown as NewWorldOptions)).toThrow(message)
  expect(() => new World({ kernels } as unknown as NewWorldOptions)).toThrow(TypeError)
})

test('kernels are those that the world was made with', () => {
  const world = new World()
  expect(() => {
    world.configure({ kernels: simd() } as WorldOptions)
  }).toThrow('configure: kernels must be given when a world is made')
  expect(world.kernels).toBe(undefined)
})

test('a world for which there is no memory goes on in TypeScript, to the same bits', () => {
  const { Memory } = whole
  class None {
    constructor() {
      throw new RangeError('could not allocate memory')
    }
  }
  const worlds = [undefined, simd()].map((kernels) => sheetWorld(new Random(1), kernels))
  const run = (): string[] =>
    worlds.map((world) => {
      world.step()
      return world.hash()
    })
  try {
    // Also when it has had one, and needs more.
    for (const memory of [Memory, None]) {
      Object.defineProperty(whole, 'Memory', { value: memory, configurable: true, writable: true })
      const [plain, other] = run()
      expect(other).toBe(plain)
      for (const world of worlds) addSheet(world, new Random(2), 30, 30)
    }
    for (let step = 0; step < 4; step++) {
      const [plain, other] = run()
      expect(other).toBe(plain)
    }
    // At the beginning of a buffer of its own: in a memory something comes first.
    expect(worlds[1].bodies.columns.position.byteOffset).toBe(0)
  } finally {
    Object.defineProperty(whole, 'Memory', { value: Memory, configurable: true, writable: true })
  }
})
