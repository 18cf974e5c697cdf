/** What is used of the platform besides the language: pages, workers, Node and the edge have it, and no library of types is asked for. */

/** A compiled module. */
export interface CompiledModule {
  readonly [key: symbol]: unknown
}

/** Linear memory. */
export interface LinearMemory {
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
export const platform: Platform = globalThis as unknown as Platform
