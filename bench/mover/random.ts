/**
 * Random courses for character movers: stairs, slopes, curbs and landings in a row, of random sizes, gone by random capsules and boxes at random
 * speeds, askew and straight, at 30 to 144 Hz. 20 m/s at random thin walls. And stairs that end at a step which is too high, which none may climb.
 *
 *   random.ts --engine tautline|rapier --count 500 --seed 1
 *
 * Everything on a course is within what both are told to climb: steps to 0.29 m of 0.3 m, slopes to 47° of 50°. A run is stuck which is not at
 * the end, at its height, in three times the time that the way takes and 2 s.
 */

import { parseArgs } from 'node:util'
import type { Course, CourseEngine, Figure } from './engine.js'

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'tautline' },
    count: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
  },
})
if (values.engine !== 'tautline' && values.engine !== 'rapier')
  throw new RangeError(`random: engine must be tautline or rapier, got ${values.engine}`)
const { engine } = (await import(`./${values.engine}.js`)) as { engine: CourseEngine }
await engine.load()

const SKIN = 0.02
const RATES = [30, 60, 90, 144]
/** Half the width of a course [m], and of the landing at its end its length. */
const WIDE = 6
const LANDING = 4

/** Mulberry32 (T. Ettinger 2017). */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

interface Outcome {
  kind: string
  stuck: boolean
  note: string
}

function figureOf(next: () => number): { kind: string; figure: Figure; stands: number } {
  const k = Math.floor(next() * 4)
  if (k === 3) {
    const sides = [0.1 + 0.4 * next(), 0.4 + 0.5 * next(), 0.1 + 0.4 * next()] as const
    return { kind: 'box', figure: { sides }, stands: sides[1] + SKIN }
  }
  const [kind, radius] =
    k === 0
      ? ['thin capsule', 0.08 + 0.12 * next()]
      : k === 1
        ? ['capsule', 0.25 + 0.15 * next()]
        : ['fat capsule', 0.4 + 0.3 * next()]
  const half = 0.2 + 0.5 * next()
  return { kind: kind as string, figure: { radius: radius as number, half }, stands: (radius as number) + half + SKIN }
}

/** Lays a course from x = 1 on; returns where it ends, and how high. */
function lay(course: Course, next: () => number): { end: number; height: number; text: string } {
  let x = 1
  let height = 0
  let text = ''
  const block = (from: number, to: number, top: number): void => {
    if (top > 0) course.addBox({ half: [(to - from) / 2, top / 2, WIDE], position: [(from + to) / 2, top / 2, 0] })
  }
  const pieces = 1 + Math.floor(next() * 3)
  for (let k = 0; k < pieces; k++) {
    const kind = Math.floor(next() * 3)
    if (kind === 0) {
      const [rise, tread, steps] = [0.05 + 0.24 * next(), 0.2 + 0.4 * next(), 2 + Math.floor(next() * 6)]
      for (let step = 0; step < steps; step++) {
        height += rise
        block(x, x + tread, height)
        x += tread
      }
      text += ` stairs ${steps}×${rise.toFixed(3)}/${tread.toFixed(3)}`
    } else if (kind === 1) {
      const angle = ((5 + 42 * next()) * Math.PI) / 180
      const length = 1 + 2 * next()
      const [c, s] = [Math.cos(angle), Math.sin(angle)]
      // Its upper face begins at (x, height).
      course.addBox({
        half: [length / 2, 0.5, WIDE],
        position: [x + (length / 2) * c + 0.5 * s, height + (length / 2) * s - 0.5 * c, 0],
        tilt: angle,
      })
      x += length * c
      height += length * s
      text += ` slope ${((180 / Math.PI) * angle).toFixed(1)}°×${length.toFixed(2)}`
    } else {
      const [rise, thick, before] = [0.03 + 0.26 * next(), 0.02 + 0.3 * next(), 0.3 + next()]
      block(x, x + before + thick + 1.2, height)
      course.addBox({ half: [thick / 2, rise / 2, WIDE], position: [x + before + thick / 2, height + rise / 2, 0] })
      x += before + thick + 1.2
      text += ` curb ${rise.toFixed(3)}×${thick.toFixed(3)}`
    }
    const rest = 0.3 + 1.5 * next()
    block(x, x + rest, height)
    x += rest
  }
  block(x, x + LANDING, height)
  return { end: x, height, text }
}

