/** Rows 4, 9 and 10: seams, masses, wind and tears. */

import { cloth, type ClothDef } from '@tautline/assemblies'
import { World } from '@tautline/core'
import { BoxGeometry, type BufferGeometry, SphereGeometry } from 'three'
import { bunnyMesh } from '../../lib/bunny.js'
import { figure, figures, type Measured, type ReportRow } from '../report.js'
import { curtain, level } from './meshes.js'

function arrays(geometry: BufferGeometry): { positions: number[]; indices: number[] } {
  return {
    positions: Array.from(geometry.attributes.position.array),
    indices: Array.from(geometry.index?.array ?? []),
  }
}

function seams(): Measured {
  const bunny = bunnyMesh()
  const meshes: Record<string, { positions: ArrayLike<number>; indices: ArrayLike<number> }> = {
    'UV sphere': arrays(new SphereGeometry(0.5, 24, 16)),
    'glTF box': arrays(new BoxGeometry(1, 1, 1, 8, 8, 8)),
    bunny: { positions: Array.from(bunny.positions, (x) => 0.1 * x), indices: bunny.triangles },
  }
  const texts: string[] = []
  let isClosed = true
  for (const [name, mesh] of Object.entries(meshes)) {
    const world = new World()
    const count = mesh.positions.length / 3
    const ball = cloth(world, { ...mesh, pressure: 20, pins: [0] })
    // Vertices that lay on each other at rest.
    const seam = new Map<string, number[]>()
    for (let v = 0; v < count; v++) {
      const key = [0, 1, 2].map((k) => Math.round(1e6 * mesh.positions[3 * v + k])).join()
      seam.set(key, [...(seam.get(key) ?? []), v])
    }
    const pairs = [...seam.values()].filter((list) => list.length > 1)
    for (let k = 0; k < 600; k++) world.step()
    const now = new Float64Array(3 * count)
    ball.positions(now)
    let gap = 0
    for (const [first, ...others] of pairs) {
      for (const v of others)
        for (let k = 0; k < 3; k++) gap = Math.max(gap, Math.abs(now[3 * v + k] - now[3 * first + k]))
    }
    const { hem } = ball.asset.report
    const { volume } = ball.measure()
    isClosed &&= gap === 0 && volume > 0 && (hem === 0 || name === 'bunny')
    texts.push(
      `${name}: ${pairs.length} places of more than one vertex, ${figure(gap)} m apart, ${hem} edges of one triangle, ${figure(volume)} m³`,
    )
  }
  return { figures: texts.join('; '), holds: isClosed }
}

function masses(): Measured {
  const sags = [0.01, 0.1, 1, 10, 100].map((mass) => {
    const world = new World()
    const sail = cloth(world, { ...level(50, 50, 1), mass, pins: [0, 49] })
    for (let k = 0; k < 300; k++) world.step()
    return sail.centre[1]
  })
  const spread = Math.max(...sags) / Math.min(...sags)
  const off = Math.max(...sags.map((sag) => Math.abs(sag / sags[2] - 1)))
  return {
    figures: `sag ${figures(sags)} m: off by ${figure(100 * off)} %`,
    holds: off < 0.05 && Number.isFinite(spread),
  }
}

function terminal(): Measured {
  const errors: number[] = []
  for (const [drag, density] of [
    [1, 0.1],
    [1.28, 0.2],
    [2, 0.5],
  ]) {
    const world = new World()
    const sheet = cloth(world, { ...level(11, 11, 1), drag, density })
    for (let k = 0; k < 900; k++) world.step()
    // Level all the way: m g = ½ ρ c A v².
    const speed = Math.sqrt((2 * density * 9.81) / (1.2 * drag))
    errors.push(Math.abs(-sheet.vertices[60].velocity[1] / speed - 1))
  }
  return { figures: `off by ${figures(errors.map((error) => 100 * error))} %`, holds: Math.max(...errors) < 0.03 }
}

/**
 * Frequencies of flags by their length, f L/U: waves of 1.87 L (Raynaud and Mulleners, 2026) run at half to all of the wind's speed.
 */
const STROUHAL = [0.25, 0.55] as const

