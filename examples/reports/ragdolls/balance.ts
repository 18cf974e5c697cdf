/** Row 6: a mannequin that stands by itself, pushed at the chest from all sides. */

import { readFileSync } from 'node:fs'
import { WebIO } from '@gltf-transform/core'
import {
  type Balance,
  balance,
  gltfSkin,
  type Ragdoll,
  ragdoll,
  type RagdollAsset,
  ragdollAsset,
} from '@tautline/assemblies'
import { Collisions, plane } from '@tautline/collision'
import { type Body, World } from '@tautline/core'
import { fromGltf, readGlb } from '@tautline/ik/gltf'
import { figure, type Measured, type ReportRow } from '../report.js'
import { gapOf } from './figures.js'

const G = 9.81
const DIRECTIONS = 8
/** Impulses tried, as shares of what the pendulum allows. */
const SHARES = [0.15, 0.3, 0.5, 0.6, 0.7, 0.85, 1] as const
/** Time to stand before a push, and after it to stay up [s]. */
const BEFORE = 1
const AFTER = 3
const STEP_TIME = 0.3
/** Hips sink by a tenth of the leg at most when the feet are apart. */
const SINK = 0.9
/** Twice what the pendulum allows: nobody holds that. */
const TOO_MUCH = 2
const FALL_TIME = 2.5
const QUIET_TIME = 60

async function mannequin(): Promise<RagdollAsset> {
  const bytes = new Uint8Array(readFileSync(new URL('../../data/mannequin.glb', import.meta.url)))
  const { document } = await readGlb(new WebIO(), bytes)
  return ragdollAsset(fromGltf(document), { skin: gltfSkin(document) })
}

interface Scene {
  readonly world: World
  readonly collisions: Collisions
  readonly doll: Ragdoll
  readonly standing: Balance
}

function scene(asset: RagdollAsset): Scene {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0], 0) })
  const doll = ragdoll(world, asset)
  return { world, collisions, doll, standing: balance(doll, { stepTime: STEP_TIME }) }
}

function run({ world, standing }: Scene, seconds: number, each?: () => boolean): void {
  for (let k = 0; k < seconds * 60; k++) {
    standing.update()
    world.step()
    if (each?.() === true) return
  }
}

interface Ground {
  readonly left: readonly [number, number][]
  readonly right: readonly [number, number][]
  readonly centre: readonly [number, number]
  readonly rate: number
  readonly mass: number
  readonly stride: number
}

/**
 * Largest impulse that a linear inverted pendulum holds with one step (T. Koolen, T. de Boer, J. Rebula, A. Goswami and J. Pratt 2012, "Capturability-based
 * analysis and control of legged locomotion, part 1": 1-step capturability with finite feet): the centre of pressure at the edge p of the standing foot
 * that is farthest along the push, ξ(T) = p + (ξ₀ − p) e^{ω₀ T} is to lie within the foot that was set down, whose ankle is at most 2 L √(1 − 0.9²) from
 * the standing one; feet do not cross. Without a step ξ₀ is to lie within the feet. The better of the two; J = m ω₀ (ξ₀ − x₀).
 */
function allowed({ left, right, centre, rate, mass, stride }: Ground, angle: number): number {
  const way = [Math.sin(angle), Math.cos(angle)]
  const along = ([x, z]: readonly [number, number]): number => x * way[0] + z * way[1]
  const at = along(centre)
  const edge = (foot: readonly [number, number][]): number => Math.max(...foot.map(along))
  let most = Math.max(edge(left), edge(right)) - at
  for (const [other, side] of [
    [right, 1],
    [left, -1],
  ] as const) {
    // Steps to the side of the other foot are crossed.
    if (side * way[0] < -0.5) continue
    const pressure = edge(other)
    const reach = edge(other) + stride
    most = Math.max(most, pressure + (reach - pressure) / Math.exp(rate * STEP_TIME) - at)
  }
  return mass * rate * most
}

function groundOf({ doll, standing }: Scene): Ground {
  const corners = standing.support.map(([x, , z]): [number, number] => [x, z])
  const [x, y, z] = standing.centre
  const height = y - standing.support[0][1]
  const { skeleton } = doll.asset
  const place = (name: string): number[] => {
    const row = skeleton.names.indexOf(name)
    return Array.from(skeleton.worldPositions.subarray(3 * row, 3 * row + 3))
  }
  const length = place('leftUpperLeg')[1] - place('leftFoot')[1]
  return {
    left: corners.slice(0, 4),
    right: corners.slice(4),
    centre: [x, z],
    rate: Math.sqrt(G / height),
    mass: doll.asset.mass,
    stride: 2 * length * Math.sqrt(1 - SINK * SINK),
  }
}

