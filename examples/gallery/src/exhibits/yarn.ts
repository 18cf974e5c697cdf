import { rod, type Rod } from '@tautline/assemblies'
import { capsule, Collisions } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import type { vec3 } from 'gl-matrix'
import { ropePart } from '../rope-part.js'
import type { Exhibit } from '../exhibit.js'
import { type Part, solid, type Tone } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

/** Length of the yarn, half its thickness, and half the way between its ends at the start [m]. */
const [LENGTH, RADIUS, HALF] = [1.9, 0.024, 0.27]
const LINKS = 40
/** How fast the ends turn, and come nearer [1/s, m/s]. */
const [TURNING, NEARING] = [1.6, 0.15]
/** Plies, how far their middles are from that of the yarn [m], and how they are laid from link to link at rest [rad]. */
const PLIES: readonly Tone[] = ['goal', 'cloth', 'body']
const ASIDE = 0.6 * RADIUS
const LAY = -0.4

/** A yarn that is twisted until it coils up with itself. */
export const yarn: Exhibit = {
  id: 'yarn',
  title: 'Twisted yarn',
  blurb: 'A yarn hangs by both ends, which are turned: its legs wind around each other.',
  tries: ['Turn the ends, and turn them the other way.', 'Draw the ends apart.', 'Pull at the loop.'],
  text: [
    'A rod of rigid links that bend and twist, and touch each other. Twist costs energy; where the yarn winds around itself there is less of it: a plectoneme, as in a twisted string and in DNA.',
  ],
  group: 'Cloth and rope',
  settings: [
    { kind: 'number', name: 'turns', label: 'Turns', min: -16, max: 16, step: 1, value: 7, live: true },
    {
      kind: 'number',
      name: 'apart',
      label: 'Ends apart',
      unit: 'm',
      min: 0.2,
      max: 1.4,
      step: 0.02,
      value: 0.4,
      live: true,
    },
    ...standard({ substeps: 4, solver: null, gravity: 2, compliance: null }),
  ],
  view: { centre: [0, -0.36, 0], radius: 0.7, half: [0.62, 0.6], turn: 0.25, tilt: 0.08 },
  pose: 240,
  build(values) {
    const world = new World(worldOptions(values))
    new Collisions(world)
    const ends = [-1, 1].map((side) => world.addBody({ type: 'kinematic', inertia: 1, position: [side * HALF, 0, 0] }))
    const thread = rod(world, {
      points: hanging(),
      rest: 'straight',
      radius: RADIUS,
      segments: LINKS,
      mass: 0.4,
      bendStiffness: 0.003,
      twistStiffness: 0.004,
      damping: 0.05,
      linearDamping: 1,
      shape: capsule,
      friction: 0.1,
      start: { body: ends[0], clamped: true },
      end: { body: ends[1], clamped: true },
    })
    // What lies in a plane stays in it: a nudge breaks the tie.
    thread.links[LINKS / 2].applyImpulse([0, 0, 1e-3])
    let [turns, half] = [0, HALF]
    let [wantedTurns, wantedHalf] = [0, HALF]
    return liveWorld({
      world,
      values,
      parts: [...ends.map(chuck), ropePart(thread, 'rope'), ...PLIES.map((tone, k) => ply(thread, k, tone))],
      beforeStep() {
        const { dt } = world.settings
        turns += bounded(wantedTurns - turns, TURNING * dt)
        half += bounded(wantedHalf - half, NEARING * dt)
        // One end goes up and one down along the yarn: turned alike, they twist it twice as much.
        const angle = 0.5 * Math.PI * turns
        ends.forEach((end, k) => end.setTarget([(2 * k - 1) * half, 0, 0], [0, sin(angle), 0, cos(angle)]))
      },
      configure(now) {
        wantedTurns = numberOf(now, 'turns')
        wantedHalf = 0.5 * numberOf(now, 'apart')
      },
      figures: () => ({
        'Turns put in': { value: turns, unit: '' },
        'Largest bend': { value: Math.max(...thread.strains), unit: 'rad' },
      }),
    })
  },
}

function bounded(x: number, most: number): number {
  return Math.max(-most, Math.min(most, x))
}

/** Two legs and half a circle between them, as x, y, z of points [m]. */
function hanging(): number[] {
  const leg = 0.5 * (LENGTH - Math.PI * HALF)
  const bow = Array.from({ length: 33 }, (_, k) => {
    const angle = (Math.PI * k) / 32
    return [-HALF * cos(angle), -leg - HALF * sin(angle), 0]
  })
  return [-HALF, 0, 0, ...bow.flat(), HALF, 0, 0]
}

/** What an end is clamped in. */
function chuck(body: Body): Part {
  return solid(body, { kind: 'box', half: [0.06, 0.09, 0.06] }, 'heavy', { at: [0, 0.07, 0] })
}

/** A strand beside the middle of the yarn: through links, and between two where both have it in the mean. */
function ply({ links, settings }: Rod, k: number, tone: Tone): Part {
  const half = 0.5 * settings.link
  const start = (2 * Math.PI * k) / PLIES.length
  const place = (link: number, y: number, along: number): vec3 => {
    const angle = start + LAY * along
    return links[link].toWorld([ASIDE * cos(angle), y, ASIDE * sin(angle)])
  }
  const last = links.length - 1
  return {
    kind: 'tube',
    count: 2 * links.length + 1,
    radius: 0.6 * RADIUS,
    tone,
    write(out) {
      for (let i = 0; i <= last; i++) {
        out.set(place(i, 0, i + 0.5), 6 * i + 3)
        const [a, b] = [place(Math.max(0, i - 1), i === 0 ? -half : half, i), place(i, -half, i)]
        for (let n = 0; n < 3; n++) out[6 * i + n] = 0.5 * (a[n] + b[n])
      }
      out.set(place(last, half, last + 1), 6 * last + 6)
    },
  }
}
