/**
 * A page whose world lives in a worker, or, to compare, on the page itself. It draws a point a body, and counts its frames. Tests and reports call what it
 * puts on `window`.
 */

import { assembliesFromJSON, ragdollKind } from '@tautline/assemblies'
import { collisionsFromJSON } from '@tautline/collision'
import { swingTwist } from '@tautline/constraints'
import { fromJSON, type Body, type World } from '@tautline/core'
import { Bindings } from '@tautline/three'
import { connect, type RemoteWorld } from '@tautline/worker'
import { WorldMirror } from '@tautline/worker/mirror'
import { Object3D, Scene } from 'three'

/** Frames of a page, as the browser has made them. */
export interface FrameCount {
  /** Frames that a screen of 60 Hz would have shown. */
  due: number
  /** Those of them that the page has missed. */
  dropped: number
  /** Longest time between two frames [ms]. */
  longest: number
  /** Steps that the world has made meanwhile. */
  steps: number
}

/** What is on `window`. */
export interface WorkerPage {
  isolated: boolean
  /** Hash of a scene after so many steps in a worker. */
  hash(
    scene: string,
    steps: number,
    poses: 'auto' | 'transferred',
  ): Promise<{ hash: string; shared: boolean; shown: number }>
  /** Counts frames for so long [s] while a scene runs; with no scene, while nothing does. */
  frames(scene: string | null, seconds: number, place: 'worker' | 'page'): Promise<FrameCount>
}

/** Of a screen of 60 Hz [ms]. */
const FRAME = 1000 / 60

function remoteOf(scene: string, poses: 'auto' | 'transferred'): RemoteWorld {
  const worker = new Worker(new URL('./own-worker.ts', import.meta.url), { type: 'module' })
  return connect(worker, { scene, poses })
}

/** Draws a point a body of a world, each by an object of three that shows it. */
class Drawing {
  private readonly bindings: Bindings
  private readonly objects: Object3D[]
  private readonly canvas = (document.querySelector('canvas') as HTMLCanvasElement).getContext(
    '2d',
  ) as CanvasRenderingContext2D

  constructor(world: World, bodies: readonly Body[]) {
    this.bindings = new Bindings(world)
    const scene = new Scene()
    this.objects = bodies.map((body) => {
      const object = new Object3D()
      scene.add(object)
      this.bindings.bind(body, object)
      return object
    })
  }

  draw(alpha: number): void {
    this.bindings.update(alpha)
    this.canvas.clearRect(0, 0, 640, 360)
    for (const { position } of this.objects) this.canvas.fillRect(320 + 40 * position.x, 340 - 40 * position.y, 3, 3)
  }
}

function nextFrame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve))
}

async function count(seconds: number, frame: (passed: number) => void): Promise<Omit<FrameCount, 'steps'>> {
  const began = await nextFrame()
  let last = began
  let made = 0
  let longest = 0
  while (last - began < 1000 * seconds) {
    const now = await nextFrame()
    longest = Math.max(longest, now - last)
    frame((now - last) / 1000)
    last = now
    made++
  }
  const due = Math.round((last - began) / FRAME)
  return { due, dropped: Math.max(due - made, 0), longest }
}

async function framesInWorker(scene: string, seconds: number): Promise<FrameCount> {
  const remote = remoteOf(scene, 'auto')
  const bodies = await remote.bodies()
  const mirror = new WorldMirror(remote)
  const drawing = new Drawing(mirror.world, mirror.bodies(bodies))
  remote.start()
  const counted = await count(seconds, () => drawing.draw(mirror.update()))
  const { steps } = remote
  remote.dispose()
  return { ...counted, steps }
}

async function framesOnPage(scene: string, seconds: number): Promise<FrameCount> {
  const stages = { collisions: collisionsFromJSON, assemblies: assembliesFromJSON([ragdollKind]) }
  const world = fromJSON(scene, [swingTwist], stages)
  const drawing = new Drawing(world, world.bodies.all())
  const before = world.clock.steps
  const counted = await count(seconds, (passed) => {
    world.advance(passed)
    drawing.draw(world.alpha)
  })
  return { ...counted, steps: world.clock.steps - before }
}

const page: WorkerPage = {
  isolated: crossOriginIsolated,
  async hash(scene, steps, poses) {
    const remote = remoteOf(scene, poses)
    for (let step = 0; step < steps; step++) remote.step()
    const hash = await remote.hash()
    await remote.flush()
    remote.refresh()
    const { shared, steps: shown } = remote
    remote.dispose()
    return { hash, shared, shown }
  },
  async frames(scene, seconds, place) {
    if (scene === null) return { ...(await count(seconds, () => undefined)), steps: 0 }
    return place === 'worker' ? framesInWorker(scene, seconds) : framesOnPage(scene, seconds)
  },
}
Object.assign(window, { workerPage: page })
