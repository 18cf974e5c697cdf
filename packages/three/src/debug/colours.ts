/** Colours of debug lines: red, green and blue, linear, as vertex colours of three are. */

import { cos, sin } from '@tautline/core/kernel'

/** By what is drawn. */
export const PALETTE = {
  x: [0.85, 0.08, 0.06],
  y: [0.12, 0.65, 0.06],
  z: [0.08, 0.22, 0.95],
  particle: [0.55, 0.55, 0.55],
  collider: [0.1, 0.6, 0.45],
  still: [0.25, 0.28, 0.35],
  asleep: [0.18, 0.2, 0.45],
  sensor: [0.75, 0.6, 0.05],
  joint: [0.9, 0.9, 0.9],
  limit: [0.95, 0.5, 0.05],
  needle: [1, 0.85, 0.2],
  link: [0.2, 0.75, 0.85],
  gap: [1, 0.02, 0.1],
  contact: [0.95, 0.15, 0.65],
  force: [0.95, 0.35, 0.02],
  couple: [0.55, 0.15, 0.95],
} as const

/** Name of one. */
export type Colour = keyof typeof PALETTE

const STEPS = 256
let table: Float32Array | undefined

/**
 * Writes the colour of a share in [0, 1] to `out`: dark blue over green to yellow. Made in Oklab, where equal ways look equally long:
 * lightness rises evenly, so the order stays in grey and for the colour-blind.
 */
export function scaleColour(share: number, out: Float64Array): void {
  table ??= makeTable()
  const k = 3 * Math.round((STEPS - 1) * Math.min(Math.max(share, 0), 1))
  for (let n = 0; n < 3; n++) out[n] = table[k + n]
}

function makeTable(): Float32Array {
  const colours = new Float32Array(3 * STEPS)
  for (let k = 0; k < STEPS; k++) {
    const t = k / (STEPS - 1)
    const lightness = 0.42 + 0.52 * t
    const hue = ((280 - 175 * t) * Math.PI) / 180
    const chroma = 0.15 + 0.02 * t
    const a = chroma * cos(hue)
    const b = chroma * sin(hue)
    // Oklab to linear sRGB (Ottosson 2020).
    const l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
    const m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
    const s = cube(lightness - 0.0894841775 * a - 1.291485548 * b)
    colours[3 * k] = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
    colours[3 * k + 1] = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
    colours[3 * k + 2] = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  }
  return colours
}

function cube(x: number): number {
  return x * x * x
}

function clamp(x: number): number {
  return Math.min(Math.max(x, 0), 1)
}
