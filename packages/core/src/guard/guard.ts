/**
 * The last guard: no component ends a step with more kinetic energy than there was for it.
 *
 * A component is what hangs together by rows, contacts included; what does not move joins nothing. Over a step it may have
 *
 *   T₁ <= max((√((1 + GROWTH) T₀ + E_lost − ΔV + W + U₀ − U₁) + 2 √T_led)², ½ m v²)
 *
 * T kinetic, V gravitational energy and that of joints which give way, U that of other soft rows, springs and drives, W of forces and torques, T_led the kinetic
 * energy of the component if it went along with what leads it: a kinematic body, or a drive's velocity target. In the frame of
 * what leads, nothing gains, and √T is a norm: hence the triangle. E_lost: what the component has lost in the last minute or so, for
 * rows that the sweep left violated give it back as they are repaired; of a component that trees solve to the end, nothing comes back.
 * Less than 0: what it has gained so far, so that growth does not add up. v: speeds below are not worth a look. Where there is more,
 * velocities are scaled back (scale.ts). Where a soft body that is solved as a whole stores more than all there was, its solver takes back of its
 * shape what nothing paid for: a load without a solution leaves it so, and what others move of it without speed. Two passes over bodies and
 * one over rows a step; U and T_led are looked at only where T + V has grown.
 */

import type { Body } from '../state/body.js'
import { DYNAMIC, EDITED, RESTS } from '../state/body-columns.js'
import type { WorldView } from '../define/contract.js'
import { ENERGY_GUARD, type StepPart, type WorldParts } from '../define/step-part.js'
import { driveElastic, rowElastic } from '../measure/energy.js'
import { HALF_FALL, measureKinetic, setHalfFall } from './kinetic.js'
import { scaleBack, type Scaling, UNSCALED } from './scale.js'
import { addSources, isCounted, isOfWhole, isRetargeted, type Components, type Suspect } from './sources.js'
import { Links, SOFT, addUnmet } from './links.js'
import { moverOf } from '../graph/body-graph.js'
import { StartForces, StartPoses } from './step-start.js'

/** Share by which T may grow, over all steps: errors of the order of the scheme, where nothing was lost before. */
const GROWTH = 2e-3
/** Speeds [m/s] that contacts and round-off bring about at rest, beside those of two steps of free fall. */
const SLOW = 1e-3
/** Share of the energy of such speeds that soft bodies may store beyond what there was: half of what a step of free fall gives. */
const SLACK = 1 / 16

/**
 * For how long energy that was lost may come back [s]. It does where sweeps leave rows violated: a bridge of 160 planks that falls
 * onto its ends stretches by 81 kJ, and has 78 of them back a second and a half later.
 */
const MEMORY = 60

/**
 * By component, at its root: T₀, T₁, V₁ − V₀, W, mass, energy that may come back, U₁ − U₀ and U₀ of rows that are counted, 1 where the user changed a row under
 * load, 1 with a soft body that is solved as a whole, and then how far rows that are swept stand open [m].
 */
const START = 0
const END = 1
const LIFT = 2
const WORK = 3
const MASS = 4
const LOST = 5
const STORED = 6
const BEFORE = 7
const EDITS = 8
const WHOLE = 9
const UNMET = 10
const SUMS = 11

/** What the last guard did in the last step. */
export interface GuardReport {
  /** Components whose velocities were scaled back. */
  components: number
  /** Their bodies. */
  bodies: Body[]
}

/** The energy guard of a world: buffers that grow with it and are kept. */
class EnergyGuard implements Components, StepPart {
  readonly name = ENERGY_GUARD
  /** Bodies whose velocities were scaled back in the last step, and of how many components. */
  readonly scaled: number[] = []
  components = 0
  /** Poses at the start of the step. */
  private readonly startPoses = new StartPoses()
  /** Forces of the rows at the start of the step. */
  private readonly startForces = new StartForces()
  /** What hangs together. */
  private readonly links = new Links()
  /** By body: T at the start of the step [J]. */
  private start: Float64Array = new Float64Array(0)
  private sums: Float64Array = new Float64Array(0)
  /** By body: what repairs of its pose in this step have added to what its drives store [J]. */
  private wound: Float64Array = new Float64Array(0)
  /** By body: 1 of the component in hand. */
  private members: Uint8Array = new Uint8Array(0)
  private readonly suspect: Suspect = { root: 0, released: 0, led: 0, ledOtherwise: 0, driven: 0, unknown: false }
  private readonly scaling: Scaling = {
    kinetic: 0,
    allowed: 0,
    allowedRigid: 0,
    isUnheld: false,
    lendsMasses: false,
    fall: HALF_FALL,
  }
  private count = 0
  private hasWhole = false

