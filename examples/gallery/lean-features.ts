/**
 * Features of three's shaders that no material, light or mesh of the gallery has. Shaders hold them all, under conditions that ask which of them are there: what
 * stands under one that never holds goes, so that what the graphics card compiles stays the same.
 */

import type { Plugin } from 'vite'

/** A shader of three, as its declaration stands there: a line. */
export const SHADERS = /^(?:var|const) ([\w$]+) = ("(?:[^"\\]|\\.)*");$/gm

/** Names that no shader of the gallery has defined, or that are 0 in all of them, and how code asks for what they stand for. */
interface Absent {
  readonly names: string
  readonly asked: RegExp
}

const ABSENT: readonly Absent[] = [
  {
    names: `PHYSICAL IOR USE_SPECULAR USE_ANISOTROPY USE_CLEARCOAT USE_DIFFUSE_ROUGHNESS USE_DISPERSION USE_IRIDESCENCE
      USE_RETROREFLECTION USE_SHEEN USE_TRANSMISSION`,
    asked: /\bMeshPhysicalMaterial\b/,
  },
  {
    names: `USE_MAP USE_ALPHAMAP USE_LIGHTMAP USE_AOMAP USE_BUMPMAP USE_NORMALMAP USE_NORMALMAP_OBJECTSPACE
      USE_NORMALMAP_TANGENTSPACE USE_PACKED_NORMALMAP USE_TANGENT USE_DISPLACEMENTMAP USE_EMISSIVEMAP USE_ROUGHNESSMAP
      USE_METALNESSMAP USE_SPECULARMAP USE_SPECULAR_COLORMAP USE_SPECULAR_INTENSITYMAP USE_ANISOTROPYMAP USE_CLEARCOATMAP
      USE_CLEARCOAT_NORMALMAP USE_CLEARCOAT_ROUGHNESSMAP USE_DIFFUSE_ROUGHNESSMAP USE_IRIDESCENCEMAP
      USE_IRIDESCENCE_THICKNESSMAP USE_SHEEN_COLORMAP USE_SHEEN_ROUGHNESSMAP USE_TRANSMISSIONMAP USE_THICKNESSMAP
      DECODE_VIDEO_TEXTURE DECODE_VIDEO_TEXTURE_EMISSIVE`,
    asked: /\bnew (?:\w+\.)?\w*Texture\(|\b\w*TextureLoader\b/,
  },
  {
    names: `USE_LIGHT_PROBES NUM_LIGHT_PROBE_GRIDS NUM_POINT_LIGHTS NUM_POINT_LIGHT_SHADOWS NUM_RECT_AREA_LIGHTS
      NUM_SPOT_LIGHTS NUM_SPOT_LIGHT_COORDS NUM_SPOT_LIGHT_MAPS NUM_SPOT_LIGHT_SHADOWS NUM_SUN_LIGHTS NUM_SUN_LIGHT_SHADOWS`,
    asked: /\bnew (?:\w+\.)?(?!Directional|Hemisphere)\w+Light(?:Probe\w*)?\(/,
  },
  { names: 'USE_ENVMAP', asked: /\b(?:envMap|CubeTexture|PMREMGenerator|Equirectangular\w+)\b|\.environment =/ },
  {
    names: 'USE_MORPHTARGETS USE_MORPHNORMALS USE_MORPHCOLORS USE_INSTANCING_MORPH',
    asked: /\bmorphTarget\w+|\bmorphAttributes\.\w|\bsetMorphAt\b/,
  },
  { names: 'USE_SKINNING', asked: /\bSkinnedMesh\(/ },
  { names: 'USE_BATCHING USE_BATCHING_COLOR', asked: /\bBatchedMesh\b/ },
  { names: 'USE_CLIP_DISTANCE NUM_CLIPPING_PLANES', asked: /\bclippingPlanes\b|\blocalClippingEnabled\b/ },
  {
    names: 'USE_ALPHAHASH USE_ALPHATEST ALPHA_TO_COVERAGE DITHERING',
    asked: /\b(?:alphaHash|alphaTest|alphaToCoverage|dithering)\b/,
  },
  {
    names: 'USE_LOGARITHMIC_DEPTH_BUFFER USE_REVERSED_DEPTH_BUFFER',
    asked: /\b(?:logarithmic|reversed)DepthBuffer\b/,
  },
  { names: 'SHADOWMAP_TYPE_BASIC SHADOWMAP_TYPE_VSM', asked: /\b(?:Basic|VSM)ShadowMap\b/ },
]

const ABSENT_NAMES: ReadonlySet<string> = new Set(ABSENT.flatMap(({ names }) => names.split(/\s+/)))

/** What never holds goes; where the gallery asks for one of these features, the build stops. */
export const withoutFeatures: Plugin = {
  name: 'without-features',
  apply: 'build',
  transform(code, id) {
    if (id.endsWith('three.module.js')) return { code: withPresentFeatures(code), map: null }
    if (id.includes('node_modules')) return null
    for (const { names, asked } of ABSENT) {
      const found = asked.exec(code)
      if (found !== null) this.error(`ABSENT of lean-features.ts must not have ${names}: ${id} has ${found[0]}`)
    }
    return null
  },
}

/** The renderer of three with shaders without what never holds. */
export function withPresentFeatures(code: string): string {
  return code.replaceAll(SHADERS, (_, name: string, text: string) => {
    const lines = (JSON.parse(text) as string).split('\n')
    return `const ${name} = ${JSON.stringify(presentLines(lines).join('\n'))};`
  })
}

/** A condition that is open. */
interface Open {
  /** Whether a line of it was kept, so that its end is, too. */
  isKept: boolean
  /** Whether what stands here goes. */
  isOut: boolean
  /** Whether one of its branches always holds: the ones after it go. */
  isSure: boolean
}

/** Lines of a shader without those that are under conditions that never hold, and without conditions that always do. */
export function presentLines(lines: readonly string[]): string[] {
  const kept: string[] = []
  const open: Open[] = []
  for (const line of lines) {
    const [, word, condition = ''] = /^\s*#\s*(if|ifdef|ifndef|elif|else|endif)\b\s*([^/]*)/.exec(line) ?? []
    const isWithin = open
      .slice(0, word === undefined || word.startsWith('if') ? undefined : -1)
      .every(({ isOut }) => !isOut)
    if (word === undefined) {
      if (isWithin) kept.push(line)
    } else if (word === 'endif') {
      if (open.pop()?.isKept === true && isWithin) kept.push(line)
    } else {
      if (word.startsWith('if')) open.push({ isKept: false, isOut: false, isSure: false })
      if (isWithin) branch(open[open.length - 1], word, condition, line, kept)
    }
  }
  if (open.length > 0) throw new Error(`presentLines: every condition must end, got ${lines.join('\n')}`)
  return kept
}

/** Begins a branch of a condition that is open. */
function branch(here: Open, word: string, condition: string, line: string, kept: string[]): void {
  const holds = word === 'else' ? !here.isKept || undefined : truth(word, condition)
  here.isOut = here.isSure || holds === false
  if (here.isOut) return
  here.isSure = holds === true && !here.isKept
  if (here.isSure) return
  kept.push(here.isKept ? line : line.replace('elif', 'if'))
  here.isKept = true
}

/** Whether a condition always holds, or never; `undefined` where that depends. */
function truth(word: string, condition: string): boolean | undefined {
  const text = condition.trim()
  const asked = word === 'ifdef' ? `defined(${text})` : word === 'ifndef' ? `!defined(${text})` : text
  let left = asked.replaceAll(/defined\s*\(\s*(\w+)\s*\)|\b(NUM_\w+) > 0/g, (_, name: string, number: string) =>
    ABSENT_NAMES.has(name) || ABSENT_NAMES.has(number) ? NEVER : DEPENDS,
  )
  while (left.includes('(')) left = left.replaceAll(/\(([^()]*)\)/g, (_, inner: string) => valueOf(inner))
  return { [ALWAYS]: true, [NEVER]: false }[valueOf(left)]
}

/** What stands for the value of a condition, or of a part of one. */
const ALWAYS = 'always'
const NEVER = 'never'
const DEPENDS = 'depends'

/** The value of a condition without brackets. */
function valueOf(condition: string): string {
  const terms = condition.split('||').map((term) => {
    const parts = term.split('&&').map(valueOfPart)
    return parts.includes(NEVER) ? NEVER : parts.includes(DEPENDS) ? DEPENDS : ALWAYS
  })
  return terms.includes(ALWAYS) ? ALWAYS : terms.includes(DEPENDS) ? DEPENDS : NEVER
}

function valueOfPart(part: string): string {
  const [, not, value = DEPENDS] = /^\s*(!?)\s*(always|never)\s*$/.exec(part) ?? []
  return not !== '!' ? value : value === NEVER ? ALWAYS : NEVER
}
