/// <reference types="vite/client" />

/** Set when the page is built: where the docs begin, where the source can be seen, versions of the engines that are compared. */
declare const __DOCS__: string
declare const __SOURCE__: string
declare const __VERSIONS__: Readonly<Record<string, string>>

/** Declarations of the packages and of the language, by path: see `library-types.ts`. */
declare module 'virtual:library-types' {
  const files: Readonly<Record<string, string>>
  export default files
}