  /** Notes the kinetic energies that the step begins with. */
  beginStep(world: WorldView, dt: number): void {
    const { count } = world.bodies
    setHalfFall(world.settings, dt)
    this.count = 0
    this.scaled.length = 0
    this.components = 0
    if (!world.settings.energyGuard) return
    this.reserve(count)
    this.count = count
    const { rows, count: awake } = world.bodies.awake
    for (let n = 0; n < awake; n++) this.wound[rows[n]] = 0
    measureKinetic(world.bodies, this.start, 1, 0)
    this.startForces.begin(world)
  }

  /** Around a user's hook: what it does to velocities is the user's. */
  beginHook(world: WorldView): void {
    if (this.count > 0) measureKinetic(world.bodies, this.sums, 1, 0)
  }

  endHook(world: WorldView): void {
    if (this.count === 0) return
    const { start, sums } = this
    const { rows, count } = world.bodies.awake
    for (let n = 0; n < count; n++) start[rows[n]] -= sums[rows[n]]
    measureKinetic(world.bodies, sums, 1, 0)
    for (let n = 0; n < count; n++) start[rows[n]] += sums[rows[n]]
  }

  /** Around a repair of poses, which no speed pays for: a joint that is turned to within its limits may wind up its drive, and what drives store they give. */
  beginRepair(world: WorldView): void {
    this.addWound(world, -1)
  }

  endRepair(world: WorldView): void {
    this.addWound(world, 1)
  }

  /** Scales back the velocities of components that gained energy; `sweeps` if the step swept also the rows that block solvers take by default. */
  correct(world: WorldView, dt: number, sweeps: boolean): void {
    const bodies = world.bodies.columns
    const { count, sums, links } = this
    if (count > 0 && world.bodies.count === count) {
      links.refresh(world)
      this.sum(world, dt)
      this.addStored(world)
      if (this.hasWhole) addUnmet(world, links.graph.sets, sums, SUMS, UNMET, WHOLE)
      const { sets } = links.graph
      const { rows, count: awake } = world.bodies.awake
      for (let n = 1; n < awake; n++) {
        const i = rows[n]
        if (sets.root(i) !== i || bodies.kind[i] !== DYNAMIC) continue
        if (sums[SUMS * i + END] > this.allowed(world, i, dt, 0, 0) || this.overdrawn(world, i, dt) > 0)
          this.judge(world, i, dt, sweeps)
      }
      this.keepLost(world, dt, sweeps)
    }
  }

  private reserve(count: number): void {
    if (this.start.length >= count) return
    this.start = new Float64Array(2 * count)
    this.sums = new Float64Array(2 * count * SUMS)
    this.wound = new Float64Array(2 * count)
    this.members = new Uint8Array(2 * count)
  }

