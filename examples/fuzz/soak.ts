/**
 * A world that lives long: bodies, joints, colliders and settings come, change and go in random order, with snapshots, restores, JSON and
 * steps between. How much there is stays the same, so that heap and time of a step have no reason to grow.
 */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { box, type Collider, Collisions, collisionsFromJSON, plane, sphere } from '@tautline/collision'
import { ballSocket, distance, hinge } from '@tautline/constraints'
import { type Body, type Constraint, fromJSON, type Snapshot, World } from '@tautline/core'
import { type AnyType } from '@tautline/core/kernel'
import { pick, randomFrom } from './random.js'

/** Bodies and joints in the world, and edits a step. */
const BODIES = 40
const JOINTS = 24
const EDITS_A_STEP = 10
const PARTS = 10
/** Edits before anything is measured, at least: code is compiled, and tables grow to what they need. */
const WARM_UP = 10_000
const EDITS_A_RELOAD = 5000
/** What must not be exceeded [bytes], and by what share a step may take longer or shorter. */
const MOST_GROWTH = 5e6
const MOST_CHANGE = 0.1
/** Steps of the same scene that are timed, after each part, and how often before the first: they are compiled late. */
const TIMED = 60
const UNCOUNTED = 40

const TYPES = [ballSocket, distance, hinge] as unknown as AnyType[]

/** Heap after collection [bytes] and time of a step [ms] at the start and after each tenth; how much was done. */
export interface SoakResult {
  edits: number
  steps: number
  snapshots: number
  reloads: number
  heap: number[]
  step: number[]
}

/** Collects garbage, whether or not the process was started with `--expose-gc`. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}

class Soaked {
  world = new World()
  collisions = new Collisions(this.world)
  bodies: Body[] = []
  joints: Constraint[] = []
  private saved: { snapshot: Snapshot; bodies: Body[]; joints: Constraint[] } | undefined
  private readonly random: () => number

  constructor(seed: number) {
    this.random = randomFrom(seed)
    this.collisions.addCollider(null, { shape: plane([0, 1, 0]) })
    while (this.bodies.length < BODIES) this.addBody()
    while (this.joints.length < JOINTS) this.addJoint()
  }

  private at(): [number, number, number] {
    const { random } = this
    return [20 * random(), 1 + 3 * random(), 20 * random()]
  }

  private addBody(): void {
    const shape = this.random() < 0.5 ? sphere(0.3) : box([0.3, 0.2, 0.2])
    this.bodies.push(this.collisions.addBody({ shape, position: this.at() }))
  }

  private addJoint(): void {
    const { random, world, bodies } = this
    const a = pick(random, bodies)
    const b = pick(random, bodies)
    if (a === b) return
    const made =
      random() < 0.5
        ? world.add(ballSocket, { a, b: null, point: a.position })
        : random() < 0.5
          ? world.add(distance, { a, b })
          : world.add(hinge, { a, b: null, point: a.position, axis: [0, 0, 1] })
    this.joints.push(made as unknown as Constraint)
  }

  /** Some edit; what goes is made up for. */
  edit(): void {
    const { random, world } = this
    switch (Math.floor(10 * random())) {
      case 0:
        this.removeBody(pick(random, this.bodies))
        break
      case 1:
      case 2: {
        const joint = pick(random, this.joints)
        joint.remove()
        this.joints = this.joints.filter((other) => other !== joint)
        break
      }
      case 3:
        pick(random, this.bodies).setPosition(this.at())
        break
      case 4:
        pick(random, this.bodies).setVelocity([random(), random(), random()])
        break
      case 5: {
        const joint = pick(random, this.joints)
        joint.set({ enabled: !joint.enabled } as never)
        break
      }
      case 6:
        world.configure({ gravity: [0, -9 - random(), 0] })
        break
      case 7: {
        const collider: Collider = pick(random, this.collisions.collidersOf(pick(random, this.bodies)))
        collider.set({ friction: random() })
        break
      }
      case 8:
        this.saved = { snapshot: world.snapshot(), bodies: this.bodies.slice(), joints: this.joints.slice() }
        break
      default:
        if (this.saved === undefined) break
        world.restore(this.saved.snapshot)
        this.bodies = this.saved.bodies.slice()
        this.joints = this.saved.joints.slice()
    }
    while (this.bodies.length < BODIES) this.addBody()
    while (this.joints.length < JOINTS) this.addJoint()
  }

  private removeBody(body: Body): void {
    body.remove()
    this.bodies = this.bodies.filter((other) => other !== body)
    this.joints = this.joints.filter((joint) => joint.alive)
  }

  /** Goes on in a world read from JSON. */
  reload(): void {
    const text = JSON.stringify(this.world)
    this.world = fromJSON(text, TYPES, { collisions: collisionsFromJSON })
    this.collisions = Collisions.of(this.world) as Collisions
    this.bodies = this.world.bodies.all()
    this.joints = this.world.constraints()
    this.saved = undefined
  }
}

