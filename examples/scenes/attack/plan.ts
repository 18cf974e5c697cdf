/** Random joint scenes as plain data: a seed gives a plan, and a plan gives the same scene every time. */

export type Triple = readonly [number, number, number]

/** What joins two bodies. `cone` and `axle` stand beside a ball joint at the same point. */
export const JOINT_KINDS = [
  'ballSocket',
  'hinge',
  'fixed',
  'slider',
  'universal',
  'swingTwist',
  'swingCone',
  'cone',
  'axle',
  'distance',
] as const
export type JointKind = (typeof JOINT_KINDS)[number]

export const PLAN_KINDS = ['chain', 'tree', 'ragdoll'] as const
export type PlanKind = (typeof PLAN_KINDS)[number]

/** By itself in the air, hung from the world, or falling on something. */
export const SETTINGS = ['free', 'hung', 'plane', 'box', 'mesh'] as const
export type Setting = (typeof SETTINGS)[number]

export const STARTS = ['satisfied', 'violated'] as const
export type Start = (typeof STARTS)[number]

/** At rest, with spins along the joints, or thrown as one rigid body. */
export const MOTIONS = ['rest', 'spins', 'thrown'] as const
export type Motion = (typeof MOTIONS)[number]

/** A range below and above 0 [rad, m]. */
export type Range = readonly [number, number]

/** A body and the joint to its parent, in a rest layout in which every coordinate of a joint is 0. */
export interface LinkPlan {
  kind: JointKind
  /** Index of its parent among the links; −1 is the world, or nothing for a free root. */
  parent: number
  mass: number
  /** Length along `direction`, and thickness [m]. */
  length: number
  radius: number
  isBox: boolean
  /** Where the link goes from its joint in the rest layout, a unit vector. */
  direction: Triple
  /** Share of the parent's length at which the joint is. */
  along: number
  /** The joint's frame in the rest layout: a unit quaternion, whose x axis is the joint's axis. */
  frame: readonly [number, number, number, number]
  /** Ranges of up to three coordinates of the joint; none: free. */
  ranges?: readonly [Range, Range, Range]
  /** Coordinates at the start, as shares of the ranges in [−1, 1]. */
  bend: Triple
  /** [N m] */
  frictionTorque: number
  /** [m/N] */
  compliance: number
  /** Wanted angular velocity [rad/s]; what the joint does not allow is left out. */
  spin: Triple
  /** Speed along a slider [m/s]. */
  slide: number
  /** By how much the joint is violated at the start: translation [m] and rotation vector [rad]. */
  shift: Triple
  tilt: Triple
}

export interface ScenePlan {
  seed: number
  kind: PlanKind
  setting: Setting
  start: Start
  motion: Motion
  substeps: number
  /** [1/s] */
  rate: number
  /** Masses span 10⁰ to 10^decades in any order. */
  decades: number
  /** Largest spin an axis [rad/s]. */
  spin: number
  links: readonly LinkPlan[]
  /** Velocities of what is thrown as one rigid body [m/s, rad/s]. */
  thrown: { velocity: Triple; spin: Triple }
  /** How far the lowest point starts above the ground [m]. */
  drop: number
  friction: number
  restitution: number
}

/** Draws from a seed: numbers, vectors, choices. */
export class Draw {
  private state: number

  constructor(seed: number) {
    this.state = Math.imul(seed + 1, 0x9e3779b1) | 0
  }

  /** Uniform in [0, 1): a Weyl sequence through a mixing function, so that neighbouring seeds share nothing. */
  share(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let x = this.state
    x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
    x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
    x ^= x >>> 15
    return (x >>> 0) / 0x100000000
  }

  between(min: number, max: number): number {
    return min + (max - min) * this.share()
  }

  integer(min: number, max: number): number {
    return min + Math.floor(this.share() * (max - min + 1))
  }

  chance(share: number): boolean {
    return this.share() < share
  }

  of<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.share() * choices.length)]
  }

  triple(size: number): [number, number, number] {
    return [this.between(-size, size), this.between(-size, size), this.between(-size, size)]
  }

  /** A vector in the ball of a radius. */
  inBall(radius: number): [number, number, number] {
    for (;;) {
      const v = this.triple(radius)
      if (Math.hypot(...v) <= radius) return v
    }
  }

  direction(): [number, number, number] {
    for (;;) {
      const v = this.triple(1)
      const length = Math.hypot(...v)
      if (length > 0.1 && length <= 1) return [v[0] / length, v[1] / length, v[2] / length]
    }
  }

  rotation(): [number, number, number, number] {
    for (;;) {
      const q: [number, number, number, number] = [...this.triple(1), this.between(-1, 1)]
      const length = Math.hypot(...q)
      if (length > 0.1 && length <= 1) return [q[0] / length, q[1] / length, q[2] / length, q[3] / length]
    }
  }
}

/** Most that a start is violated by in a joint [m, rad]. */
const MOST_SHIFT = 0.3
const MOST_TILT = Math.PI / 6

/** What all links of a scene have in common. */
interface Style {
  kinds: readonly JointKind[]
  limited: number
  rubs: boolean
  soft: number
  decades: number
  spin: number
  start: Start
  bend: number
}

