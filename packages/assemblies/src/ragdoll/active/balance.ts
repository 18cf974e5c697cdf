import { rayCast } from '@tautline/collision'
import type { Body } from '@tautline/core'
import { collisionsOf } from '../../parts/particles.js'
import {
  across, cross, difference, direction, dot, frameOf, fromTo, inverse, type Quat, scaled, size, sum, times, turnAt, turned, type Vec3, vectorAt,
} from '../algebra.js'
import { BonePlaces, readPose, restPose } from '../pose.js'
import { type Ragdoll, spaceOf } from '../ragdoll.js'
import { bodyPlan, type BodyPlan, type Leg } from './body-plan.js'
import { TargetPose } from './target-pose.js'

interface Foot {
  leg: Leg
  ground: Body | null
  /** Place and turn of the planted foot, seen from the ground. */
  ankle: Vec3
  turn: Quat
  normal: Vec3
  touches: boolean
  /** height of lowest corner */
  gap: number
  groundAt: Vec3
}
const up0 = 0

export class Balance {
  doll: Ragdoll
  plan: BodyPlan
  target: TargetPose
  root: Vec3 = [0, 0, 0]
  blend = 1
  first: Quat[] = []
  feet: Foot[]
  up: Vec3 = [0, 1, 0]
  posture: Quat[]
  mode: 'stand' | 'step' | 'fall' | 'limp' = 'stand'
  swing = -1
  time = 0
  from: Vec3 = [0, 0, 0]
  to: Vec3 = [0, 0, 0]
  com: Vec3 = [0, 0, 0]
  vel: Vec3 = [0, 0, 0]
  xi: Vec3 = [0, 0, 0]
  excess = 0
  steps = 0
  P: any
  own: Set<Body>
  log: any = {}
  private room

  constructor(doll: Ragdoll, params: any = {}) {
    this.doll = doll
    this.P = { ankle: 1.0, ankleDamp: 10, T: 0.35, lift: 0.08, longest: 0.985, reach: 0.9, stance: 20, swing: 15, back: 0, margin: 0.0, kxi: 2, lead: 0.5, comp: 1, shrink: 0.8, over: 0.03, ...params }
    this.plan = bodyPlan('balance', doll.asset)
    this.target = new TargetPose(this.plan)
    this.own = new Set(doll.bodies)
    const { parts } = doll.asset
    this.posture = parts.map(() => [0, 0, 0, 1])
    const { axes, rest } = this.plan
    for (const arm of this.plan.arms ?? []) {
      const d0 = direction(difference(vectorAt(rest.positions, arm.lower), vectorAt(rest.positions, arm.upper))) as Vec3
      const down = direction(sum(scaled(axes.up, -1), scaled(axes.left, 0.15 * arm.side))) as Vec3
      const t = fromTo(d0, down)
      this.posture[arm.upper] = t
      this.posture[arm.lower] = t
      this.posture[arm.end] = t
    }
    const n = parts.length
    this.room = {
      places: { positions: new Float64Array(3 * n), rotations: new Float64Array(4 * n) },
      bones: new BonePlaces(doll.asset.skeleton.names.length),
      pose: restPose(doll.asset.skeleton),
      lead: restPose(doll.asset.skeleton),
      space: spaceOf(doll.settings),
    }
    const g = doll.world.settings.gravity
    this.up = scaled(direction([g[0], g[1], g[2]]) as Vec3, -1)
    this.feet = this.plan.legs.map((leg) => ({ leg, ground: null, ankle: [0, 0, 0], turn: [0, 0, 0, 1], normal: this.up, touches: false, gap: 1, groundAt: [0, 0, 0] }))
    for (const foot of this.feet) this.plant(foot)
    this.root = this.jointAt(0)
    const inv = inverse(this.bodyTurn(0))
    this.first = parts.map((_, k) => times(inv, this.bodyTurn(k)))
    this.blend = 0
    this.gains()
  }

