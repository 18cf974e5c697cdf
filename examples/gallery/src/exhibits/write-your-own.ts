import { type CustomBody, World } from '@tautline/core'
import type { Exhibit, Triple } from '../exhibit.js'
import { type Part, standing } from '../parts.js'
import { partsOfWorld } from '../world-parts.js'
import { zeroSurface } from '../zero-surface.js'
import { type FindMistake, runScript, type SurfaceError } from '../script.js'
import { lineOf, messageOf, ScriptError } from '../script-error.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

/** What the editor starts with: a constraint in five lines, and a scene for it. */
export const FIRST_TEXT = `// A constraint is an error that has to be 0: a bead stays on a torus.
const onTorus = custom({
  name: 'onTorus',
  bodies: 1,
  error([bead]) {
    const [x, y, z] = bead.position
    const out = Math.sqrt(x * x + z * z) - 1
    return Math.sqrt(out * out + y * y) - 0.4 // [m]
  },
})

// A necklace on it: beads, each on the torus, joined to the next.
const beads = Array.from({ length: 64 }, (_, k) => {
  const [a, b] = [(2 * Math.PI * k) / 64, (14 * Math.PI * k) / 64]
  const r = 1 + 0.4 * cos(b)
  const position = [r * cos(a), 0.4 * sin(b), r * sin(a)]
  return world.addParticle({ position, mass: 0.1 })
})
for (const bead of beads) world.add(onTorus, { bodies: [bead] })
beads.map((a, k) => world.add(distance, { a, b: beads[(k + 1) % 64] }))
`

/** The text as it is now: a link does not hold it. */
const script: { text: string; findMistake?: FindMistake } = { text: FIRST_TEXT }

/** Sets the text of the next build. */
export function setScript(text: string): void {
  script.text = text
}

export function scriptText(): string {
  return script.text
}

/** Sets how the line of a mistake in the grammar is found. */
export function setFindMistake(how: FindMistake): void {
  script.findMistake = how
}

/** Twenty lines of one's own. */
export const writeYourOwn: Exhibit = {
  id: 'write',
  title: 'Write a constraint',
  blurb: 'Twenty lines that you can change: the scene runs as you type.',
  tries: ['Let the torus become a sphere: the error is the distance from the middle, minus 1.', 'Make more beads.'],
  text: [
    'A constraint is an error function: the library finds its gradient and moves the bodies until the error is 0. Compliance, limits and forces come along.',
    '“world”, “custom”, “force” and all constraint types are there by name, solidBox and its like, Collisions with box, capsule, plane and sphere, and sin, cos and atan2 of the same bits in every browser.',
  ],
  group: 'Method',
  extra: 'editor',
  settings: standard({ substeps: 6, iterations: 2, solver: null }),
  view: { centre: [0, -0.1, 0], radius: 1.7, turn: 0.4, tilt: 0.5 },
  pose: 70,
  build(values) {
    const world = new World(worldOptions(values))
    const errors = runScript(script.text, world, script.findMistake)
    const live = liveWorld({
      world,
      values,
      parts: [...surfacesOf(errors, world), ...partsOfWorld(world)],
      figures: () => {
        const most = world.constraints().reduce((worst, { error }) => Math.max(worst, error), 0)
        return { 'Largest error': { value: most, unit: 'm' } }
      },
    })
    return {
      ...live,
      step() {
        try {
          live.step()
        } catch (error) {
          // The error function is the visitor's, and runs in the step.
          throw new ScriptError(messageOf(error), lineOf(error))
        }
      },
    }
  },
}

/** Cells of the grid on which surfaces are found, a side; how far the box goes beyond the bodies, as a share of its size. */
const CELLS = 30
const BEYOND = 0.12

/** Where errors of one body are 0, about the bodies there are. */
function surfacesOf(errors: readonly SurfaceError[], world: World): Part[] {
  const all = world.bodies.all()
  const [low, high] = [Math.min, Math.max].map((most) =>
    [0, 1, 2].map((k) => most(...all.map(({ position }) => position[k]))),
  )
  const room = BEYOND * Math.max(...high.map((x, k) => x - low[k]), 0.5)
  const [from, to] = [low.map((x) => x - room), high.map((x) => x + room)] as unknown as [Triple, Triple]
  return errors.flatMap((error): Part[] => {
    const valueAt = (position: Triple): number => {
      try {
        return error([{ position } as unknown as CustomBody], undefined)
      } catch {
        return NaN
      }
    }
    const { positions, indices } = zeroSurface(valueAt, from, to, CELLS)
    if (indices.length === 0) return []
    return [{ kind: 'solid', form: { kind: 'sheet', positions, indices }, tone: 'ghost', place: standing([0, 0, 0]) }]
  })
}