  /** Energies by component. */
  private sum(world: WorldView, dt: number): void {
    const { sums, start, wound } = this
    const { rows, count } = world.bodies.awake
    const { sets, held } = this.links.graph
    const bodies = world.bodies.columns
    const { gravity } = world.settings
    const { position, previousPosition, inverseMass, gravityScale, lostEnergy, kind, flags, force, torque } = bodies
    for (let n = 0; n < count; n++) for (let o = SUMS * rows[n]; o < SUMS * (rows[n] + 1); o++) sums[o] = 0
    measureKinetic(world.bodies, sums, SUMS, END)
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (kind[i] !== DYNAMIC || (flags[i] & RESTS) !== 0) continue
      const root = sets.root(i)
      const o = SUMS * root
      const m = 1 / inverseMass[i]
      const p = 4 * i
      const v = 3 * i
      const T = sums[SUMS * i + END]
      if (root !== i) sums[o + END] += T
      sums[o + START] += start[i]
      sums[o + MASS] += m
      sums[o + LOST] += lostEnergy[i]
      if ((flags[i] & EDITED) !== 0) sums[o + EDITS] = 1
      // What is held pays for what is wound up. What is free could pay only with momentum that nothing took.
      if (held[root] === 0) sums[o + LIFT] -= wound[i]
      sums[o + LIFT] -=
        m *
        gravityScale[i] *
        (gravity[0] * (position[p] - previousPosition[v]) +
          gravity[1] * (position[p + 1] - previousPosition[v + 1]) +
          gravity[2] * (position[p + 2] - previousPosition[v + 2]))
      const f = force[v] * force[v] + force[v + 1] * force[v + 1] + force[v + 2] * force[v + 2]
      const t = torque[v] * torque[v] + torque[v + 1] * torque[v + 1] + torque[v + 2] * torque[v + 2]
      if (f === 0 && t === 0) continue
      // No more than force times time times the greatest speed of the body, and likewise of torque.
      const least = Math.min(bodies.principalInertia[v], bodies.principalInertia[v + 1], bodies.principalInertia[v + 2])
      const most = 2 * Math.max(T, start[i])
      sums[o + WORK] += dt * (Math.sqrt((f * most) / m) + (least > 0 ? Math.sqrt((t * most) / least) : 0))
      sums[o + WORK] += dt * dt * ((0.5 * f) / m + (least > 0 ? (0.5 * t) / least : 0))
    }
  }

  /** What gives way stores energy as weights do that are lifted. */
  private addStored(world: WorldView): void {
    this.hasWhole = false
    if (this.links.storing.length === 0) return
    const bodies = world.bodies.columns
    const before = this.startPoses.columnsOf(bodies, world.bodies.count)
    const h = world.clock.substepLength
    for (const t of this.links.storing) {
      const batch = world.batches[t]
      const forces = this.startForces.forcesOf(world, t)
      for (let row = 0; row < batch.active; row++) {
        if (!isCounted(world, batch, row)) continue
        const root = this.links.graph.sets.root(moverOf(bodies, batch, row))
        const o = SUMS * root
        const isWhole = isOfWhole(batch, row)
        if (isWhole) {
          this.sums[o + WHOLE] = 1
          this.hasWhole = true
        }
        // What is solved as a whole has the shape that it seems to have.
        const known = isWhole || isRetargeted(bodies, batch, row) ? undefined : forces
        const was = rowElastic(before, batch, row, true, known, 1, batch.type.multipliers * batch.common.slot[row])
        this.sums[o + BEFORE] += was
        this.sums[o + STORED] += rowElastic(bodies, batch, row, true, known && batch.common.lambda, 1 / (h * h)) - was
      }
    }
  }

  /** Adds what drives store to `wound`, or takes it off. */
  private addWound(world: WorldView, sign: number): void {
    if (this.count === 0) return
    const bodies = world.bodies.columns
    for (const batch of world.batches) {
      if (batch.type.traits?.transient === true) continue
      for (let row = 0; row < batch.active; row++) {
        if (isCounted(world, batch, row))
          this.wound[moverOf(bodies, batch, row)] += sign * driveElastic(bodies, batch, row)
      }
    }
  }

  /** What components have lost, less what has come back and what is forgotten, to their bodies by mass. */
  private keepLost(world: WorldView, dt: number, sweeps: boolean): void {
    const { sums } = this
    const { swept, graph } = this.links
    const { sets } = graph
    const { lostEnergy, inverseMass, kind, flags } = world.bodies.columns
    const kept = 1 / (1 + dt / MEMORY)
    const { rows, count } = world.bodies.awake
    for (let n = 1; n < count; n++) {
      const i = rows[n]
      if (kind[i] !== DYNAMIC) continue
      if ((flags[i] & RESTS) !== 0) {
        lostEnergy[i] = 0
        continue
      }
      const root = sets.root(i)
      const o = SUMS * root
      let lost = sums[o + LOST] + sums[o + START] - sums[o + END] - sums[o + LIFT] - sums[o + STORED]
      // What forces may have stored is not owed.
      if (lost < 0) lost = Math.min(0, lost + sums[o + WORK])
      const most = sweeps || swept[root] !== 0 ? this.returnable(world, o) : 0
      const counted = Math.min(Math.max(lost, -this.owable(root)), most)
      // What is owed is not forgotten: it seems stored for as long as sweeps leave rows unmet. Nor is what elements may have stored: a soft body may lie under a load for long.
      const isForgotten = counted > 0 && (swept[root] & SOFT) === 0
      const share = ((isForgotten ? kept : 1) * counted) / (inverseMass[i] * sums[o + MASS])
      lostEnergy[i] = Math.abs(share) < Infinity ? share : 0
    }
  }

  /**
   * The most [J] that comes back of what a component has lost, as rows that a sweep left violated are repaired: that of a mass that goes as far in a substep as all of them
   * stand open. It is looked at where soft bodies are solved as a whole, whose own errors are known.
   */
  private returnable({ clock }: WorldView, o: number): number {
    const { sums } = this
    if (sums[o + WHOLE] === 0) return Infinity
    const speed = sums[o + UNMET] / clock.substepLength
    return 0.5 * sums[o + MASS] * speed * speed
  }

  /** What there was for a component's T [J], before gravity, forces and springs. */
  private before(o: number): number {
    const { sums } = this
    // What a body owes of growth that it shared with others may be more than it has itself: what has not grown in this step stays as it is.
    return (1 + GROWTH) * sums[o + START] + Math.max(sums[o + LOST], -GROWTH * sums[o + START])
  }

  /** A kinetic energy [J] that is not worth a look. */
  private slight(world: WorldView, o: number, dt: number): number {
    const { gravity } = world.settings
    const g = Math.sqrt(gravity[0] * gravity[0] + gravity[1] * gravity[1] + gravity[2] * gravity[2])
    const slow = Math.max(2 * g * dt, SLOW)
    return 0.5 * this.sums[o + MASS] * slow * slow
  }

  /** How much more [J] a component has than there was for it, all together, where soft bodies of it are solved as a whole. */
  private overdrawn(world: WorldView, root: number, dt: number): number {
    const { sums } = this
    const o = SUMS * root
    if (sums[o + WHOLE] === 0) return 0
    // What is owed counts in full: a little in each step adds up.
    const had = (1 + GROWTH) * sums[o + START] + sums[o + LOST] + sums[o + WORK]
    return sums[o + END] + sums[o + LIFT] + sums[o + STORED] - had - SLACK * this.slight(world, o, dt)
  }

  /** The most kinetic energy that a component may have [J], with T_led and the work of drives. */
  private allowed(world: WorldView, root: number, dt: number, led: number, driven: number): number {
    const { sums } = this
    const o = SUMS * root
    const own = Math.max(0, this.before(o) - sums[o + LIFT] - this.returned(o) + sums[o + WORK] + driven)
    const norm = Math.sqrt(own) + 2 * Math.sqrt(led)
    return Math.max(norm * norm, this.slight(world, o, dt))
  }

  /**
   * What counted rows have stored in this step [J]. Where sweeps leave rows far from met, they seem to store what nothing paid for: that much
   * is owed, and of what they give back the same share counts for nothing.
   */
  private returned(o: number): number {
    const { sums } = this
    const stored = sums[o + STORED]
    const owed = Math.max(0, -sums[o + LOST])
    if (stored >= 0 || owed === 0) return stored
    return stored * Math.max(0, 1 - owed / sums[o + BEFORE])
  }

  /**
   * The kinetic energy [J] there was for a component if its rows store nothing. Where sweeps leave soft rows far from met they seem to store what
   * they do not, and what is free has its momenta whether that is so or not.
   */
  private unstored(root: number): number {
    const { sums } = this
    const o = SUMS * root
    return Math.max(0, sums[o + START] - sums[o + LIFT] + sums[o + WORK])
  }

  /** The most that a component may owe [J]: what kinematic bodies, drives and the user put in is not known. */
  private owable(root: number): number {
    const { sums, links } = this
    const o = SUMS * root
    const growth = GROWTH * sums[o + END]
    if (links.leader[root] !== 0 || sums[o + BEFORE] + sums[o + STORED] === 0 || sums[o + EDITS] === 1) return growth
    return Math.max(growth, sums[o + BEFORE] + sums[o + STORED])
  }

  /** Looks at all that may have given a component its energy, and scales it back where that is not enough. */
  private judge(world: WorldView, root: number, dt: number, sweeps: boolean): void {
    const { suspect, sums } = this
    suspect.root = root
    suspect.released = suspect.led = suspect.ledOtherwise = suspect.driven = 0
    suspect.unknown = sums[SUMS * root + EDITS] === 1
    const before = this.startPoses.columnsOf(world.bodies.columns, world.bodies.count)
    addSources(world, dt, this, before, this.startForces, suspect, this.links)
    // What springs give back was lost before, if they were not under load when they were made. What is owed stays owed.
    const lost = sums[SUMS * root + LOST]
    sums[SUMS * root + LOST] = Math.max(lost, suspect.released + Math.min(lost, 0))
    if (suspect.unknown) return
    this.scale(world, root, dt, sweeps)
    if (suspect.led === 0 && suspect.driven === 0) this.unstrain(world, root, dt)
  }

  /** Takes back what soft bodies that are solved as a whole store beyond all there was. */
  private unstrain(world: WorldView, root: number, dt: number): void {
    const excess = this.overdrawn(world, root, dt)
    if (!(excess > 0 && excess < Infinity)) return
    const { members, count, sums } = this
    for (let i = 0; i < count; i++) members[i] = i > 0 && this.isIn(world, i, root) ? 1 : 0
    let taken = 0
    for (const solver of world.solvers) taken += solver.unstrain?.(world, members, excess - taken) ?? 0
    sums[SUMS * root + STORED] -= taken
  }

  /** Scales a component back whose kinetic energy is more than it may be. */
  private scale(world: WorldView, root: number, dt: number, sweeps: boolean): void {
    const { suspect, sums } = this
    // Either bound holds: a stiff drive goes along with its target, a weak one gives as much as its damper can.
    const { led, ledOtherwise, driven } = suspect
    const allowed = Math.min(this.allowed(world, root, dt, led, 0), this.allowed(world, root, dt, ledOtherwise, driven))
    const T = sums[SUMS * root + END]
    if (T <= allowed || !(T < Infinity)) return
    const { scaling } = this
    scaling.kinetic = T
    scaling.allowed = allowed
    // What is solved directly has stored what it seems to.
    scaling.allowedRigid = sweeps || this.links.swept[root] !== 0 ? this.unstored(root) : allowed
    scaling.isUnheld = this.links.graph.held[root] === 0
    scaling.lendsMasses = sums[SUMS * root + WHOLE] !== 0
    const left = scaleBack(world, this, root, scaling)
    if (left === UNSCALED) return
    sums[SUMS * root + END] = left
    this.components++
    const { rows, count } = world.bodies.awake
    for (let n = 1; n < count; n++) if (this.isIn(world, rows[n], root)) this.scaled.push(rows[n])
  }

  report({ bodies }: WorldView): GuardReport {
    const { components, scaled } = this
    return { components, bodies: bodies.all().filter(({ index }) => scaled.includes(index)) }
  }

  /** Whether a body moves and belongs to a component. */
  isIn(world: WorldView, i: number, root: number): boolean {
    const { kind, flags } = world.bodies.columns
    return kind[i] === DYNAMIC && (flags[i] & RESTS) === 0 && this.links.graph.sets.root(i) === root
  }
}

/** Part of a world: scales back the velocities of components that end a step with more energy than they had and were given. */
export function energyGuard(world: WorldParts): void {
  world.addPart(new EnergyGuard())
}