  bodyTurn(part: number): Quat {
    const b = this.doll.bodies[part]
    const q = b.orientation as unknown as Quat
    return times([...q] as Quat, inverse(turnAt(this.plan.rest.rotations, part)))
  }
  jointAt(part: number): Vec3 {
    const b = this.doll.bodies[part]
    const c = this.doll.asset.parts[part].matter.centre as Vec3
    return difference(b.position as Vec3, turned([...b.orientation] as Quat, c))
  }

  probe(foot: Foot): void {
    const { leg } = foot
    const ankle = this.jointAt(leg.end)
    const lift = 0.3 * (leg.upperLength + leg.lowerLength)
    const hit = rayCast(collisionsOf(this.doll.world)!, sum(ankle, scaled(this.up, lift)), scaled(this.up, -1), {
      maxDistance: 3 * lift + leg.sole.depth,
      filter: { predicate: ({ body }) => body === null || !this.own.has(body) },
    })
    if (hit === null) { foot.touches = false; foot.gap = 1; foot.ground = null; return }
    foot.normal = [...hit.normal] as Vec3
    foot.groundAt = [...hit.point] as Vec3
    foot.gap = Math.min(...this.corners(leg, ankle, this.bodyTurn(leg.end)).map((x) => dot(difference(x, foot.groundAt), foot.normal)))
    foot.touches = foot.gap < 0.012
    ;(foot as any).below = hit.collider.body
  }
  corners(leg: Leg, ankle: Vec3, turn: Quat): Vec3[] {
    const { sole } = leg
    const out: Vec3[] = []
    for (const f of [sole.heel, sole.toe]) for (const l of [sole.outRight, sole.outLeft])
      out.push(sum(ankle, turned(turn, sum(sum(scaled(sole.front, f), scaled(sole.left, l)), scaled(sole.up, -sole.depth)))))
    return out
  }
  /** plants where it is, flattened to the ground */
  plant(foot: Foot): void {
    this.probe(foot)
    const { sole } = foot.leg
    const t = this.bodyTurn(foot.leg.end)
    const n = foot.normal
    const front = direction(across(turned(t, sole.front), n), 1e-3) ?? [0, 0, 1]
    foot.turn = times(frameOf(front, n), sole.frame)
    const mid = sum(scaled(sole.front, 0.5 * (sole.toe + sole.heel)), sum(scaled(sole.left, 0.5 * (sole.outLeft + sole.outRight)), scaled(sole.up, -sole.depth)))
    const at = sum(this.jointAt(foot.leg.end), turned(t, mid))
    const flat = difference(at, scaled(n, dot(difference(at, foot.groundAt), n)))
    foot.ankle = difference(flat, turned(foot.turn, mid))
  }
  /** Follows a foot that slid. */
  follow(foot: Foot): void {
    if (!foot.touches) return
    const [ankle, turn] = [foot.ankle, foot.turn]
    this.plant(foot)
    const way = difference(foot.ankle, ankle)
    const far = size(way)
    foot.ankle = far > 0.01 ? sum(ankle, scaled(way, 1 - 0.01 / far)) : ankle
    if (Math.abs(dot([...foot.turn].slice(0,3) as Vec3, [...turn].slice(0,3) as Vec3) + foot.turn[3]*turn[3]) > 0.9995) foot.turn = turn
  }
  soleCentre(foot: Foot): Vec3 {
    const { sole } = foot.leg
    return sum(foot.ankle, turned(foot.turn, sum(sum(scaled(sole.front, 0.5 * (sole.toe + sole.heel)), scaled(sole.left, 0.5 * (sole.outLeft + sole.outRight))), scaled(sole.up, -sole.depth))))
  }
  gains(): void {
    const { doll, plan, P } = this
    const inertia = (part: number): number => doll.asset.parts[part].joint!.inertia
    this.feet.forEach(({ leg }, n) => {
      const stance = n !== this.swing
      const I = inertia(leg.end)
      const K = P.ankle * doll.asset.mass * 9.81 * 0.55 * doll.asset.stature
      const f = Math.sqrt(K / I) / (2 * Math.PI)
      const D = P.ankleDamp
      this.K = K; this.D = D
      if (stance) doll.setWeights({ strength: f, damping: D / (2 * I * 2 * Math.PI * f) }, plan.asset.parts[leg.end].name)
      else doll.setWeights({ strength: P.swing, damping: 1 }, plan.asset.parts[leg.end].name)
      for (const part of [leg.upper, leg.lower]) doll.setWeights({ strength: stance ? P.stance : P.swing, damping: 1 }, plan.asset.parts[part].name)
    })
  }

