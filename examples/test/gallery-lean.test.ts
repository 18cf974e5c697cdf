import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import * as three from 'three'
import { expect, test } from 'vitest'
import { presentLines, SHADERS, withPresentFeatures } from '../gallery/lean-features.js'
import { onlyDraws, quiet, withLeanShaders, withoutParts, withUsedShaders, withWholeClasses } from '../gallery/lean.js'

const BUILD = dirname(createRequire(import.meta.url).resolve('three'))

test('three is the same with its classes and their constants in one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tautline-three-'))
  try {
    const code = withWholeClasses(readFileSync(join(BUILD, 'three.core.js'), 'utf8'))
    expect(code.match(/@__PURE__ \*\/ \(\(\) => \{\nclass /g)?.length).toBeGreaterThan(8)
    writeFileSync(join(folder, 'three.mjs'), code)
    const lean = (await import(join(folder, 'three.mjs'))) as typeof three
    const names = Object.keys(three).filter((name) => name in lean)
    expect(names.length).toBeGreaterThan(300)
    for (const name of names) expect(typeof lean[name as never]).toBe(typeof three[name as never])
    expect(lean.Object3D.DEFAULT_UP.toArray()).toEqual([0, 1, 0])
    const track = new lean.NumberKeyframeTrack('.x', [0, 1], [0, 2])
    expect(track.ValueTypeName).toBe('number')
    expect(track.DefaultInterpolation).toBe(three.InterpolateLinear)
    expect(lean.PropertyBinding.Composite).toBeTypeOf('function')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('shaders of the gallery have all that they include, others are gone', () => {
  const code = withUsedShaders(readFileSync(join(BUILD, 'three.module.js'), 'utf8'))
  const [, table] = /^const ShaderChunk = \{([^}]*)\}/m.exec(code) as RegExpExecArray
  const names = new Map(Array.from(table.matchAll(/(\w+): ([\w$]+)/g), ([, chunk, name]) => [chunk, name]))
  const text = (chunk: string): string =>
    new RegExp(`^(?:var|const) ${names.get(chunk)?.replaceAll('$', '\\$')} = "(.*)";$`, 'm').exec(code)?.[1] ?? ''
  const missing = [...names.keys()].flatMap((chunk) =>
    Array.from(text(chunk).matchAll(/#include <(\w+)>/g), ([, included]) => included).filter(
      (included) => text(included) === '' && three.ShaderChunk[included as never] !== '',
    ),
  )
  expect(missing).toEqual([])
  for (const chunk of ['meshphysical_frag', 'meshbasic_vert', 'depth_frag', 'colorspace_pars_fragment']) {
    expect(text(chunk)).not.toBe('')
  }
  for (const chunk of ['meshtoon_frag', 'sprite_vert', 'equirect_frag']) expect(text(chunk)).toBe('')
})

const truths = new Map<string, boolean>()

/** Whether an expression of numbers holds; few of them are different. */
function holdsTrue(expression: string): boolean {
  const known = truths.get(expression) ?? Boolean(runInNewContext(expression))
  truths.set(expression, known)
  return known
}

/** What a preprocessor leaves of a shader where these names are defined as 1, and all others are 0. */
function preprocessed(shader: string, isDefined: (name: string) => boolean): string {
  const left: string[] = []
  // Of each condition that is open: whether its present branch holds, and whether one has held.
  const open: { holds: boolean; held: boolean }[] = []
  const value = (name: string): string => (isDefined(name) ? '1' : '0')
  for (const line of shader.split('\n')) {
    const [, word, condition = ''] = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b([^/]*)/.exec(line) ?? []
    const asked = condition.replaceAll(/defined\s*\(\s*(\w+)\s*\)|[A-Za-z]\w*/g, (name, inner?: string) =>
      value(inner ?? name),
    )
    const holds = (): boolean => holdsTrue(word === 'ifndef' ? `!(${asked})` : asked)
    const here = open.at(-1)
    if (word === undefined) {
      if (open.every((condition) => condition.holds)) left.push(line)
    } else if (word === 'endif') open.pop()
    else if (word.startsWith('if')) {
      const isTrue = holds()
      open.push({ holds: isTrue, held: isTrue })
    } else if (here !== undefined) {
      here.holds = !here.held && (word === 'else' || holds())
      here.held ||= here.holds
    }
  }
  return left.join('\n')
}

test('without features that are never there shaders are what a preprocessor makes of them anyway', () => {
  const code = withLeanShaders(readFileSync(join(BUILD, 'three.module.js'), 'utf8'))
  const texts = (module: string): string[] =>
    Array.from(module.matchAll(SHADERS), ([, , text]) => JSON.parse(text) as string)
  const [before, after] = [texts(code), texts(withPresentFeatures(code))]
  expect(after.length).toBe(before.length)
  expect(after.join('').length).toBeLessThan(0.75 * before.join('').length)
  const present = [
    'USE_SHADOWMAP',
    'USE_FOG',
    'NUM_DIR_LIGHTS',
    'NUM_HEMI_LIGHTS',
    'NUM_DIR_LIGHT_SHADOWS',
    'USE_COLOR',
  ]
  const optional = [...present, 'USE_INSTANCING', 'FLAT_SHADED', 'DOUBLE_SIDED', 'SHADOWMAP_TYPE_PCF', 'TONE_MAPPING']
  const sets = [[], present, optional, ...optional.map((name) => optional.filter((other) => other !== name))]
  for (const names of sets) {
    const isDefined = (name: string): boolean => names.includes(name)
    for (const [k, text] of before.entries()) {
      expect(preprocessed(after[k], isDefined)).toBe(preprocessed(text, isDefined))
    }
  }
})

test('conditions go that never hold or always do, and others stay with their branches', () => {
  const lines = (text: string): string[] => presentLines(text.split(' / '))
  expect(lines('#ifdef USE_MAP / a / #else / b / #endif / c')).toEqual(['b', 'c'])
  expect(lines('#ifndef USE_MAP / a / #else / b / #endif')).toEqual(['a'])
  expect(lines('#ifdef USE_MAP / #ifdef X / a / #endif / #elif defined( X ) / b / #endif')).toEqual([
    '#if defined( X )',
    'b',
    '#endif',
  ])
  expect(lines('#ifdef X / a / #elif defined( USE_MAP ) / b / #else / c / #endif')).toEqual(
    '#ifdef X / a / #else / c / #endif'.split(' / '),
  )
  expect(lines('#if ( NUM_POINT_LIGHTS > 0 ) && defined( X ) / a / #endif')).toEqual([])
  expect(
    lines('#if defined( USE_MAP ) || ! defined ( USE_TANGENT ) && ( defined( Y ) || defined( X ) ) / a / #endif')[1],
  ).toBe('a')
})

test('warnings of three go and nothing else does', () => {
  expect(quiet("\t\tif ( a ) {\n\n\t\t\twarn( 'Line: old (' + a + ').' );\n\t\t\terror( 'no' );\n\n\t\t}")).toBe(
    "\t\tif ( a ) {\n\n\t\t\t;\n\t\t\terror( 'no' );\n\n\t\t}",
  )
  for (const file of ['three.core.js', 'three.module.js']) {
    const code = readFileSync(join(BUILD, file), 'utf8')
    const lines = code.split('\n')
    const left = quiet(code).split('\n')
    expect(left.length).toBe(lines.length)
    const gone = lines.filter((line, k) => line !== left[k])
    expect(gone.length).toBeGreaterThan(20)
    for (const line of gone) expect(line).toMatch(/^\t+warn(Once)?\( .* \);$/)
  }
})

/** Methods of the manager of headsets, which goes as a whole. */
const HEADSETS = new Set(
  Array.from(
    (/^class WebXRManager [^]*?^\}$/m.exec(readFileSync(join(BUILD, 'three.module.js'), 'utf8'))?.[0] ?? '').matchAll(
      /^\t\tthis\.(\w+) = /gm,
    ),
    ([, name]) => name,
  ),
)

test('what reads pictures back goes, with headsets, and the rest of the renderer stays as it is', () => {
  const code = readFileSync(join(BUILD, 'three.module.js'), 'utf8')
  const left = onlyDraws(code)
  const methods = (text: string): string[] =>
    Array.from(text.matchAll(/^\t\tthis\.(\w+) = (?:async )?function/gm), ([, name]) => name)
  const gone = methods(code).filter((name) => !methods(left).includes(name))
  expect(gone.filter((name) => !HEADSETS.has(name))).toEqual([
    'forceContextLoss',
    'forceContextRestore',
    'setNodesHandler',
    'compile',
    'compileAsync',
    'setRenderTargetTextures',
    'readRenderTargetPixels',
    'readRenderTargetPixelsAsync',
    'copyFramebufferToTexture',
    'copyTextureToTexture',
    'initRenderTarget',
  ])
  // What the renderer asks of the manager of headsets is there.
  const asked = new Set(Array.from(left.matchAll(/\bxr\.(\w+)\(/g), ([, name]) => name))
  const manager = /^class WebXRManager \{[^]*?^\}$/m.exec(left)?.[0] ?? ''
  const ofSessions = ['updateCamera', 'getCamera', 'getDepthSensingMesh', 'hasDepthSensing']
  for (const name of asked) if (!ofSessions.includes(name)) expect(manager).toContain(`${name}() {}`)
  for (const name of ['render', 'setRenderTarget', 'initTexture', 'dispose']) expect(methods(left)).toContain(name)
})

test('parts that the gallery does not use are empty, and nothing else changes', () => {
  const code = readFileSync(join(BUILD, 'three.module.js'), 'utf8')
  const left = withoutParts(code)
  const parts = (text: string): Map<string, string> =>
    new Map(Array.from(text.matchAll(/^(?:function|class) (\w+)[^]*?(?:^\}$|\}$)/gm), ([whole, name]) => [name, whole]))
  const [before, after] = [parts(code), parts(left)]
  expect([...after.keys()]).toEqual([...before.keys()])
  const changed = [...before.keys()].filter((name) => before.get(name) !== after.get(name))
  expect(changed.sort()).toEqual(['WebGLEnvironments', 'WebGLMorphtargets', 'WebGLOutput', 'WebGLUniformsGroups'])
  for (const name of changed) expect(left).toMatch(new RegExp(`new ${name}\\(`))
})
