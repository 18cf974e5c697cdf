/** Soft bodies: a cube that falls, a beam beside beam theory, a balloon. */

import { cloth, softBody } from '@tautline/assemblies'
import { Collisions, plane } from '@tautline/collision'
import { World } from '@tautline/core'
import { BoxGeometry, type BufferGeometry, IcosahedronGeometry, SphereGeometry } from 'three'
import { hangingBeam } from '../../reports/assemblies/soft.js'
import { atEnd, largest, worstOf } from '../measure.js'
import type { AcceptScene } from '../scene.js'

function meshOf(geometry: BufferGeometry): { positions: number[]; indices: number[] } {
  const positions = Array.from(geometry.getAttribute('position').array)
  const index = geometry.getIndex()
  return {
    positions,
    indices: index === null ? positions.map((_, k) => k).slice(0, positions.length / 3) : Array.from(index.array),
  }
}

const SIDE = 0.4

const cube: AcceptScene = {
  name: 'soft-cube',
  text: `a cube of ${SIDE} m, 0.1 MPa and 500 kg/m³, turned, falls by half a metre on a floor, 2 s`,
  steps: 120,
  bounds: { time: 5, energy: 0.01, unsolved: 0 },
  make() {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const body = softBody(world, {
      ...meshOf(new BoxGeometry(SIDE, SIDE, SIDE)),
      size: SIDE / 4,
      position: [0, 0.85, 0],
      orientation: [0.2, 0, 0.15, Math.sqrt(1 - 0.0625)],
      youngsModulus: 1e5,
      density: 500,
    })
    const volume = body.volume
    return {
      world,
      collisions,
      measures: [
        worstOf('depth', 'nodes too near the floor', 0.01, () =>
          Math.max(
            0,
            largest(body.nodes, ({ position }) => body.settings.radius - position[1]),
          ),
        ),
        worstOf('share', 'change of volume', 0.2, () => Math.abs(body.volume / volume - 1)),
      ],
    }
  },
}

const beam: AcceptScene = {
  name: 'soft-beam',
  text: 'a beam of 0.4 m by 0.1 m filled with tetrahedra, three edges across, held at an end, beside beam theory, 2.5 s',
  steps: 150,
  bounds: { time: 25, unsolved: 0 },
  make() {
    const { world, off } = hangingBeam(3)
    return { world, measures: [atEnd('share', 'sag off beam theory', 0.1, () => Math.abs(off()), { absolute: 0.01 })] }
  },
}

const balloon: AcceptScene = {
  name: 'balloon',
  text: 'a balloon of 0.3 m blown up by 1.3 falls on a floor, 3 s',
  steps: 180,
  bounds: { time: 4 },
  make() {
    const world = new World()
    const collisions = new Collisions(world)
    collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    const body = softBody(world, {
      ...meshOf(new IcosahedronGeometry(0.3, 4)),
      pressure: 1.3,
      mass: 0.1,
      position: [0, 0.8, 0],
    })
    const rest = body.volume
    return {
      world,
      collisions,
      measures: [
        worstOf('depth', 'nodes too near the floor', 0.01, () =>
          Math.max(
            0,
            largest(body.nodes, ({ position }) => body.settings.radius - position[1]),
          ),
        ),
        atEnd('share', 'volume off', 0.05, () => Math.abs(body.volume / rest / 1.3 - 1)),
        atEnd('length', 'height of the middle off', 0.1, () => Math.abs(body.centre[1] - 0.3 * Math.cbrt(1.3))),
      ],
    }
  },
}

const floating: AcceptScene = {
  name: 'balloon-floats',
  text: 'a closed cloth of 0.3 m at 500 Pa with a drag of 1 in empty space, 3 s: pressure and drag together move it nowhere',
  steps: 180,
  bounds: { time: 4 },
  make() {
    const world = new World({ gravity: [0, 0, 0] })
    const body = cloth(world, { ...meshOf(new SphereGeometry(0.3, 20, 14)), pressure: 500, drag: 1 })
    const { volume } = body.measure()
    const [x, y, z] = [0, 1, 2].map((k) => body.centre[k])
    const away = (): number => Math.hypot(body.centre[0] - x, body.centre[1] - y, body.centre[2] - z)
    return {
      world,
      measures: [
        atEnd('length', 'drift', 1e-3, away),
        worstOf('share', 'volume off', 0.05, () => Math.abs(body.measure().volume / volume - 1)),
      ],
    }
  },
}

export const softBodies: readonly AcceptScene[] = [cube, beam, balloon, floating]
