import { cloth, softBody } from '@tautline/assemblies'
import { Collisions } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { bunnyMesh } from '../../../lib/bunny.js'
import { grid } from '../../../lib/grid.js'
import { fit } from '../../../lib/mesh.js'
import { clothPart } from '../cloth-part.js'
import { softBodyPart } from '../soft-body-part.js'
import type { Exhibit, Triple } from '../exhibit.js'
import { boxForm, type Part, standing, writeCentre } from '../parts.js'
import { numberOf } from '../settings.js'
import { liveWorld, standard, worldOptions } from '../standard.js'

/** Knots a side of the net, half its side, its height, and how far it sags [m]. */
const [KNOTS, HALF, HEIGHT, SAG] = [21, 0.5, 0.9, 0.25]
const BUNNY = 0.55

/** A soft bunny in a net. */
export const hammock: Exhibit = {
  id: 'hammock',
  title: 'Bunny in a net',
  blurb: 'A jelly bunny drops into a net: elastic tetrahedra on threads, and both feel it.',
  tries: ['Pull the bunny up and let go.', 'Make it softer.', 'Pull the net down.'],
  text: [
    'The bunny is filled with tetrahedra of elastic material, Young’s modulus and all; its fine skin rides along. The net is cloth of threads without anything between them. Its knots and the nodes of the bunny keep off each other.',
  ],
  group: 'Soft bodies',
  settings: [
    {
      kind: 'number',
      name: 'modulus',
      label: 'Young’s modulus',
      unit: 'Pa',
      min: 1e3,
      max: 1e5,
      scale: 'log',
      value: 1.2e4,
    },
    { kind: 'number', name: 'turned', label: 'Turned', unit: '°', min: -180, max: 180, step: 5, value: 25 },
    ...standard({ substeps: 5, solver: null, compliance: null }),
  ],
  view: { centre: [0, 0.72, 0], radius: 0.85, half: [0.84, 0.74], turn: 0.5, tilt: 0.3, floor: 0 },
  pose: 20,
  build(values) {
    const world = new World(worldOptions(values))
    new Collisions(world)
    const angle = (numberOf(values, 'turned') * Math.PI) / 360
    const mesh = bunnyMesh()
    const bunny = softBody(world, {
      positions: fit(mesh.positions, BUNNY, 0),
      indices: mesh.triangles,
      size: 0.08,
      position: [0.05, HEIGHT + 0.3, 0],
      orientation: [0, 0, sin(angle), cos(angle)],
      youngsModulus: numberOf(values, 'modulus'),
      density: 60,
      damping: 0.01,
      solver: 'sweep',
      selfCollision: 'vertices',
      radius: 0.025,
    })
    const net = cloth(world, {
      ...grid(KNOTS, KNOTS, (u, v) => {
        const deep = 16 * SAG * u * (1 - u) * v * (1 - v)
        return [HALF * (2 * u - 1), HEIGHT - deep, HALF * (2 * v - 1)]
      }),
      pins: Array.from({ length: KNOTS * KNOTS }, (_, k) => k).filter(isOnRim),
      density: 0.5,
      thickness: 0.03,
      stretchCompliance: 1e-4,
      shearCompliance: 1,
      selfCollision: 'vertices',
    })
    return liveWorld({
      world,
      values,
      parts: [
        softBodyPart(bunny, 'cloth'),
        { ...clothPart(net, 'body'), isHidden: true },
        threadsOf(net.vertices),
        ...frame(),
      ],
      figures: () => ({
        'Volume of the bunny': { value: 1000 * bunny.volume, unit: 'l' },
        'Largest stretch of the net': { value: 100 * net.measure().stretch.max, unit: '%' },
      }),
    })
  },
}

function isOnRim(k: number): boolean {
  const [i, j] = [k % KNOTS, Math.floor(k / KNOTS)]
  return i === 0 || j === 0 || i === KNOTS - 1 || j === KNOTS - 1
}

/** The threads between knots, without triangles. */
function threadsOf(knots: readonly Body[]): Part {
  const threads = knots.flatMap((_, k) => [
    ...((k + 1) % KNOTS === 0 ? [] : [[k, k + 1]]),
    ...(k + KNOTS < knots.length ? [[k, k + KNOTS]] : []),
  ])
  return {
    kind: 'sticks',
    count: threads.length,
    radius: 0.008,
    tone: 'body',
    write(out, alpha) {
      threads.forEach((ends, k) => ends.forEach((v, side) => writeCentre(knots[v], alpha, out, 6 * k + 3 * side)))
    },
  }
}

/** Bars along the rim, and legs. */
function frame(): Part[] {
  const part = (size: Triple, at: Triple): Part => ({
    kind: 'solid',
    form: boxForm(size),
    tone: 'fixed',
    place: standing(at),
  })
  const [bar, at] = [0.05, HALF + 0.025]
  const sides = [-at, at]
  return [
    ...sides.map((x) => part([bar, bar, 2 * at + bar], [x, HEIGHT, 0])),
    ...sides.map((z) => part([2 * at - bar, bar, bar], [0, HEIGHT, z])),
    ...sides.flatMap((x) => sides.map((z) => part([bar, HEIGHT, bar], [x, 0.5 * HEIGHT, z]))),
  ]
}
