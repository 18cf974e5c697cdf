import { choosePlot, gapPercent } from '../measures.js'
import { heavyChain } from '../../../scenes/impulse/chains.js'
import type { Exhibit } from '../exhibit.js'
import { type Part, shifted, solid } from '../parts.js'
import { numberOf, type Values } from '../settings.js'
import { massRatio, standard, worldOptions } from '../standard.js'

/** Half the distance of the two ropes, and half a link [m]. */
const ASIDE = 1.6
const HALF = 0.25
const LINKS = 20

function ropeParts(scene: ReturnType<typeof heavyChain>, ratio: number, text: string, z: number): Part[] {
  const last = scene.bodies.length - 1
  const parts = scene.bodies.map((body, k) =>
    k === last
      ? solid(body, { kind: 'sphere', radius: 0.13 + 0.06 * Math.log10(ratio) }, 'heavy')
      : solid(body, { kind: 'capsule', radius: 0.055, half: HALF - 0.02 }, 'rope', {
          turned: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
        }),
  )
  const hook: Part = {
    kind: 'solid',
    form: { kind: 'sphere', radius: 0.1 },
    tone: 'fixed',
    place: (out) => out.set([0, 0, 0, 0, 0, 0, 1]),
  }
  return shifted([...parts, hook, { kind: 'label', text, at: [Math.sign(z) * -1.7, 0.6, 0] }], [0, 0, z])
}

/** Two ropes with the same weight: one swept joint by joint, one solved whole. */
export const heavyRope: Exhibit = {
  id: 'rope',
  title: 'Heavy rope',
  blurb: 'A weight a thousand times as heavy as a link: one solver stretches, one does not.',
  tries: [
    'Raise the mass ratio to 100 000 : 1.',
    'Pull one of the balls up and let go.',
    'Raise the substeps under “Solver” until Gauss–Seidel holds as well.',
  ],
  text: [
    'Two ropes of twenty links with the same weight on the end. One is solved joint after joint (Gauss–Seidel), as most engines do; the other as one tree, directly.',
  ],
  group: 'Cloth and rope',
  settings: [massRatio(1000), ...standard({ substeps: 8, solver: null })],
  view: { centre: [0, -6.2, 0], radius: 9.5, half: [11, 8.2], turn: 0.35, tilt: 0.08 },
  pose: 88,
  build(values) {
    const ratio = numberOf(values, 'ratio')
    const options = worldOptions(values)
    const swept = heavyChain(ratio, { ...options, solver: 'sweep' })
    const direct = heavyChain(ratio, { ...options, solver: 'direct' })
    let compliance = 0
    const soften = (now: Values): void => {
      const wanted = numberOf(now, 'compliance')
      if (wanted === compliance) return
      for (const joint of [...swept.joints, ...direct.joints]) joint.set({ compliance: wanted })
      compliance = wanted
    }
    soften(values)
    return {
      dt: swept.world.settings.dt,
      worlds: [swept.world, direct.world],
      parts: [...ropeParts(swept, ratio, 'Gauss–Seidel', -ASIDE), ...ropeParts(direct, ratio, 'Direct', ASIDE)],
      step() {
        swept.world.step()
        direct.world.step()
      },
      configure(now: Values) {
        const changed = worldOptions(now)
        soften(now)
        swept.world.configure({ ...changed, solver: 'sweep' })
        direct.world.configure({ ...changed, solver: 'direct' })
      },
      figures: () => ({
        'Stretch, Gauss–Seidel': { value: gapPercent(swept.joints, LINKS * 2 * HALF), unit: '%' },
        'Stretch, direct': { value: gapPercent(direct.joints, LINKS * 2 * HALF), unit: '%' },
      }),
      plots: [choosePlot('Widest gap in a joint', 'm', { 'Gauss–Seidel': swept.joints, direct: direct.joints })],
    }
  },
}
