/** Plugins of the build that let go what nobody uses of other libraries: a bundler has to keep what it cannot prove to do nothing. */

import { parseAst, type Plugin } from 'vite'

/**
 * gl-matrix makes some functions by calling others at once (`forEach`, `rotationTo`), which a bundler has to keep, and with them what
 * they call. Marked as pure, those that nobody uses go.
 */
const pureMatrix: Plugin = {
  name: 'pure-matrix',
  apply: 'build',
  transform(code, id) {
    if (!/gl-matrix.esm./.test(id)) return null
    return {
      code: code.replaceAll(/^(export var \w+ = )function \(\) \{$/gm, '$1/* @__PURE__ */ function () {'),
      map: null,
    }
  },
}

/** Predicates make their scratch arrays by a function of their own: a file whose predicate nobody asks stays for them. */
const purePredicates: Plugin = {
  name: 'pure-predicates',
  apply: 'build',
  transform: (code, id) => (/robust-predicates.esm./.test(id) ? { code, map: null, moduleSideEffects: false } : null),
}

/**
 * Classes of three get constants after they are declared (`KeyframeTrack.prototype.ValueTypeName = ''`), so that loaders and
 * animation stay where nobody uses them. Class and constants become one expression without side effects.
 */
const wholeClasses: Plugin = {
  name: 'whole-classes',
  apply: 'build',
  transform: (code, id) => (id.endsWith('three.core.js') ? { code: withWholeClasses(code), map: null } : null),
}

/** A module with its classes and their constants as one expression each. */
export function withWholeClasses(code: string): string {
  const { body } = parseAst(code)
  let [lean, end] = ['', 0]
  for (const [k, statement] of body.entries()) {
    if (statement.type !== 'ClassDeclaration' || statement.id === null) continue
    const { name } = statement.id
    let last = k
    while (isConstantOf(name, code.slice(body[last + 1]?.start, body[last + 1]?.end))) last++
    if (last === k) continue
    const own = code.slice(body[k].start, body[last].end)
    lean += `${code.slice(end, body[k].start)}const ${name} = /* @__PURE__ */ (() => {\n${own}\nreturn ${name}\n})();`
    end = body[last].end
  }
  return lean + code.slice(end)
}

function isConstantOf(name: string, statement: string): boolean {
  return new RegExp(`^${name}(\\.\\w+)+ = `).test(statement)
}

/** A shader of three, as its declaration stands there: a line. */
const SHADERS = /^(?:var|const) ([\w$]+) = ("(?:[^"\\]|\\.)*");$/gm

/** Shaders of three are text: what is there for readers goes, indents, comments and room about brackets. Lines with # stay as they are. */
const leanShaders: Plugin = {
  name: 'lean-shaders',
  apply: 'build',
  transform(code, id) {
    if (!id.endsWith('three.module.js')) return null
    return { code: code.replaceAll(SHADERS, leaner), map: null }
  },
}

