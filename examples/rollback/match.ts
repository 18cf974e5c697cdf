/**
 * Wrecking hockey: a rink, a ball, two goals. Each player runs and jumps, and drags a wrecking ball on a rope, which flies round faster when it is
 * reeled in. Turnstiles and crates stand in the way. A goal is a point, and who has five has won.
 *
 * All that a tick depends on is in the world and in `Tally`, and only + − × ÷ √ are used.
 */

import {
  box,
  capsule,
  type Collider,
  type ColliderDef,
  Collisions,
  overlapping,
  plane,
  type Shape,
  sphere,
} from '@tautline/collision'
import { distance, hinge } from '@tautline/constraints'
import { type Body, type Constraint, type Snapshot, World } from '@tautline/core'
import { type Controls, decodeInput, isInput } from './input.js'
import type { RollbackGame } from './session.js'

type Triple = readonly [number, number, number]

/** What something looks like; lengths in [m]. */
export type Form =
  | { readonly kind: 'box'; readonly half: Triple }
  | { readonly kind: 'sphere'; readonly radius: number }
  | { readonly kind: 'capsule'; readonly radius: number; readonly half: number }

export type Tone = 'first' | 'second' | 'ball' | 'crate' | 'gate' | 'iron'

/** A body as it is to be drawn. */
export interface Part {
  readonly body: Body
  readonly form: Form
  readonly tone: Tone
}

/** A state to go back to. */
export interface MatchState {
  readonly snapshot: Snapshot
  readonly tally: Tally
}

/** What is not in the world. */
export interface Tally {
  score: [number, number]
  /** Ticks until the next kick-off, after a goal; 0 in play. */
  pause: number
  /** Ticks until either player may jump again. */
  rest: [number, number]
}

/** Half of the rink, its goals' half width, their depth, what is cut off its corners, and the height of what is drawn of the boards [m]. */
export const RINK = { x: 7, z: 4, goal: 1.3, depth: 1.2, corner: 1.1, board: 0.36 } as const
/** An eighth of a turn about the vertical. */
const EIGHTH = [0, Math.sqrt(0.5 - 0.5 * Math.SQRT1_2), 0, Math.sqrt(0.5 + 0.5 * Math.SQRT1_2)] as const
/** Points that win. */
export const POINTS = 5

const TICK = 1 / 60
/** Boards end far above what is drawn of them: nothing leaves the rink [m]. */
const [HIGH, THICK] = [4, 0.5]
/** [kg] */
const [PLAYER_MASS, IRON_MASS, BALL_MASS, CRATE_MASS, GATE_MASS] = [30, 8, 2, 3, 10]
/** [m] */
const [PLAYER_RADIUS, PLAYER_HALF, IRON_RADIUS, BALL_RADIUS, CRATE_HALF] = [0.4, 0.25, 0.28, 0.4, 0.3]
/** Of a rope that is out, and of one that is reeled in [m], and the way of a tick between them. */
const [ROPE, REELED, REEL_WAY] = [1.9, 0.75, 0.05]
/** Of running [m/s], of how fast that is reached [1/s], and of what the feet bear [m/s²]. */
const [SPEED, GRIP, MOST_PUSH] = [6, 10, 28]
const JUMP_SPEED = 5.5
/** [ticks] */
const [JUMP_REST, GOAL_PAUSE, WIN_PAUSE] = [20, 90, 240]
/** Share of the push in the air. */
const AIR = 0.35

/** Layers: what a goal mouth holds back, which is all but the ball. */
const [SOLID, BALL, MOUTH] = [1, 2, 4]

interface Hero {
  readonly body: Body
  readonly collider: Collider
  readonly iron: Body
  readonly rope: Constraint<{ length?: number }>
}

export class Match implements RollbackGame<MatchState> {
  readonly world: World = new World({ dt: TICK })
  readonly parts: Part[] = []
  /** Player's body and wrecking ball, for the ropes to be drawn. */
  readonly heroes: readonly [Hero, Hero]
  readonly ball: Body
  tally: Tally = { score: [0, 0], pause: 0, rest: [0, 0] }
  private readonly collisions = new Collisions(this.world)
  private readonly kickOff: Snapshot

  constructor() {
    this.addBoards()
    this.ball = this.addBody('ball', { kind: 'sphere', radius: BALL_RADIUS }, [0, BALL_RADIUS, 0], BALL_MASS, BALL)
    for (const side of [-1, 1]) {
      this.addGate(2.4 * side)
      for (const z of [-2.6, 2.6]) {
        for (const floor of [0, 1]) {
          const half: Triple = [CRATE_HALF, CRATE_HALF, CRATE_HALF]
          this.addBody('crate', { kind: 'box', half }, [3.6 * side, (2 * floor + 1) * CRATE_HALF, z], CRATE_MASS)
        }
      }
    }
    this.heroes = [this.addHero('first', -1), this.addHero('second', 1)]
    this.kickOff = this.world.snapshot()
  }

  /** Who has won, until the next match begins. */
  get winner(): 0 | 1 | undefined {
    const { score } = this.tally
    return score[0] === POINTS ? 0 : score[1] === POINTS ? 1 : undefined
  }

  step(inputs: readonly [number, number]): void {
    this.heroes.forEach((hero, k) => this.lead(hero, k, decodeInput(inputs[k])))
    this.world.step()
    this.referee()
  }

  save(former?: MatchState): MatchState {
    return { snapshot: this.world.snapshot(former?.snapshot), tally: copyOf(this.tally) }
  }

  load({ snapshot, tally }: MatchState): void {
    this.world.restore(snapshot)
    this.tally = copyOf(tally)
  }