/** The same scene in a world of its own, stepped: what tells whether the process has become slower. The fastest [ms]:
 * others may be at work on the machine. */
function timeOf(soaked: Soaked, probe: Snapshot): number {
  const { world } = soaked
  world.restore(probe)
  const times: number[] = []
  for (let k = 0; k < TIMED; k++) {
    const start = performance.now()
    world.step()
    times.push(performance.now() - start)
  }
  return Math.min(...times)
}

/** Makes so many edits. */
export function soak(edits: number, seed: number): SoakResult {
  const collect = collector()
  const soaked = new Soaked(seed)
  const result: SoakResult = { edits, steps: 0, snapshots: 0, reloads: 0, heap: [], step: [] }
  const heap = (): number => {
    collect()
    return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
  }
  const each = Math.max(1, Math.floor(edits / PARTS))
  const first = Math.max(each, WARM_UP)
  for (let k = 0; k < edits + first; k++) {
    soaked.edit()
    if (k % EDITS_A_STEP === 0) {
      soaked.world.step()
      result.steps++
    }
    if (k % EDITS_A_RELOAD === EDITS_A_RELOAD - 1) {
      soaked.reload()
      result.reloads++
    }
    if (k + 1 === first) for (let n = 0; n < UNCOUNTED; n++) timeFresh()
    if (k + 1 >= first && (k + 1 - first) % each === 0) measure(soaked, result, heap)
  }
  return result
}

/** Of a scene of its own, so that it is the same each time. */
function timeFresh(): number {
  const fresh = new Soaked(1)
  for (let k = 0; k < 30; k++) fresh.world.step()
  return timeOf(fresh, fresh.world.snapshot())
}

function measure(soaked: Soaked, result: SoakResult, heap: () => number): void {
  const now = soaked.world.snapshot()
  result.step.push(timeFresh())
  soaked.world.restore(now)
  result.snapshots++
  result.heap.push(heap())
}

/** Median. */
function middle(part: number[]): number {
  return part.sort((r, s) => r - s)[part.length >> 1]
}

/** Growth of the heap [bytes]: the median of the last three parts less that of the first three. */
export function growth({ heap }: SoakResult): number {
  return middle(heap.slice(-3)) - middle(heap.slice(0, 3))
}

/** How much longer a step takes at the end: medians of the last three parts over the first three. */
export function slowdown({ step }: SoakResult): number {
  return middle(step.slice(-3)) / middle(step.slice(0, 3))
}

export function isFlat(result: SoakResult): boolean {
  return growth(result) < MOST_GROWTH && Math.abs(slowdown(result) - 1) <= MOST_CHANGE
}

export function describeSoak(result: SoakResult): string {
  const mega = (bytes: number): string => (bytes / 1e6).toFixed(2)
  return (
    `${result.edits} edits, ${result.steps} steps, ${result.reloads} reloads; heap ${mega(growth(result))} MB larger ` +
    `(${result.heap.map(mega).join(', ')} MB), time per step ×${slowdown(result).toFixed(3)} ` +
    `(${result.step.map((time) => time.toFixed(3)).join(', ')} ms)`
  )
}