  measure(): void {
    let m = 0
    let x: Vec3 = [0, 0, 0], v: Vec3 = [0, 0, 0]
    for (const b of this.doll.bodies) { m += b.mass; x = sum(x, scaled(b.position as Vec3, b.mass)); v = sum(v, scaled(b.velocity as Vec3, b.mass)) }
    this.com = scaled(x, 1 / m); this.vel = scaled(v, 1 / m)
    for (const f of this.feet) this.probe(f)
  }
  flat(v: Vec3): Vec3 { return across(v, this.up) }

  update(): void {
    const { doll, up, plan, P } = this
    const dt = doll.world.settings.dt
    if (this.mode === 'limp') return
    this.measure()
    const planted = this.feet.filter((_, n) => n !== this.swing)
    const base = scaled(planted.reduce((s, f) => sum(s, this.soleCentre(f)), [0, 0, 0] as Vec3), 1 / planted.length)
    const z = Math.max(dot(difference(this.com, base), up), 0.3)
    this.z = z
    const omega = Math.sqrt(9.81 / z)
    this.xi = sum(sum(this.flat(this.com), scaled(this.flat(this.vel), 1 / omega)), scaled(up, dot(base, up)))
    const hull = (feet: Foot[]): Vec3[] => feet.flatMap((f) => this.corners(f.leg, f.ankle, f.turn))
    planted.forEach((f) => this.follow(f))
    const poly = hull(planted)
    const near = nearestInHull(poly, this.xi, up)
    this.excess = size(difference(this.xi, near))
    if (z < 0.45 * 0.55 * doll.asset.stature) { this.mode = 'fall' }
    if (this.mode === 'stand') {
      if (this.excess > P.margin && P.stepping !== false) this.beginStep(omega)
    }
    if (this.mode === 'step') {
      this.time += dt
      const left = P.T - this.time
      const foot = this.feet[this.swing]
      if (left > 0.3 * P.T) this.aim(omega, left)
      if (left <= 0 && (foot.touches || left < -0.3) || (this.time > 0.5 * P.T && foot.touches)) {
        this.plant(foot)
        this.swing = -1
        this.mode = 'stand'
        this.gains()
      }
    }
    this.pose(base)
    this.log = { com: this.com, xi: this.xi, excess: this.excess, mode: this.mode, z }
  }
  beginStep(omega: number): void {
    const { P } = this
    let best = -1, least = Infinity
    for (let n = 0; n < 2; n++) {
      this.swing = n
      const miss = this.aim(omega, P.T)
      if (miss < least) { least = miss; best = n }
    }
    this.swing = best
    this.aim(omega, P.T)
    this.mode = 'step'
    this.time = 0
    this.steps++
    this.from = this.jointAt(this.feet[best].leg.end)
    this.gains()
  }
  /** Where to step to; by how much it falls short. */
  aim(omega: number, left: number): number {
    const { P, up, plan } = this
    const stance = this.feet[1 - this.swing]
    const own = this.feet[this.swing]
    const poly = this.corners(stance.leg, stance.ankle, stance.turn)
    const p = nearestInHull(poly, this.xi, up)
    const growth = Math.exp(omega * left)
    const due = sum(p, scaled(difference(this.xi, p), growth))
    const out = direction(difference(due, p)) ?? [0, 0, 0]
    // ankle such that sole centre is at due + over
    let goal = sum(due, scaled(out, P.over))
    const { axes } = plan
    const { sole } = own.leg
    const heading = stance.turn
    const off = turned(heading, scaled(axes.front, 0.5 * (sole.toe + sole.heel)))
    goal = difference(goal, off)
    // lateral clearance
    const left_ = turned(heading, axes.left)
    const rel = difference(goal, stance.ankle)
    const lat = dot(rel, left_) * own.leg.side
    const least = 0.16
    let want = goal
    if (lat < least) want = sum(goal, scaled(left_, (least - lat) * own.leg.side))
    // reach
    const L = 0.5 * (own.leg.upperLength + own.leg.lowerLength) * P.reach
    const r = this.flat(difference(want, stance.ankle))
    const far = size(r)
    if (far > L) want = sum(want, scaled(r, L / far - 1))
    const miss = size(this.flat(difference(want, goal)))
    // height: ground below
    const h = own.leg.sole.depth
    this.to = sum(this.flat(want), scaled(up, dot(stance.groundAt, up) + h))
    return miss
  }
  pose(base: Vec3): void {
    const { P, up, plan, target, doll } = this
    const { frame } = plan
    const dt = doll.world.settings.dt
    const planted = this.feet.filter((_, n) => n !== this.swing)
    const front = direction(planted.map((f) => turned(f.turn, f.leg.sole.front)).reduce((a, b) => sum(a, b)))!
    const h = direction(this.flat(front))!
    const T = times(frameOf(h, up), frame)
    this.blend = Math.min(1, this.blend + dt / 0.5)
    const e = this.blend * this.blend * (3 - 2 * this.blend)
    const posture = this.posture.map((q, k) => { const p = this.first[k]; const s = (p[0]*q[0]+p[1]*q[1]+p[2]*q[2]+p[3]*q[3]) < 0 ? -e : e; const r = p.map((v, i) => (1-e)*v + s*q[i]) as Quat; const l = Math.sqrt(r.reduce((a,b)=>a+b*b,0)); return r.map(v=>v/l) as Quat })
    const actual = this.jointAt(0)
    const at = (foot: Foot): Vec3 => this.jointAt(foot.leg.end)
    let height = Infinity
    for (const f of planted) {
      const hip = sum(actual, turned(T, f.leg.root))
      const apart = size(this.flat(difference(hip, at(f))))
      const hh = TargetPose.height(f.leg, apart, P.longest)
      height = Math.min(height, dot(at(f), up) + (Number.isNaN(hh) ? 0.3 : hh) - dot(turned(T, f.leg.root), up))
    }
    const before = this.height ?? dot(actual, up)
    const most = (P.slew ?? 0.4) * dt
    this.height = before + Math.min(Math.max(height - before, -most), most)
    let root = sum(this.flat(actual), scaled(up, this.height))
    if (planted.length === 2) {
      const line = direction(this.flat(difference(at(planted[0]), at(planted[1]))))!
      const off = dot(difference(base, this.xi), line)
      root = sum(root, scaled(line, P.lead * off))
    }
    target.place(posture, T, root)
    for (const f of planted) {
      target.stand(f.leg, at(f), f.turn, 0.999)
      this.ankle(f, planted, base)
    }
    if (this.swing >= 0) this.swingLeg()
    target.write(this.room.places)
    const { places, lead, space, bones, pose } = this.room
    readPose(doll.asset, places, lead, space, (part) => part === 0, bones, pose)
    doll.driveTo(pose, { dt: 0, gravityCompensation: 0 })
  }
  height: number | undefined
  z = 1
  /** Target of the foot that gives its couple. */
  ankle(foot: Foot, planted: Foot[], base: Vec3): void {
    const { P, up, target, doll } = this
    const poly = planted.flatMap((f) => this.shrunk(f))
    const want = sum(this.xi, scaled(difference(this.xi, base), P.kxi))
    const p = nearestInHull(poly, this.flatAt(want, base), up)
    this.cop = p
    // Its own point, and its share.
    const own = planted.map((f) => nearestInHull(this.shrunk(f), p, up))
    let share = 1
    const k = planted.indexOf(foot)
    if (planted.length === 2) {
      const line = difference(own[1], own[0])
      const l2 = dot(line, line)
      const s = l2 > 1e-6 ? Math.min(1, Math.max(0, dot(difference(p, own[0]), line) / l2)) : 0.5
      share = k === 0 ? 1 - s : s
    }
    const m = doll.asset.mass * 9.81 * share
    const F = scaled(sum(up, scaled(this.flat(difference(this.com, p)), 1 / this.z)), m)
    const a = this.jointAt(foot.leg.end)
    const q = sum(this.flat(own[k]), scaled(up, dot(foot.groundAt, up)))
    const couple = scaled(cross(difference(q, a), F), -1)
    const { leg } = foot
    const [fb, sb] = [doll.bodies[leg.end], doll.bodies[leg.lower]]
    const rate = difference(fb.angularVelocity as Vec3, sb.angularVelocity as Vec3)
    const K = this.K
    const theta = sum(scaled(couple, 1 / K), scaled(rate, P.comp * this.D / K))
    const half = scaled(theta, 0.5)
    const w = Math.sqrt(Math.max(0, 1 - dot(half, half)))
    const turn = times([half[0], half[1], half[2], w], this.bodyTurn(leg.end))
    const T = times(times(target.turns[leg.lower], inverse(this.bodyTurn(leg.lower))), turn)
    for (let part = leg.end; part < doll.asset.parts.length; part++) if (part === leg.end || doll.asset.parts[part].parent === leg.end) target.turns[part] = T
  }
  K = 1
  D = 1
  cop: Vec3 = [0, 0, 0]
  flatAt(x: Vec3, base: Vec3): Vec3 { return sum(this.flat(x), scaled(this.up, dot(base, this.up))) }
  shrunk(foot: Foot): Vec3[] {
    const c = this.soleCentre(foot)
    return this.corners(foot.leg, foot.ankle, foot.turn).map((x) => sum(c, scaled(difference(x, c), this.P.shrink)))
  }
  /** relative to the actual pelvis */
  swingLeg(): void {
    const { P, up, target, plan } = this
    const foot = this.feet[this.swing]
    const s = Math.min(this.time / P.T, 1)
    const e = s * s * (3 - 2 * s)
    const at = sum(sum(this.from, scaled(difference(this.to, this.from), e)), scaled(up, P.lift * 4 * s * (1 - s)))
    // Seen from the actual pelvis.
    const { base, end, upper } = foot.leg
    const keepT = target.turns[base], keepX = target.positions[base]
    target.turns[base] = this.bodyTurn(base)
    target.positions[base] = this.jointAt(base)
    const stance = this.feet[1 - this.swing]
    target.stand(foot.leg, at, stance.turn, 0.995)
    const actual = target.turns[base]
    // back to the target's pelvis
    const back = times(keepT, inverse(actual))
    for (const part of [upper, foot.leg.lower, end]) target.turns[part] = times(back, target.turns[part])
    target.turns[base] = keepT
    target.positions[base] = keepX
    target.follow()
    void up0; void plan
  }
}