function leaner(declaration: string): string {
  return declaration
    .split('\\n')
    .map((line) => line.replace(/^(\\t)+/, '').replace(/\/\/[^"]*$/, ''))
    .map((line) =>
      /^#| = "#/.test(line)
        ? line
        : line.replaceAll(/(?<=[(,]) | (?=\))| (?=[-+*/=<>]=? [\w(])|(?<=[\w)\]] [-+*/=<>]=?) (?=[\w(])/g, ''),
    )
    .join('\\n')
}

/** Materials of the gallery, and those that shadows are drawn with: what their shaders are called. */
const MATERIALS: Readonly<Record<string, string>> = {
  MeshStandardMaterial: 'meshphysical',
  LineBasicMaterial: 'meshbasic',
  MeshDepthMaterial: 'depth',
  MeshDistanceMaterial: 'distance',
}

/** Shaders of materials that the gallery does not have, and of backgrounds that are textures, go. Another material than those above stops the build. */
const usedShaders: Plugin = {
  name: 'used-shaders',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('node_modules')) {
      for (const [, material] of code.matchAll(/\bnew (\w+Material)\(/g)) {
        if (!(material in MATERIALS)) this.error(`MATERIALS of lean.ts must have ${material}, which ${id} makes`)
      }
      return null
    }
    if (!id.endsWith('three.module.js')) return null
    return { code: withUsedShaders(code), map: null }
  },
}

/** The renderer of three without the shaders that the gallery does not use. */
export function withUsedShaders(code: string): string {
  const used = usedBy(code, Object.values(MATERIALS))
  return code.replaceAll(SHADERS, (whole, name: string) => (used.has(name) ? whole : `const ${name} = "";`))
}

/** Names of the constants with the shaders of materials, and of all chunks that these include. */
function usedBy(code: string, materials: readonly string[]): Set<string> {
  const texts = new Map(Array.from(code.matchAll(SHADERS), ([, name, text]) => [name, text]))
  const table = /^const ShaderChunk = \{([^}]*)\}/m.exec(code)?.[1] ?? ''
  const constants = new Map(Array.from(table.matchAll(/(\w+): ([\w$]+)/g), ([, chunk, name]) => [chunk, name]))
  const used = new Set<string>()
  const add = (chunk: string): void => {
    const name = constants.get(chunk)
    if (name === undefined || used.has(name)) return
    used.add(name)
    for (const [, included] of texts.get(name)?.matchAll(/#include <(\w+)>/g) ?? []) add(included)
  }
  for (const material of materials) ['vert', 'frag'].forEach((stage) => add(`${material}_${stage}`))
  // What every shader is begun with.
  for (const [, chunk] of code.matchAll(/\bShaderChunk\[ '(\w+)' \]/g)) add(chunk)
  return used
}

/** Warnings of three tell who programs it what to write otherwise. The gallery is written. */
const WARNINGS = /^(\t+)warn(?:Once)?\( .*\);$/gm

/** Warnings of three go, where they are a line of their own. */
const withoutWarnings: Plugin = {
  name: 'without-warnings',
  apply: 'build',
  transform: (code, id) => (/three\.(core|module)\.js$/.test(id) ? { code: quiet(code), map: null } : null),
}

/** A module of three without its warnings. */
export function quiet(code: string): string {
  return code.replaceAll(WARNINGS, '$1;')
}

/**
 * Methods of the renderer that read pictures back, copy textures and compile ahead, and of its manager of headsets that only who has a session calls. A class keeps what it
 * has, asked for or not.
 */
const READERS = [
  'readRenderTargetPixels',
  'readRenderTargetPixelsAsync',
  'copyFramebufferToTexture',
  'copyTextureToTexture',
  'initRenderTarget',
  'compile',
  'compileAsync',
  'updateCamera',
  'setRenderTargetTextures',
  'forceContextLoss',
  'forceContextRestore',
  'setNodesHandler',
  'setSession',
  'getSession',
  'getController',
  'getControllerGrip',
  'getHand',
  'getFrame',
  'getBaseLayer',
  'getCameraTexture',
  'getReferenceSpace',
  'setReferenceSpace',
  'setReferenceSpaceType',
  'setFramebufferScaleFactor',
]
const METHOD = new RegExp(`^\\t\\tthis\\.(?:${READERS.join('|')}) = (?:async )?function[^]*?^\\t\\t\\};$`, 'gm')

/** What reads back goes; where the gallery asks for it, the build stops. */
const withoutReaders: Plugin = {
  name: 'without-readers',
  apply: 'build',
  transform(code, id) {
    if (id.endsWith('three.module.js')) return { code: onlyDraws(code), map: null }
    const asked = id.includes('node_modules') ? undefined : READERS.find((name) => code.includes(`.${name}(`))
    if (asked !== undefined) this.error(`READERS of lean.ts must not have ${asked}, which ${id} calls`)
    return null
  },
}

/** What a session calls for each of its frames. */
const SESSION_FRAME = /^\t\tfunction onAnimationFrame\( time, frame \) \{[^]*?^\t\t\}$/m

/** The renderer of three without what reads pictures back, and without sessions. */
export function onlyDraws(code: string): string {
  return code.replaceAll(METHOD, '').replace(SESSION_FRAME, 'function onAnimationFrame() {}')
}

/** What makes surroundings of pictures: cubes of them, and blurred ones that rough things mirror. */
const ENVIRONMENTS = /^function WebGLEnvironments\( renderer \) \{[^]*?^\}$/m
/** How code asks for surroundings that are pictures. */
const PICTURES = /\b(?:envMap|CubeTexture|PMREMGenerator|Equirectangular\w+)\b|\.environment =/

/** Scenes of the gallery stand before a plain colour. Where one asks for more, the build stops. */
const plainSurroundings: Plugin = {
  name: 'plain-surroundings',
  apply: 'build',
  transform(code, id) {
    if (id.endsWith('three.module.js')) return { code: withPlainSurroundings(code), map: null }
    const asked = id.includes('node_modules') ? null : PICTURES.exec(code)
    if (asked !== null) this.error(`plainSurroundings of lean.ts must go: ${id} has ${asked[0]}`)
    return null
  },
}

/** The renderer of three without pictures of surroundings: a colour is its own background. */
export function withPlainSurroundings(code: string): string {
  return code.replace(
    ENVIRONMENTS,
    'function WebGLEnvironments() { return { get: (colour) => colour ?? null, dispose() {} } }',
  )
}

/** Of texts that visitors write, which may ask three for anything. */
export const lean: readonly Plugin[] = [pureMatrix, purePredicates, wholeClasses, leanShaders]
/** Of the page. */
export const leanPage: readonly Plugin[] = [...lean, usedShaders, withoutWarnings, withoutReaders, plainSurroundings]
