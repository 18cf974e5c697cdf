/** Plugins of the build that let go what nobody uses of other libraries: a bundler has to keep what it cannot prove to do nothing. */

import { parseAst, type Plugin } from 'vite'
import { SHADERS, withoutFeatures } from './lean-features.js'

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

/** Shaders of three are text: what is there for readers goes, indents, comments and room about brackets. Lines with # stay as they are. */
const leanShaders: Plugin = {
  name: 'lean-shaders',
  apply: 'build',
  transform(code, id) {
    if (!id.endsWith('three.module.js')) return null
    return { code: withLeanShaders(code), map: null }
  },
}

/** The renderer of three with shaders without what is there for readers. */
export function withLeanShaders(code: string): string {
  return code.replaceAll(SHADERS, leaner)
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

/** Methods of the renderer that read pictures back, copy textures and compile ahead. A class keeps what it has, asked for or not. */
const READERS = [
  'readRenderTargetPixels',
  'readRenderTargetPixelsAsync',
  'copyFramebufferToTexture',
  'copyTextureToTexture',
  'initRenderTarget',
  'compile',
  'compileAsync',
  'setRenderTargetTextures',
  'forceContextLoss',
  'forceContextRestore',
  'setNodesHandler',
]
const METHOD = new RegExp(`^\\t\\tthis\\.(?:${READERS.join('|')}) = (?:async )?function[^]*?^\\t\\t\\};$`, 'gm')
/** How code asks for the manager of headsets. */
const SESSIONS = /\.xr\b/

/** What reads back goes, and headsets; where the gallery asks for them, the build stops. */
const onlyScreens: Plugin = {
  name: 'only-screens',
  apply: 'build',
  transform(code, id) {
    if (id.endsWith('three.module.js')) return { code: onlyDraws(code), map: null }
    if (id.includes('node_modules')) return null
    const asked = READERS.find((name) => code.includes(`.${name}(`)) ?? SESSIONS.exec(code)?.[0]
    if (asked !== undefined) this.error(`lean.ts must leave ${asked} in the renderer, which ${id} asks for`)
    return null
  },
}

/** The manager of headsets, and what the renderer asks of it while none is there. */
const MANAGER = /^class WebXRManager extends EventDispatcher \{[^]*?^\}$/m
const NO_MANAGER = `class WebXRManager {
	enabled = false;
	isPresenting = false;
	getEnvironmentBlendMode() {}
	setAnimationLoop() {}
	addEventListener() {}
	removeEventListener() {}
	dispose() {}
}`

/** The renderer of three without what reads pictures back, and without headsets. */
export function onlyDraws(code: string): string {
  return code.replaceAll(METHOD, '').replace(MANAGER, NO_MANAGER)
}

/** A part of the renderer that the gallery has no use for. */
interface Unused {
  /** What takes the place of its body: what the renderer asks of it all the same. */
  readonly body: string
  /** How code asks for what it does. */
  readonly asked: RegExp
}

/** Parts that are a function each. Scenes of the gallery stand before a plain colour, and draw to the screen at once. */
const UNUSED: Readonly<Record<string, Unused>> = {
  // Cubes of pictures, and blurred ones that rough things mirror.
  WebGLEnvironments: {
    body: 'return { get: (colour) => colour ?? null, dispose() {} }',
    asked: /\b(?:envMap|CubeTexture|PMREMGenerator|Equirectangular\w+)\b|\.environment =/,
  },
  WebGLUniformsGroups: { body: 'return { bind() {}, update() {}, dispose() {} }', asked: /\bUniformsGroup\b/ },
  WebGLMorphtargets: { body: 'return { update() {} }', asked: /\bmorphTarget\w+|\bmorphAttributes\.\w/ },
  // Effects on the whole picture: made where pixels have more than a byte a colour.
  WebGLOutput: { body: '', asked: /\boutputBufferType\b|\.setEffects\(/ },
}

/** Where code asks for one of these, the build stops. */
const withoutUnused: Plugin = {
  name: 'without-unused',
  apply: 'build',
  transform(code, id) {
    if (id.endsWith('three.module.js')) return { code: withoutParts(code), map: null }
    if (id.includes('node_modules')) return null
    for (const [name, { asked }] of Object.entries(UNUSED)) {
      const found = asked.exec(code)
      if (found !== null) this.error(`UNUSED of lean.ts must not have ${name}: ${id} has ${found[0]}`)
    }
    return null
  },
}

/** The renderer of three with these parts empty. */
export function withoutParts(code: string): string {
  let left = code
  for (const [name, { body }] of Object.entries(UNUSED))
    left = left.replace(new RegExp(`^function ${name}\\([^)]*\\) \\{[^]*?^\\}$`, 'm'), `function ${name}() { ${body} }`)
  return left
}

/** Of texts that visitors write, which may ask three for anything. */
export const lean: readonly Plugin[] = [pureMatrix, purePredicates, wholeClasses, leanShaders]
/** Of the page. */
export const leanPage: readonly Plugin[] = [
  ...lean,
  withoutFeatures,
  usedShaders,
  withoutWarnings,
  onlyScreens,
  withoutUnused,
]