function walk(seed: number): Outcome {
  const next = random(seed)
  const { kind, figure, stands } = figureOf(next)
  const course = engine.course(figure)
  const { end, height, text } = lay(course, next)
  const rate = RATES[Math.floor(next() * RATES.length)]
  const speed = 0.3 * 40 ** next()
  const askew = next() < 0.5 ? 0 : (next() - 0.5) * 1.2
  course.place([-1, stands, 0])
  for (let k = 0; k < 10; k++) course.step(0, 0, 1 / rate)
  const goal = end + 1
  const most = rate * (2 + (3 * (goal + 1)) / (speed * Math.cos(askew)))
  let reached = false
  let moves = 0
  for (; moves < most && !reached; moves++) {
    const [x, , z] = course.position()
    // It turns at the sides, and slows down at the end so as not to fall off it.
    const side = Math.abs(z) > WIDE - 2 ? -Math.sign(z) * Math.abs(askew) : askew
    const pace = Math.min(speed, (goal + 0.05 - x) * rate)
    course.step(pace * Math.cos(side), pace * Math.sin(side), 1 / rate)
    reached = course.position()[0] >= goal
  }
  for (let k = 0; k < 10; k++) course.step(0, 0, 1 / rate)
  const [x, y] = course.position()
  const off = y - stands - height
  course.end()
  const stuck = !reached || Math.abs(off) > 0.05
  const note = `${seed} ${kind} ${JSON.stringify(figure)} ${rate} Hz ${speed.toFixed(2)} m/s askew ${askew.toFixed(2)}:${text}; x ${x.toFixed(2)} of ${end.toFixed(2)}, off ${off.toFixed(3)}`
  return { kind, stuck, note }
}

/** Up stairs as steep as they may be, to a step of 0.32 to 1 m; whether it got onto that. */
function climb(seed: number): boolean {
  const next = random(seed)
  const { figure, stands } = figureOf(next)
  const course = engine.course(figure)
  const stairs = Math.floor(next() * 4)
  const tread = 0.1 + 0.3 * next()
  let height = 0
  for (let k = 0; k <= stairs; k++) {
    const rise = k < stairs ? 0.05 + 0.24 * next() : 0.32 * 3 ** next()
    course.addBox({ half: [5, rise / 2, WIDE], position: [6 + tread * k, height + rise / 2, 0] })
    height += rise
  }
  const rate = RATES[Math.floor(next() * RATES.length)]
  const speed = 0.3 * 40 ** next()
  const askew = next() < 0.5 ? 0 : (next() - 0.5) * 1.2
  course.place([-0.2, stands, 0])
  let highest = 0
  for (let k = 0; k < rate * Math.min(6, 2 + 6 / speed); k++) {
    const z = course.position()[2]
    const side = Math.abs(z) > WIDE - 2 ? -Math.sign(z) * Math.abs(askew) : askew
    course.step(speed * Math.cos(side), speed * Math.sin(side), 1 / rate)
    highest = Math.max(highest, course.position()[1])
  }
  course.end()
  return highest - stands > height - 0.05
}

/** 20 m/s at a wall of 1 mm to 5 cm, turned and leaning; whether it is through. */
function run(seed: number): boolean {
  const next = random(seed)
  const { figure, stands } = figureOf(next)
  const course = engine.course(figure)
  const lean = (next() - 0.5) * 0.5
  const thick = 0.001 * 50 ** next()
  course.addBox({ half: [thick / 2, 6, 40], position: [4, 5, 0], tilt: lean })
  const rate = RATES[Math.floor(next() * RATES.length)]
  course.place([4 * next(), stands, 0].map((v, k) => (k === 0 ? v - 1.5 : v)) as [number, number, number])
  const angle = (next() - 0.5) * 2.6
  let through = false
  const off = (): number => {
    const [x, y] = course.position()
    return (x - 4) * Math.cos(lean) + (y - 5) * Math.sin(lean)
  }
  const side = off() < 0
  for (let k = 0; k < 0.7 * rate && !through; k++) {
    course.step(20 * Math.cos(angle), 20 * Math.sin(angle), 1 / rate)
    through = side && off() > 0
  }
  course.end()
  return through
}

const count = Number(values.count)
const first = 1_000_003 * Number(values.seed)
const by: Record<string, { runs: number; stuck: number }> = {}
const notes: string[] = []
let stuck = 0
for (let k = 0; k < count; k++) {
  const outcome = walk(first + k)
  const entry = (by[outcome.kind] ??= { runs: 0, stuck: 0 })
  entry.runs++
  if (!outcome.stuck) continue
  entry.stuck++
  stuck++
  notes.push(outcome.note)
}
let through = 0
for (let k = 0; k < count; k++) if (run(first + count + k)) through++
let climbed = 0
for (let k = 0; k < count; k++) {
  if (!climb(first + 2 * count + k)) continue
  climbed++
  notes.push(`${first + 2 * count + k} climbed`)
}
if (values.list) for (const note of notes) console.log(note)
console.log(JSON.stringify({ engine: values.engine, count, stuck, by, through, climbed }))
