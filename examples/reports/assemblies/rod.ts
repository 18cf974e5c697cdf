/** Row 6: rods that writhe, keep a helix, and bend as the elastica. */

import { rod } from '@tautline/assemblies'
import { slider } from '@tautline/constraints'
import { World } from '@tautline/core'
import { cos, sin } from '@tautline/core/kernel'
import { figure, figures, type Measured, type ReportRow } from '../report.js'

/** First root of tan x = x: a rod clamped at both ends buckles at a couple of 2 x E I/L without a pull (Greenhill, 1883). */
const GREENHILL = 4.493409457909064

function writhe(): Measured {
  const [bend, twist] = [1, 1]
  const world = new World({ gravity: [0, 0, 0], substeps: 4 })
  const turning = world.addBody({ type: 'kinematic', position: [1, 0, 0], inertia: 1 })
  const wire = rod(world, {
    from: [0, 0, 0],
    to: [1, 0, 0],
    segments: 40,
    bendStiffness: bend,
    twistStiffness: twist,
    radius: 0.01,
    mass: 0.1,
    damping: 0.005,
    linearDamping: 0.2,
    start: { body: 'world', clamped: true },
  })
  const { links } = wire
  // The end turns with what holds it, and is free along the axis.
  const last = links[links.length - 1]
  world.add(slider, { a: turning, b: last, axis: [1, 0, 0], point: [1, 0, 0] })
  // A slight push aside, without which it would stay straight for ever.
  const wanted = (2 * GREENHILL * bend) / twist
  const rate = 0.1
  let angle = 0
  let found = NaN
  for (let step = 0; step < 2000 && Number.isNaN(found); step++) {
    if (step % 60 === 0) links[20].applyImpulse([0, 1e-5, 0])
    // Fast while it is far from the angle.
    angle += (angle < 0.9 * wanted ? 10 * rate : rate) / 60
    turning.setTarget([1, 0, 0], [sin(0.5 * angle), 0, 0, cos(0.5 * angle)])
    world.step()
    const [, y, z] = links[20].position
    if (Math.sqrt(y * y + z * z) > 0.02) found = angle
  }
  const off = Math.abs(found / wanted - 1)
  return {
    figures: `at ${figure(found, 4)} rad of ${figure(wanted, 4)}: off by ${figure(100 * off)} %`,
    holds: off < 0.05,
  }
}

function helix(): Measured {
  const world = new World({ substeps: 4 })
  const [curvature, twist] = [4, 3]
  const spring = rod(world, {
    from: [0, 0, 0],
    to: [0, -2, 0],
    segments: 60,
    bendStiffness: 0.5,
    mass: 0.2,
    rest: { curvature, twist },
    damping: 0.1,
    linearDamping: 1,
    start: 'world',
  })
  for (let k = 0; k < 600; k++) world.step()
  const hanging = Math.max(...spring.strains)
  for (const link of spring.links) link.setGravityScale(0)
  for (let k = 0; k < 900; k++) world.step()
  const strain = Math.max(...spring.strains)
  const k2 = curvature * curvature + twist * twist
  const turns = (2 * Math.sqrt(k2)) / (2 * Math.PI)
  const { nodes } = spring
  const [a, b] = [nodes[0], nodes[nodes.length - 1]].map(({ body, point }) => body.toWorld(point))
  const rise = (2 * Math.PI * twist * turns) / k2
  const chord = 2 * (curvature / k2) * Math.abs(Math.sin(Math.PI * turns))
  const off = Math.abs(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / Math.hypot(rise, chord) - 1)
  return {
    figures: `turned by up to ${figure(hanging)} rad a joint while it hangs; without weight ${figure(strain)} rad, its ends off by ${figure(100 * off)} %`,
    holds: off < 0.01 && strain < 1e-3,
  }
}

/** Tip of a cantilever by the elastica: P L²/E I, and how far down and nearer, in shares of L (Bisshopp and Drucker, 1945). */
const ELASTICA = [
  [1, 0.3017, 0.0564],
  [2, 0.4935, 0.1606],
  [5, 0.7138, 0.3876],
  [10, 0.8111, 0.555],
] as const

function cantilever(): Measured {
  const errors: number[] = []
  for (const [load, down, nearer] of ELASTICA) {
    const world = new World({ gravity: [0, 0, 0] })
    const n = 40
    const beam = rod(world, {
      from: [0, 0, 0],
      to: [1, 0, 0],
      segments: n,
      bendStiffness: 1,
      mass: 0.1,
      damping: 0.05,
      linearDamping: 2,
      start: { body: 'world', clamped: true },
    })
    const tip = beam.links[n - 1]
    for (let k = 0; k < 1200; k++) {
      tip.applyForce([0, -load, 0], tip.toWorld([0, 0.5 / n, 0]))
      world.step()
    }
    const [x, y] = tip.toWorld([0, 0.5 / n, 0])
    errors.push(Math.abs(-y / down - 1), Math.abs((1 - x) / nearer - 1))
  }
  return {
    figures: `off by ${figures(errors.map((error) => 100 * error))} % (down, nearer)`,
    holds: Math.max(...errors) < 0.02,
  }
}

export const rods: readonly ReportRow[] = [
  {
    id: '6.1',
    claim: 'A twisted rod writhes at its angle',
    asked: 'within 5 % of 2 · 4.4934 E I/G J',
    scene:
      '1 m, 40 links, E I = G J = 1 N m², clamped, one end turned by 0.1 rad/s and free along the axis, pushed aside by 1e-5 N s a second; aside by 2 cm counts, which takes its time to grow: damping 5 ms; 4 substeps',
    measure: writhe,
  },
  {
    id: '6.2',
    claim: 'A helical rest shape is kept',
    asked: 'ends within 1 % of the helix once its weight is taken off',
    scene:
      '2 m, 60 links, curvature 4 and twist 3 1/m, made straight, hung for 10 s, then 15 s without gravity, 4 substeps',
    measure: helix,
  },
  {
    id: '6.3',
    claim: 'A bent cantilever is the elastica',
    asked: 'within 2 %',
    scene: '40 links, P L²/E I of 1, 2, 5 and 10, 20 s, defaults',
    measure: cantilever,
  },
]
