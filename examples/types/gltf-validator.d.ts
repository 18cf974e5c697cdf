/** npm `gltf-validator`: Khronos' validator of glTF, without types of its own. */
declare module 'gltf-validator' {
  interface Report {
    readonly issues: {
      readonly messages: readonly { readonly code: string; readonly message: string; readonly severity: number }[]
    }
    readonly info: Readonly<Record<string, unknown>>
  }
  const validator: { validateBytes(bytes: Uint8Array): Promise<Report> }
  export default validator
}
