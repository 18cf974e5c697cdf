/**
 * Runs texts of the playground in a frame without an origin: no storage, no cookies, no page around it, no network. It hears what to run,
 * draws it, lets it be pulled at, and tells what it is at.
 */

import { lineOf, messageOf } from '../script-error.js'
import { Dragging } from '../viewer/dragging.js'
import { Orbit } from '../viewer/orbit.js'
import { Viewer } from '../viewer/viewer.js'
import { listenToPointers } from '../ui/pointers.js'
import { type Program, runProgram } from './program.js'
import type { FromFrame, ToFrame } from './protocol.js'

/** From one telling to the next [ms], and the most steps a frame. */
const TELL = 200
const MOST_STEPS = 3

const canvas = document.body.appendChild(document.createElement('canvas'))
canvas.className = 'picture'
canvas.tabIndex = 0
canvas.setAttribute('role', 'img')
canvas.setAttribute('aria-label', 'The scene of the text. Drag things with the pointer; arrow keys turn it.')

let program: Program | undefined
let error: unknown
let isPaused = false
let step = 0
let last = 0
let owed = 0
let told = 0

function tell(message: FromFrame): void {
  parent.postMessage(message, '*')
}

function tellState(): void {
  const bodies = program?.live.worlds.reduce((sum, world) => sum + world.bodies.all().length, 0) ?? 0
  const state =
    error === undefined ? { error: null, line: null } : { error: messageOf(error), line: lineOf(error) ?? null }
  tell({ kind: 'state', step, bodies, ...state })
}

const viewer = new Viewer(canvas)
const dragging = new Dragging(viewer)
const orbit = new Orbit(viewer.camera, canvas)
listenToPointers(canvas, dragging, orbit, () => undefined)

function run(code: string): void {
  dragging.release()
  step = 0
  error = program = undefined
  try {
    program = runProgram(code, (text) => tell({ kind: 'print', text }))
    viewer.show(program.live, program.view)
    orbit.target.copy(viewer.centre)
    orbit.nearest = 0.2 * program.view.radius
    orbit.farthest = 12 * program.view.radius
  } catch (thrown) {
    error = thrown
    program = undefined
    viewer.clear()
  }
  tellState()
}

function advance(): void {
  if (program === undefined || isPaused || error !== undefined) return
  const { live } = program
  let made = 0
  try {
    while (owed >= 0.9 * live.dt && made++ < MOST_STEPS) {
      live.step()
      step++
      owed -= live.dt
    }
  } catch (thrown) {
    error = thrown
  }
  if (owed > live.dt) owed = 0
}

function frame(now: number): void {
  requestAnimationFrame(frame)
  owed += Math.min(0.1, (now - last) / 1000)
  last = now
  advance()
  viewer.resize(innerWidth, innerHeight)
  viewer.drawFrame(now)
  if (now - told < TELL) return
  told = now
  tellState()
}

addEventListener('message', ({ data, source }: MessageEvent<ToFrame>) => {
  if (source !== parent) return
  if (data.kind === 'run') run(data.code)
  else if (data.kind === 'ping') tell({ kind: 'pong' })
  else if (data.kind === 'pause') isPaused = data.isPaused
  else {
    document.documentElement.dataset.theme = data.theme
    viewer.readTheme()
  }
})
requestAnimationFrame(frame)
tell({ kind: 'ready' })