  hash(): string {
    const { score, pause, rest } = this.tally
    const world = this.world.hash()
    const words = [parseInt(world.slice(0, 8), 16), parseInt(world.slice(8), 16)]
    for (const value of [...score, pause, ...rest]) {
      words[0] = Math.imul(words[0] ^ value, 0x01000193)
      words[1] = Math.imul(words[1] ^ value, 0x01000193)
    }
    return words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  }

  isInput(input: number): boolean {
    return isInput(input)
  }

  /** A player's tick: runs, jumps, reels. */
  private lead({ body, collider, rope }: Hero, k: number, { x, z, jump, reel }: Controls): void {
    const [vx, vy, vz] = body.velocity
    const size = Math.max(1, Math.sqrt(x * x + z * z))
    const push: [number, number] = [GRIP * ((SPEED * x) / size - vx), GRIP * ((SPEED * z) / size - vz)]
    const stands = overlapping(this.collisions, collider).length > 0
    const most = stands ? MOST_PUSH : AIR * MOST_PUSH
    const share = most / Math.max(most, Math.sqrt(push[0] * push[0] + push[1] * push[1]))
    body.applyForce([PLAYER_MASS * share * push[0], 0, PLAYER_MASS * share * push[1]])

    const { rest } = this.tally
    rest[k] = Math.max(0, rest[k] - 1)
    if (jump && stands && rest[k] === 0) {
      body.applyImpulse([0, PLAYER_MASS * (JUMP_SPEED - vy), 0])
      rest[k] = JUMP_REST
    }

    const present = rope.def.length ?? ROPE
    const length = reel ? Math.max(REELED, present - REEL_WAY) : Math.min(ROPE, present + REEL_WAY)
    if (length !== present) rope.set({ length })
  }

  /** Counts goals, and puts all back for the next kick-off. */
  private referee(): void {
    const { tally } = this
    if (tally.pause > 0) {
      if (--tally.pause > 0) return
      if (this.winner !== undefined) tally.score = [0, 0]
      this.world.restore(this.kickOff)
      return
    }
    const [x] = this.ball.position
    if (Math.abs(x) < RINK.x + BALL_RADIUS) return
    tally.score[x > 0 ? 0 : 1]++
    tally.pause = this.winner === undefined ? GOAL_PAUSE : WIN_PAUSE
  }

  private addBoards(): void {
    const { x, z, goal, depth, corner } = RINK
    const { collisions } = this
    const cut: Triple = [Math.SQRT1_2 * corner, HIGH, Math.SQRT1_2 * corner]
    collisions.addCollider(null, { shape: plane([0, 1, 0]), friction: 0.4, restitution: 0.3 })
    const surface = { layer: SOLID, friction: 0.1, restitution: 0.7 }
    const wall = (half: Triple, at: readonly [number, number], more: Partial<ColliderDef> = {}): void => {
      collisions.addCollider(null, { shape: box(half), position: [at[0], HIGH, at[1]], ...surface, ...more })
    }
    for (const side of [-1, 1]) {
      wall([x + depth + THICK, HIGH, THICK], [0, side * (z + THICK)])
      const half = 0.5 * (z - goal)
      for (const end of [-1, 1]) {
        wall([0.5 * depth, HIGH, half], [side * (x + 0.5 * depth), end * (z - half)])
        wall(cut, [side * x, end * z], { orientation: EIGHTH })
      }
      wall([THICK, HIGH, goal], [side * (x + depth + THICK), 0])
      wall([0.1, HIGH, goal], [side * (x + 0.1), 0], { layer: MOUTH, mask: ~BALL >>> 0 })
    }
  }

  /** A bar that turns about the vertical. */
  private addGate(z: number): void {
    const bar = this.addBody('gate', { kind: 'box', half: [1.1, 0.3, 0.1] }, [0, 0.34, z], GATE_MASS)
    this.world.add(hinge, { b: bar, point: [0, 0.34, z], axis: [0, 1, 0], frictionTorque: 1 })
  }

  private addHero(tone: Tone, side: number): Hero {
    const height = PLAYER_RADIUS + PLAYER_HALF
    const form: Form = { kind: 'capsule', radius: PLAYER_RADIUS, half: PLAYER_HALF }
    const body = this.addBody(tone, form, [4.5 * side, height, 0], PLAYER_MASS)
    const iron = this.addBody('iron', { kind: 'sphere', radius: IRON_RADIUS }, [5.8 * side, IRON_RADIUS, 0], IRON_MASS)
    const rope = this.world.add(distance, { a: body, b: iron, length: ROPE, mode: 'rope' })
    const [collider] = this.collisions.collidersOf(body)
    return { body, iron, collider, rope: rope as unknown as Hero['rope'] }
  }

  private addBody(tone: Tone, form: Form, position: Triple, mass: number, layer = SOLID): Body {
    const isHero = form.kind === 'capsule'
    const body = this.collisions.addBody({
      shape: shapeOf(form),
      mass,
      position,
      layer,
      friction: isHero ? 0 : 0.4,
      restitution: tone === 'ball' ? 0.75 : 0.2,
      rollingFriction: form.kind === 'sphere' ? 0.01 : 0,
      linearDamping: tone === 'ball' ? 0.1 : 0,
      lockRotation: [isHero, isHero, isHero],
      name: tone,
    })
    this.parts.push({ body, form, tone })
    return body
  }
}

function shapeOf(form: Form): Shape {
  if (form.kind === 'box') return box(form.half)
  return form.kind === 'sphere' ? sphere(form.radius) : capsule(form.radius, form.half)
}

function copyOf({ score, pause, rest }: Tally): Tally {
  return { score: [...score], pause, rest: [...rest] }
}
