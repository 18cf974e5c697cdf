import { Collisions } from '@tautline/collision'
import type { World } from '@tautline/core'
import { type ComparedWorld, contenders, type Contender, displacement, type Stepper } from '@tautline/impulse-compat'
import { comparisonScenes } from '../../../scenes/impulse/comparison.js'
import type { Exhibit, View } from '../exhibit.js'
import { collidersOf } from '../collider-parts.js'
import { boxForm, type Form, type Part, shifted, solid } from '../parts.js'
import { choiceOf, numberOf, type Values } from '../settings.js'
import { standard } from '../standard.js'

/** A scene of the comparison as it is drawn: its bodies, how far apart the two copies stand, where their labels are. */
interface Shown {
  readonly name: string
  readonly label: string
  readonly form?: Form
  readonly apart: readonly [number, number, number]
  readonly sign: readonly [number, number, number]
  readonly view: View
}

const LINK: Form = boxForm([0.5, 0.12, 0.12])
const SCENES: readonly Shown[] = [
  {
    name: 'chain 1:100',
    label: 'Chain, 1 : 100',
    form: LINK,
    apart: [0, 0, 7],
    sign: [0, 0.9, 0],
    view: { centre: [0, -4.6, 0], radius: 9, half: [13.8, 7.6], turn: 0.8, tilt: 0.15 },
  },
  {
    name: 'overlap stack',
    label: 'Overlap stack',
    apart: [5, 0, 0],
    sign: [0, 12.6, 0],
    view: { centre: [0, 5.6, 0], radius: 7.6, turn: 0.4, tilt: 0.15, floor: 0 },
  },
  {
    name: 'card house',
    label: 'House of cards',
    apart: [0, 0, 1.2],
    sign: [0, 2, 0],
    view: { centre: [0, 0.95, 0], radius: 1.5, turn: 0.7, tilt: 0.2, floor: 0 },
  },
  {
    name: 'arch',
    label: 'Arch',
    apart: [0, 0, 5],
    sign: [0, 15.6, 0],
    view: { centre: [0, 7, 0], radius: 10.5, turn: 0.7, tilt: 0.15, floor: 0 },
  },
  {
    name: 'free chain',
    label: 'Free chain',
    form: LINK,
    apart: [0, 4, 0],
    sign: [2.5, 1.3, 0],
    view: { centre: [2.5, 0, 0], radius: 5.2, turn: 0.3, tilt: 0.15 },
  },
]

/** The displacement-based school with its direct solution of trees. */
const trees: Contender = {
  name: 'trees',
  stepper(world, { substeps, iterations }) {
    world.configure({ substeps, iterations, solver: 'auto' })
    return { step: (dt) => world.step(dt), updates: () => 0 }
  },
}
const LEFT = { sweep: displacement, trees } as const
const RIGHT = Object.fromEntries(
  contenders.filter(({ name }) => name !== 'displacement').map((each) => [each.name, each]),
)

function partsOf(world: World, { form }: Shown, tone: 'body' | 'second'): Part[] {
  if (Collisions.of(world) !== undefined) return collidersOf(world, () => tone)
  const bodies = world.bodies.all()
  const heaviest = Math.max(...bodies.map(({ mass }) => mass))
  const lightest = Math.min(...bodies.map(({ mass }) => mass))
  return bodies.map((body) =>
    heaviest > lightest && body.mass === heaviest
      ? solid(body, { kind: 'sphere', radius: 0.32 }, 'heavy')
      : solid(body, form ?? LINK, tone),
  )
}

/** Displacement beside impulses. */
export const twoSolvers: Exhibit = {
  id: 'solvers',
  title: 'Two solvers, one scene',
  blurb: 'By displacement and by impulses, side by side, with error and energy.',
  tries: ['Choose another scene.', 'Pull at both sides.', 'Give one side more substeps.'],
  text: [
    'The same bodies and constraints twice: one is stepped by moving things to where they have to be, the other by impulses on velocities, as most engines do. Both have the same substeps and iterations.',
    'The error is the scene’s own: the worst joint gap, or how far something is from where it has to be.',
  ],
  group: 'Method',
  settings: [
    {
      kind: 'choice',
      name: 'scene',
      label: 'Scene',
      options: SCENES.map(({ name, label }) => [name, label]),
      value: 'chain 1:100',
    },
    {
      kind: 'choice',
      name: 'left',
      label: 'Displacement',
      options: [
        ['sweep', 'Gauss–Seidel'],
        ['trees', 'Trees solved directly'],
      ],
      value: 'sweep',
    },
    {
      kind: 'choice',
      name: 'right',
      label: 'Impulses',
      options: Object.keys(RIGHT).map((name) => [name, name[0].toUpperCase() + name.slice(1)]),
      value: 'soft step',
    },
    ...standard({ substeps: 4, iterations: 4, solver: null, compliance: null }).filter(({ name }) =>
      ['substeps', 'iterations'].includes(name),
    ),
  ],
  view: SCENES[0].view,
  pose: 100,
  build(values) {
    const shown = SCENES.find(({ name }) => name === choiceOf(values, 'scene')) ?? SCENES[0]
    const scene = comparisonScenes.find(({ name }) => name === shown.name)!
    const [left, right] = [scene.build({}), scene.build({})]
    let steppers: [Stepper, Stepper]
    const configure = (now: Values): void => {
      const budget = { substeps: numberOf(now, 'substeps'), iterations: numberOf(now, 'iterations') }
      steppers = [
        LEFT[choiceOf(now, 'left') as keyof typeof LEFT].stepper(left.world, budget),
        RIGHT[choiceOf(now, 'right')].stepper(right.world, budget),
      ]
    }
    configure(values)
    const half = shown.apart.map((x) => 0.5 * x) as [number, number, number]
    const [dx, dy, dz] = half
    const pair = (value: (of: ComparedWorld) => number) => [
      { name: 'displacement', value: () => value(left) },
      { name: 'impulses', value: () => value(right) },
    ]
    const labelled = (text: string): Part => ({ kind: 'label', text, at: shown.sign })
    const { dt } = left.world.settings
    return {
      dt,
      view: shown.view,
      worlds: [left.world, right.world],
      parts: [
        ...shifted([...partsOf(left.world, shown, 'body'), labelled('Displacement')], [-dx, dy, -dz]),
        ...shifted([...partsOf(right.world, shown, 'second'), labelled('Impulses')], [dx, -dy, dz]),
      ],
      step() {
        left.beforeStep?.()
        steppers[0].step(dt)
        right.beforeStep?.()
        steppers[1].step(dt)
      },
      configure,
      figures: () => ({
        'Error, displacement': { value: left.error(), unit: 'm' },
        'Error, impulses': { value: right.error(), unit: 'm' },
      }),
      plots: [
        { title: `Error: ${scene.about}`, unit: 'm', log: true, curves: pair(({ error }) => error()) },
        { title: 'Energy', unit: 'J', curves: pair(({ world }) => world.energy().total) },
      ],
    }
  },
}
