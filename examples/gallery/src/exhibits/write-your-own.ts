import { World } from '@tautline/core'
import type { Exhibit } from '../exhibit.js'
import { collidersOf, type Part, solid, writeCentre } from '../parts.js'
import { type FindMistake, lineOf, messageOf, runScript, ScriptError } from '../script.js'
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

/** Radius of a particle that is drawn [m]. */
const BEAD = 0.05

/** Twenty lines of one's own. */
export const writeYourOwn: Exhibit = {
  id: 'write',
  title: 'Write a constraint',
  blurb: 'Twenty lines that you can change: the scene runs as you type.',
  text: [
    'A constraint is an error function: the library finds its gradient and moves the bodies until the error is 0. Compliance, limits and forces come along.',
    '“world”, “custom”, “force” and all constraint types are there by name, solidBox and its like, Collisions with box, capsule, plane and sphere, and sin, cos and atan2 of the same bits in every browser. Let the torus become a sphere.',
  ],
  group: 'Behind it',
  extra: 'editor',
  settings: standard({ substeps: 6, iterations: 2, solver: null }),
  view: { centre: [0, -0.1, 0], radius: 1.7, turn: 0.4, tilt: 0.5 },
  pose: 70,
  build(values) {
    const world = new World(worldOptions(values))
    runScript(script.text, world, script.findMistake)
    const bodies = world.bodies.all()
    const parts: Part[] = collidersOf(world)
    const shown = new Set(
      parts.flatMap((part) => (part.kind === 'solid' && part.body !== undefined ? [part.body.index] : [])),
    )
    for (const body of bodies) {
      if (shown.has(body.index)) continue
      const isFixed = body.type !== 'dynamic'
      parts.push(
        body.isParticle
          ? solid(body, { kind: 'sphere', radius: BEAD }, isFixed ? 'fixed' : 'second')
          : solid(body, { kind: 'box', half: halfOf(body) }, isFixed ? 'fixed' : 'body'),
      )
    }
    const links = world.constraints().flatMap((constraint) => {
      const [a, b, ...more] = constraint.bodies
      return a !== null && b !== null && b !== undefined && more.length === 0 ? [[a, b] as const] : []
    })
    if (links.length > 0) {
      parts.push({
        kind: 'sticks',
        count: links.length,
        radius: 0.4 * BEAD,
        tone: 'rope',
        write(out, alpha) {
          links.forEach(([a, b], k) => {
            if (!a.alive || !b.alive) return
            writeCentre(a, alpha, out, 6 * k)
            writeCentre(b, alpha, out, 6 * k + 3)
          })
        },
      })
    }
    const live = liveWorld({
      world,
      values,
      parts,
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

/** Half the sides of a box of a body's mass and moments [m]. */
function halfOf({ mass, moments }: { mass: number; moments: ArrayLike<number> }): readonly [number, number, number] {
  if (!Number.isFinite(mass)) return [0.05, 0.05, 0.05]
  const [x, y, z] = Array.from(moments)
  const half = (s: number): number => Math.sqrt(Math.max((1.5 * s) / mass, 1e-4))
  return [half(y + z - x), half(z + x - y), half(x + y - z)]
}
