import { cloth, type Cloth } from '@tautline/assemblies'
import { box, Collisions, plane, sphere } from '@tautline/collision'
import { World } from '@tautline/core'
import { sin } from '@tautline/core/kernel'
import { grid } from '../../../lib/grid.js'
import { clothPart } from '../cloth-part.js'
import type { Exhibit } from '../exhibit.js'
import { collidersOf } from '../collider-parts.js'
import { type Part, standing } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

/** Height of the rail, width of a panel as it hangs, and share of it that its folds take up. */
const [RAIL, WIDTH, FOLDS] = [2.05, 0.88, 0.36]
const [ACROSS, DOWN, LENGTH] = [22, 27, 1.95]
/** Columns between two hooks. */
const HOOKS = 3
/** Steps from a throw to the next, and the first. */
const [EVERY, FIRST] = [200, 60]
/** To which side the throws go: through the gap, then at the panels [m/s]. */
const ASIDE = [0, 0.95, -0.95]

function hangPanel(world: World, side: 1 | -1): Cloth {
  const flat = grid(ACROSS, DOWN, (u, v) => [side * (0.01 + (WIDTH / (1 - FOLDS)) * u), -LENGTH * v, 0])
  const folded = grid(ACROSS, DOWN, (u, v) => {
    const phase = (2 * Math.PI * (ACROSS - 1) * u) / (2 * HOOKS)
    return [side * (0.01 + WIDTH * u), -LENGTH * v, 0.05 * sin(phase)]
  })
  const hooks = Array.from({ length: Math.ceil(ACROSS / HOOKS) }, (_, k) => HOOKS * k)
  return cloth(world, {
    ...flat,
    pose: folded.positions,
    position: [0, RAIL - 0.05, 0],
    pins: hooks,
    density: 0.15,
    thickness: 0.015,
    friction: 0.2,
    drag: 1,
    gust: 1,
  })
}

/** A curtain before an open window, through which a ball is thrown. */
export const curtain: Exhibit = {
  id: 'curtain',
  title: 'Curtain',
  blurb: 'Two panels before an open window: the wind bellies them, and a ball comes in.',
  tries: ['Pull a panel aside.', 'Raise the wind to a storm.', 'Have a ball thrown at a panel.'],
  text: [
    'Both panels hang in folds from hooks. The air presses on each triangle by its speed against the wind, solved implicitly, so that even a storm does not blow the cloth up.',
    'A ball is thrown in every few seconds: between the panels, or at one of them.',
  ],
  group: 'Cloth and rope',
  settings: [
    { kind: 'number', name: 'wind', label: 'Wind', unit: 'm/s', min: 0, max: 15, step: 0.1, value: 1.6, live: true },
    { kind: 'number', name: 'throw', label: 'Speed of the ball', unit: 'm/s', min: 2, max: 12, step: 0.5, value: 5 },
    ...standard({ substeps: 4, solver: null, compliance: null }),
  ],
  view: { centre: [0, 1.02, 0.35], radius: 1.4, half: [1.48, 1.48], turn: 0.42, tilt: 0.1, floor: 0 },
  pose: 95,
  build(values) {
    const world = new World(worldOptions(values))
    const collisions = new Collisions(world)
    // A carpet, on which the ball soon lies still.
    collisions.addCollider(null, { shape: plane([0, 1, 0], 0), friction: 1 })
    // The wall around the window.
    for (const [x, y, half] of [
      [-1.1, 1.25, [0.35, 1.25, 0.06]],
      [1.1, 1.25, [0.35, 1.25, 0.06]],
      [0, 2.2, [0.75, 0.3, 0.06]],
      [0, 0.3, [0.75, 0.3, 0.06]],
    ] as const) {
      collisions.addCollider(null, { shape: box(half), position: [x, y, -0.3] })
    }
    const ball = collisions.addBody({
      shape: sphere(0.15),
      mass: 0.6,
      position: [0, 0.15, -2],
      friction: 1,
      angularDamping: 30,
    })
    const panels = [hangPanel(world, -1), hangPanel(world, 1)]
    const speed = numberOf(values, 'throw')
    let thrown = 0
    const rail: Part = {
      kind: 'solid',
      form: { kind: 'capsule', radius: 0.025, half: 1.15 },
      tone: 'heavy',
      place: standing([0, RAIL, 0], [0, 0, Math.SQRT1_2, Math.SQRT1_2]),
    }
    return liveWorld({
      world,
      values,
      parts: [...collidersOf(world, () => 'goal'), rail, ...panels.map((panel) => clothPart(panel, 'body'))],
      beforeStep(step) {
        if (step % EVERY !== FIRST) return
        ball.setPosition([0, 1.3, -1.5])
        ball.setVelocity([ASIDE[thrown++ % ASIDE.length], 0.9, speed])
        ball.setAngularVelocity([0, 0, 0])
      },
      configure(now) {
        for (const panel of panels) panel.wind = [0, 0, numberOf(now, 'wind')]
      },
      figures: () => ({
        'Largest stretch': { value: 100 * Math.max(...panels.map((panel) => panel.measure().stretch.max)), unit: '%' },
      }),
    })
  },
}
