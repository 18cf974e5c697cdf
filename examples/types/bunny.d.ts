/** npm `bunny`: the Stanford bunny as a triangle mesh, without types of its own. */
declare module 'bunny' {
  const mesh: {
    readonly cells: readonly [number, number, number][]
    readonly positions: readonly [number, number, number][]
  }
  export = mesh
}