/** Whether it is on its feet after a push. */
function holds(asset: RagdollAsset, impulse: number, angle: number): boolean {
  const made = scene(asset)
  run(made, BEFORE)
  push(made, impulse, angle)
  run(made, AFTER, () => made.standing.state === 'falling' || made.standing.state === 'fallen')
  return made.standing.state === 'standing' || made.standing.state === 'stepping'
}

function push({ doll }: Scene, impulse: number, angle: number): void {
  doll.body('chest').applyImpulse([impulse * Math.sin(angle), 0, impulse * Math.cos(angle)])
}

const angles = Array.from({ length: DIRECTIONS }, (_, k) => (2 * Math.PI * k) / DIRECTIONS)

async function pushes(): Promise<Measured> {
  const asset = await mannequin()
  const still = scene(asset)
  run(still, BEFORE)
  const ground = groundOf(still)
  const found = angles.map((angle) => {
    const bound = allowed(ground, angle)
    let best = 0
    for (const share of SHARES) {
      if (!holds(asset, share * bound, angle)) break
      best = share
    }
    return { bound, best }
  })
  const shares = found.map(({ best }) => best)
  const text = found.map(
    ({ bound, best }, k) => `${(360 * k) / DIRECTIONS}°: ${figure(best * bound)} of ${figure(bound)} N s`,
  )
  return { figures: text.join('; '), holds: Math.min(...shares) >= 0.7 }
}

/** Hands against the head: who meets the ground first. */
async function falls(): Promise<Measured> {
  const asset = await mannequin()
  const still = scene(asset)
  run(still, BEFORE)
  const ground = groundOf(still)
  let [first, stood] = [0, 0]
  for (const angle of angles) {
    const made = scene(asset)
    run(made, BEFORE)
    push(made, TOO_MUCH * allowed(ground, angle), angle)
    const touches = (body: Body): boolean =>
      made.collisions.events.some(
        ({ a, b }) => (a.body === body && b.body === null) || (b.body === body && a.body === null),
      )
    let [hands, head] = [false, false]
    run(made, FALL_TIME, () => {
      hands ||= touches(made.doll.body('leftHand')) || touches(made.doll.body('rightHand'))
      head ||= touches(made.doll.body('head'))
      return hands || head
    })
    if (!hands && !head) stood++
    else if (hands) first++
  }
  const fallen = DIRECTIONS - stood
  return { figures: `${first} of ${fallen} falls on the hands`, holds: fallen > 0 && first >= 0.9 * fallen }
}

async function quiet(): Promise<Measured> {
  const made = scene(await mannequin())
  run(made, 5)
  const from = made.standing.centre
  let [gap, sway, kinetic] = [0, 0, 0]
  run(made, QUIET_TIME, () => {
    const { centre } = made.standing
    gap = Math.max(gap, gapOf(made.doll))
    sway = Math.max(sway, Math.hypot(centre[0] - from[0], centre[1] - from[1], centre[2] - from[2]))
    kinetic = Math.max(kinetic, made.world.energy().kinetic)
    return made.standing.state !== 'standing'
  })
  return {
    figures: `centre of mass off by ${figure(sway)} m at most, kinetic energy ${figure(kinetic)} J, ${made.standing.steps} steps, gaps ${figure(gap)} m; ${made.standing.state}`,
    holds:
      made.standing.state === 'standing' && made.standing.steps === 0 && sway < 0.01 && kinetic < 0.01 && gap <= 1e-6,
  }
}

export const balanceRows: readonly ReportRow[] = [
  {
    id: '6.1',
    claim: 'It stands quietly by itself',
    asked: '60 s: no drift (1 cm), no trembling (0.01 J), no step, gaps ≤ 1e-6 m',
    scene: 'mannequin, plane, default settings',
    measure: quiet,
  },
  {
    id: '6.2',
    claim: 'Pushed at the chest it keeps its feet as a pendulum with a step would',
    asked:
      '≥ 70 % of the impulse that a linear inverted pendulum with one step holds (Koolen et al. 2012), all directions',
    scene: `mannequin, ${DIRECTIONS} directions, steps of ${STEP_TIME} s, reach 2 L √(1 − 0.9²), ${AFTER} s after the push; default settings`,
    measure: pushes,
  },
  {
    id: '6.3',
    claim: 'Falls beyond it are braced',
    asked: 'a hand reaches the ground before the head in ≥ 90 %',
    scene: `mannequin, ${DIRECTIONS} directions, twice that impulse`,
    measure: falls,
  },
]