/** Nearest point to x (flat) in the convex hull of points, seen along up. */
export function nearestInHull(points: Vec3[], x: Vec3, up: Vec3): Vec3 {
  const u = direction(across(Math.abs(up[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], up))!
  const v = cross(up, u)
  const P = points.map((p) => [dot(p, u), dot(p, v)] as const)
  const q = [dot(x, u), dot(x, v)] as const
  // convex hull monotone chain
  const sorted = [...P].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (list: readonly (readonly [number, number])[]): (readonly [number, number])[] => {
    const out: (readonly [number, number])[] = []
    for (const p of list) {
      while (out.length >= 2) {
        const [a, b] = [out[out.length - 2], out[out.length - 1]]
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) <= 0) out.pop(); else break
      }
      out.push(p)
    }
    out.pop()
    return out
  }
  const hull = [...half(sorted), ...half([...sorted].reverse())]
  let inside = true, best = Infinity
  let n: readonly [number, number] = q
  hull.forEach((a, i) => {
    const b = hull[(i + 1) % hull.length]
    const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
    if (dx * (q[1] - a[1]) - dy * (q[0] - a[0]) < 0) inside = false
    const t = Math.min(1, Math.max(0, ((q[0] - a[0]) * dx + (q[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)))
    const p = [a[0] + t * dx, a[1] + t * dy] as const
    const d = (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2
    if (d < best) { best = d; n = p }
  })
  if (inside) return x
  return sum(sum(scaled(u, n[0]), scaled(v, n[1])), scaled(up, dot(x, up)))
}