function flag(): Measured {
  const numbers: number[] = []
  for (const speed of [5, 8, 12]) {
    const world = new World()
    const length = 1.2
    const mesh = curtain(25, 17, length)
    const pole = Array.from({ length: 17 }, (_, j) => 25 * j)
    const fields: Partial<ClothDef> = { material: 'silk', drag: 0.05, lift: 1.5, wind: [speed, 0, 0], gust: 0 }
    const banner = cloth(world, { ...mesh, ...fields, pins: pole })
    banner.bodyOf(212).setVelocity([0, 0, 0.1])
    const dt = 1 / 120
    let [crossings, last] = [0, 0]
    for (let k = 0; k < 1200; k++) {
      world.step(dt)
      let z = 0
      for (let j = 0; j < 17; j++) z += banner.bodyOf(25 * j + 24).position[2] / 17
      if (k < 360) continue
      if (last !== 0 && last < 0 !== z < 0) crossings++
      last = z
    }
    numbers.push(((crossings / 2 / (840 * dt)) * length) / speed)
  }
  const [low, high] = STROUHAL
  return { figures: `f L/U ${figures(numbers)}`, holds: numbers.every((number) => number >= low && number <= high) }
}

function notch(): Measured {
  const world = new World({ gravity: [0, 0, 0] })
  const n = 21
  const mesh = level(n, n, 1)
  // Between columns 10 and 11, from the hem inward, four quads are cut: their triangles are left out.
  const indices = mesh.indices.filter((_, k) => {
    const quad = Math.floor(k / 6)
    return !(quad % (n - 1) === 10 && Math.floor(quad / (n - 1)) < 4)
  })
  const sheet = cloth(world, { positions: mesh.positions, indices, strength: 60, stretchCompliance: 2e-3 })
  const mass = sheet.mass
  // Its sides fly apart, and nothing holds it: all momentum that there is is its own.
  sheet.vertices.forEach((body, v) => body.setVelocity([12 * ((v % n) / (n - 1) - 0.5), 0, 0]))
  const before = world.momentum().linear
  let [first, off, drift] = [-1, 0, 0]
  for (let k = 0; k < 120; k++) {
    world.step()
    off = Math.max(off, Math.abs(sheet.mass / mass - 1))
    const after = world.momentum().linear
    for (let axis = 0; axis < 3; axis++) drift = Math.max(drift, Math.abs(after[axis] - before[axis]))
    const [torn] = sheet.torn
    if (torn !== undefined && first < 0) first = Math.floor(torn.from / n)
  }
  const more = sheet.vertices.length - n * n
  return {
    figures: `first at row ${first} (the notch ends at 4), ${more} vertices more, mass off by ${figure(off)}, momentum by ${figure(drift)} N s while it tears`,
    holds: Math.abs(first - 4) <= 1 && more > 0 && off < 1e-12 && drift < 1e-12,
  }
}

export const clothRows: readonly ReportRow[] = [
  {
    id: '4.1',
    claim: 'Seams stay closed',
    asked: 'what lay on each other still does, after 10 s',
    scene:
      'three.js SphereGeometry and BoxGeometry as they are, the bunny of npm; blown up by 20 Pa, held at one vertex; 10 s, defaults; the bunny has holes below',
    measure: seams,
  },
  {
    id: '4.2',
    claim: 'Whatever it weighs, it hangs alike at the same settings',
    asked: 'stable, sag equal within 5 %',
    scene:
      '50 × 50 vertices, 1 m, held at two corners, 10 g, 100 g, 1, 10 and 100 kg, 5 s, defaults (shear and bending of its material stay what they are)',
    measure: masses,
  },
  {
    id: '9.1',
    claim: 'A falling sheet comes to the speed at which drag is its weight',
    asked: 'within 3 %',
    scene: '11 × 11 vertices, level, drag 1, 1.28 and 2, 0.1, 0.2 and 0.5 kg/m², 15 s, defaults',
    measure: terminal,
  },
  {
    id: '9.2',
    claim: 'A flag flutters as flags do',
    asked: `f L/U within ${STROUHAL.join(' to ')}`,
    scene:
      '1.2 m of silk, 25 × 17 vertices, drag 0.05, lift 1.5, wind of 5, 8 and 12 m/s, zero crossings of the mean of the free edge over 7 s, at 120 Hz',
    measure: flag,
  },
  {
    id: '10',
    claim: 'A notched sheet tears from its notch; mass and momentum are kept',
    asked: 'to 1e-12',
    scene:
      '21 × 21 vertices, four quads cut from the hem, in free flight, its sides at 6 m/s from the middle, strength 60 N/m, 500 N/m, 2 s',
    measure: notch,
  },
]
