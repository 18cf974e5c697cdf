/** Colours of the picture, from the style sheet. */

import { Color, type Material, MeshStandardMaterial } from 'three'
import { type Tone, TONES } from '../parts.js'

/** The colour of a custom property. */
export function cssColour(name: string): Color {
  const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  return new Color(text === '' ? '#888' : text)
}

/** One material a tone, shared by everything, and one that has both sides; the theme sets their colours. */
export class Palette {
  private readonly solid = new Map<Tone, MeshStandardMaterial>()
  private readonly open = new Map<Tone, MeshStandardMaterial>()

  constructor() {
    for (const tone of TONES) {
      const material = new MeshStandardMaterial({ roughness: 0.75, metalness: 0 })
      if (tone === 'cloth') material.side = 2
      if (tone === 'heavy') material.roughness = 0.45
      if (tone === 'goal') material.roughness = 0.35
      if (tone === 'ghost') {
        material.transparent = true
        material.opacity = 0.25
        material.depthWrite = false
      }
      this.solid.set(tone, material)
      const open = material.clone()
      open.side = 2
      open.roughness = 0.85
      this.open.set(tone, open)
    }
    this.read()
  }

  of(tone: Tone): Material {
    return this.solid.get(tone) as Material
  }

  /** Of what is seen from both sides. */
  openOf(tone: Tone): Material {
    return this.open.get(tone) as Material
  }

  /** Takes the theme's colours over. */
  read(): void {
    for (const [tone, material] of [...this.solid, ...this.open]) material.color.copy(cssColour(`--tone-${tone}`))
  }
}