function link(draw: Draw, style: Style, parent: number, shape: Partial<LinkPlan> = {}): LinkPlan {
  const kind = shape.kind ?? draw.of(style.kinds)
  const isViolated = style.start === 'violated'
  const ranges = draw.chance(style.limited) || kind === 'swingCone' || kind === 'cone'
  const range = (): Range => [-draw.between(0.1, 1.4), draw.between(0.1, 1.4)]
  return {
    kind,
    parent,
    mass: 10 ** draw.between(0, style.decades),
    length: draw.between(0.2, 0.8),
    radius: draw.between(0.03, 0.1),
    isBox: draw.chance(0.4),
    direction: draw.direction(),
    along: 1,
    frame: draw.rotation(),
    ...(ranges && { ranges: [range(), range(), range()] }),
    bend: draw.triple(style.bend),
    frictionTorque: style.rubs ? 10 ** draw.between(-2, 0.5) : 0,
    compliance: draw.chance(style.soft) ? 10 ** draw.between(-7, -3) : 0,
    spin: draw.triple(style.spin),
    slide: draw.between(-1, 1),
    shift: isViolated ? draw.inBall(MOST_SHIFT) : [0, 0, 0],
    tilt: isViolated ? draw.inBall(MOST_TILT) : [0, 0, 0],
    ...shape,
  }
}

function chain(draw: Draw, style: Style): LinkPlan[] {
  const count = draw.integer(3, 20)
  const direction = draw.direction()
  const isStraight = draw.chance(0.5)
  return Array.from({ length: count }, (_, k) => link(draw, style, k - 1, isStraight ? { direction } : {}))
}

function tree(draw: Draw, style: Style): LinkPlan[] {
  const count = draw.integer(4, 24)
  return Array.from({ length: count }, (_, k) =>
    link(draw, style, k === 0 ? -1 : draw.integer(Math.max(0, k - 6), k - 1), { along: draw.share() }),
  )
}

/** Pelvis, spine, head, arms and legs; shares of a mass of 70 kg, times what the decades add. */
function ragdoll(draw: Draw, style: Style): LinkPlan[] {
  const scale = draw.between(0.7, 1.3)
  const links: LinkPlan[] = []
  const add = (
    parent: number,
    kind: JointKind,
    direction: Triple,
    [length, radius, share]: Triple,
    along: number = 1,
  ): number => {
    const { mass, ranges, ...rest } = link(draw, style, parent, { kind, direction, along, isBox: false })
    const limits: readonly Range[] = ranges ?? [
      [-draw.between(0.1, 1.4), draw.between(0.1, 1.4)],
      [-draw.between(0.1, 1.4), draw.between(0.1, 1.4)],
      [-draw.between(0.1, 0.8), draw.between(0.1, 0.8)],
    ]
    links.push({
      ...rest,
      mass: (style.decades > 3 ? mass : 10 ** draw.between(0, 0.5 * style.decades)) * 70 * share,
      length: scale * length,
      radius: scale * radius,
      ranges: [limits[0], limits[1], limits[2]],
    })
    return links.length - 1
  }
  const pelvis = add(-1, draw.of(['ballSocket', 'swingTwist']), [0, 1, 0], [0.15, 0.1, 0.15])
  const spine = add(pelvis, 'swingTwist', [0, 1, 0], [0.2, 0.1, 0.15])
  const chest = add(spine, draw.of(['swingTwist', 'swingCone']), [0, 1, 0], [0.25, 0.11, 0.2])
  add(chest, draw.of(['swingTwist', 'universal']), [0, 1, 0], [0.25, 0.08, 0.07])
  for (const side of [-1, 1]) {
    const upper = add(chest, draw.of(['swingTwist', 'swingCone']), [side, 0, 0], [0.3, 0.045, 0.03], 0.9)
    const fore = add(upper, 'hinge', [side, 0, 0], [0.26, 0.04, 0.02])
    if (draw.chance(0.7)) add(fore, draw.of(['universal', 'swingTwist', 'fixed']), [side, 0, 0], [0.17, 0.03, 0.006])
    const thigh = add(pelvis, draw.of(['swingTwist', 'swingCone']), [0.3 * side, -0.954, 0], [0.43, 0.07, 0.1], 0)
    const shin = add(thigh, 'hinge', [0, -1, 0], [0.42, 0.05, 0.05])
    if (draw.chance(0.7)) add(shin, draw.of(['universal', 'hinge', 'swingTwist']), [0, 0, 1], [0.22, 0.035, 0.014])
  }
  return links
}

/** Joints of a scene: all of one kind, or any. */
function someKinds(draw: Draw): readonly JointKind[] {
  return draw.chance(0.35) ? [draw.of(JOINT_KINDS)] : JOINT_KINDS
}

/** The plan of a seed. */
export function scenePlan(seed: number): ScenePlan {
  const draw = new Draw(seed)
  const kind = draw.of(PLAN_KINDS)
  const setting = draw.of(SETTINGS)
  const start = draw.of(STARTS)
  const motion = draw.of(MOTIONS)
  const decades = draw.chance(0.3) ? 0 : draw.between(0, 6)
  const spin = draw.chance(0.3) ? draw.between(0, 3) : draw.between(0, 50)
  const style: Style = {
    kinds: someKinds(draw),
    limited: draw.of([0, 0.5, 1]),
    rubs: draw.chance(0.2),
    soft: draw.chance(0.2) ? 0.3 : 0,
    decades,
    spin,
    start,
    bend: draw.of([0, 0.5, 0.95]),
  }
  const makers: Record<PlanKind, (draw: Draw, style: Style) => LinkPlan[]> = { chain, tree, ragdoll }
  return {
    seed,
    kind,
    setting,
    start,
    motion,
    substeps: draw.of([1, 2, 4, 8]),
    rate: draw.of([30, 60, 144]),
    decades,
    spin,
    links: makers[kind](draw, style),
    thrown: { velocity: draw.triple(10), spin: draw.triple(spin) },
    drop: draw.between(0.05, 2),
    friction: draw.between(0, 1),
    restitution: draw.chance(0.7) ? 0 : draw.share(),
  }
}
