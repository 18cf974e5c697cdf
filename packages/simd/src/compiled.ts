/** The compiled module: inlined, compiled once, synchronously. */

import { addLoad, rotateBy } from '@tautline/core/kernel'
import { BINARY } from './binary.js'

/** A compiled module. */
interface CompiledModule {
  readonly [key: symbol]: unknown
}

/** Linear memory. */
interface LinearMemory {
  readonly buffer: ArrayBuffer
}

interface Platform {
  readonly WebAssembly?: {
    validate(bytes: Uint8Array): boolean
    readonly Module: new (bytes: Uint8Array) => CompiledModule
    readonly Memory: new (limits: { initial: number; maximum: number }) => LinearMemory
    readonly Instance: new (module: CompiledModule, imports: object) => { readonly exports: object }
  }
  atob(text: string): string
}

/** The global object. */
const platform: Platform = globalThis as unknown as Platform

/** A column's place in the memory, an offset, or a number of rows. */
type Address = number

/** What the module exports (assembly/index.ts); columns are addresses in bytes. */
export interface Exports {
  sweepLengths(
    position: Address,
    start: Address,
    body: Address,
    rest: Address,
    lower: Address,
    upper: Address,
    lambda: Address,
    softness: Address,
    gamma: Address,
    relaxation: Address,
    isDamped: boolean,
    from: number,
    to: number,
  ): void
  prepareManifolds(view: Address, from: number, to: number, h: number): void
  sweepManifolds(view: Address, from: number, to: number, h: number): void
  renewManifolds(view: Address, from: number, to: number): void
  relaxManifolds(view: Address, from: number, to: number, h: number, bounces: boolean): void
  reboundManifolds(view: Address, from: number, to: number, h: number): void
  finishManifolds(view: Address, from: number, to: number, h: number): void
  sweepLineBends(
    position: Address,
    start: Address,
    body: Address,
    inverse: Address,
    rest: Address,
    lambda: Address,
    softness: Address,
    gamma: Address,
    relaxation: Address,
    from: number,
    to: number,
  ): void
  sweepIsometricBends(
    position: Address,
    start: Address,
    body: Address,
    weight: Address,
    rest: Address,
    lambda: Address,
    softness: Address,
    gamma: Address,
    relaxation: Address,
    from: number,
    to: number,
  ): void
  sweepTetraVolumes(
    position: Address,
    start: Address,
    body: Address,
    rest: Address,
    lambda: Address,
    softness: Address,
    gamma: Address,
    relaxation: Address,
    scratch: Address,
    from: number,
    to: number,
  ): number
  sweepDihedralBends(
    position: Address,
    start: Address,
    body: Address,
    rest: Address,
    goal: Address,
    most: Address,
    lambda: Address,
    softness: Address,
    gamma: Address,
    relaxation: Address,
    scratch: Address,
    from: number,
    to: number,
  ): number
  sweepNeoHookean(
    position: Address,
    start: Address,
    body: Address,
    inverse: Address,
    shape: Address,
    beta: Address,
    size: Address,
    lambda: Address,
    regularization: Address,
    relaxation: Address,
    scratch: Address,
    from: number,
    to: number,
    h: number,
  ): void
  meetSurfaces(
    position: Address,
    start: Address,
    body: Address,
    record: Address,
    lambda: Address,
    from: number,
    to: number,
  ): number
  preparePairs(
    position: Address,
    start: Address,
    body: Address,
    record: Address,
    from: number,
    to: number,
    h: number,
  ): void
  isBounded(column: Address, from: number, to: number): number
  sweepLinePair(
    position: Address,
    start: Address,
    nodes: Address,
    rest: Address,
    lambda: Address,
    softness: Address,
    relaxation: Address,
    reference: Address,
    scratch: Address,
    baseA: number,
    atA: number,
    baseB: number,
    atB: number,
    count: number,
  ): number
  solveBackedLine(
    position: Address,
    nodes: Address,
    reference: Address,
    rows: Address,
    pressed: Address,
    blocks: Address,
    count: number,
  ): void
  predict(
    position: Address,
    start: Address,
    orientation: Address,
    velocity: Address,
    force: Address,
    kind: Address,
    flags: Address,
    gravityScale: Address,
    linearDamping: Address,
    inverseMass: Address,
    from: number,
    to: number,
    dynamic: number,
    bound: number,
    h: number,
    fallX: number,
    fallY: number,
    fallZ: number,
  ): number
  velocities(
    position: Address,
    start: Address,
    orientation: Address,
    velocity: Address,
    kind: Address,
    flags: Address,
    from: number,
    to: number,
    dynamic: number,
    bound: number,
    h: number,
  ): number
}

let bytes: Uint8Array | undefined
let compiled: CompiledModule | undefined

function binary(): Uint8Array {
  bytes ??= Uint8Array.from(platform.atob(BINARY), (letter) => letter.charCodeAt(0))
  return bytes
}

/** Whether kernels can run here: WebAssembly is there, and knows SIMD. It does not tell whether a page's policy lets it compile. */
export function isSimdSupported(): boolean {
  return platform.WebAssembly?.validate(binary()) === true
}

/** WebAssembly, and the module, compiled the first time. */
export function compile(): CompiledModule {
  if (compiled !== undefined) return compiled
  const { WebAssembly } = platform
  if (WebAssembly === undefined || !WebAssembly.validate(binary())) {
    throw new Error('simd: WebAssembly with SIMD must be there (isSimdSupported() tells), got an engine without it')
  }
  try {
    compiled = new WebAssembly.Module(binary())
  } catch (cause) {
    throw new Error(
      "simd: WebAssembly must be allowed to compile, got a refusal: under a Content-Security-Policy, script-src needs 'wasm-unsafe-eval'",
      { cause },
    )
  }
  return compiled
}

/** A memory of so many pages of 64 kB, and an instance on it. */
export function instantiate(pages: number): { buffer: ArrayBuffer; exports: Exports } {
  const module = compile()
  const { WebAssembly } = platform
  if (WebAssembly === undefined) throw new Error('simd: WebAssembly must be there, got an engine that has lost it')
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages })
  const numbers = new Float64Array(memory.buffer)
  const turn = new Float64Array(3)
  const host = {
    // What turns far is rare: the function of the core does it.
    rotateBy(q: Address, o: number, v: Address): void {
      for (let k = 0; k < 3; k++) turn[k] = numbers[(v >> 3) + k]
      rotateBy(numbers, (q >> 3) + o, turn)
    },
    addLoad,
  }
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, host })
  return { buffer: memory.buffer, exports: exports as Exports }
}
