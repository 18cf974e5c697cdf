/** Sections of the course: each says whether it was passed, and by how much. */

import type { Course, Section } from './engine.js'

type Run = (course: Course) => Omit<Section, 'name'>

const DT = 1 / 60
const SPEED = 4
const STANDS = 0.92
const DEGREE = Math.PI / 180

function walkTo(course: Course, x: number, z: number, seconds: number, speed = SPEED): boolean {
  for (let k = 0; k < seconds / DT; k++) {
    const [px, , pz] = course.position()
    const distance = Math.hypot(x - px, z - pz)
    if (distance < 0.1) return true
    const share = Math.min(speed, distance / DT) / distance
    course.step((x - px) * share, (z - pz) * share, DT)
  }
  return false
}

function rest(course: Course, seconds: number): void {
  for (let k = 0; k < seconds / DT; k++) course.step(0, 0, DT)
}

function height(course: Course): number {
  return course.position()[1] - STANDS
}

function figure(value: number): string {
  return String(Number(value.toPrecision(3)))
}

/** Up and down ten steps, slow and fast, steps just low enough. */
function stairs(course: Course): Omit<Section, 'name'> {
  const rises = [0.1, 0.2, 0.29]
  rises.forEach((rise, lane) => {
    for (let k = 0; k < 10; k++) {
      const h = 0.5 * rise * (k + 1)
      course.addBox({ half: [6 - 0.3 * k, h, 1], position: [9, h, 3 * lane] })
    }
  })
  let passed = 0
  for (let lane = 0; lane < rises.length; lane++) {
    for (const speed of [0.5, 4, 8]) {
      course.place([1, STANDS, 3 * lane])
      rest(course, 0.2)
      const up =
        walkTo(course, 9, 3 * lane, 1.5 + 14 / speed, speed) && Math.abs(height(course) - 10 * rises[lane]) < 0.05
      if (up && walkTo(course, 17, 3 * lane, 1.5 + 14 / speed, speed) && height(course) < 0.1) passed++
    }
  }
  return { passed: passed === 9, figures: `${passed} of 9 flights` }
}

/** Slopes up to the limit are climbed, those beyond are not. */
function slopes(course: Course): Omit<Section, 'name'> {
  const angles = [15, 30, 45, 49, 55, 70]
  angles.forEach((degrees, lane) => {
    const a = degrees * DEGREE
    const position = [3 + 10 * Math.cos(a) + Math.sin(a), 10 * Math.sin(a) - Math.cos(a), 3 * lane] as const
    course.addBox({ half: [10, 1, 1], position, tilt: a })
  })
  let passed = 0
  angles.forEach((degrees, lane) => {
    course.place([1, STANDS, 3 * lane])
    rest(course, 0.2)
    for (let k = 0; k < 90; k++) course.step(SPEED, 0, DT)
    const climbed = height(course) > 1
    rest(course, 0.5)
    const kept = height(course) > 1
    if (degrees < 50 ? climbed && kept : !climbed) passed++
  })
  return { passed: passed === angles.length, figures: `${passed} of ${angles.length} slopes` }
}

/** Rails, curbs and boards in the way, met straight and askew. */
function lips(course: Course): Omit<Section, 'name'> {
  const sizes = [
    [0.02, 0.1],
    [0.02, 0.28],
    [0.15, 0.05],
    [0.15, 0.28],
    [0.4, 0.2],
  ]
  sizes.forEach(([thick, high], k) =>
    course.addBox({ half: [thick / 2, high / 2, 30], position: [2 + 2 * k, high / 2, 0] }),
  )
  let passed = 0
  for (const askew of [0, 2, 8]) {
    for (const speed of [0.5, 4]) {
      course.place([0, STANDS, 0])
      rest(course, 0.2)
      if (walkTo(course, 12, askew, 2 + 18 / speed, speed)) passed++
    }
  }
  return { passed: passed === 6, figures: `${passed} of 6 ways over ${sizes.length} lips` }
}

/** Along walls into a gap a little wider than the capsule. */
function funnel(course: Course): Omit<Section, 'name'> {
  for (const side of [1, -1]) {
    course.addBox({ half: [2, 2, 0.5], position: [7, 2, side * 0.85] })
    for (let k = 0; k < 6; k++) {
      course.addBox({ half: [0.25, 2, 0.5], position: [5 - 0.5 * k, 2, side * (0.9 + 0.3 * (k + 1))] })
    }
  }
  let passed = 0
  for (const z of [-1, -0.5, 0, 0.3, 0.9]) {
    course.place([1, STANDS, z])
    rest(course, 0.1)
    for (let k = 0; k < 300; k++) course.step(SPEED, -2 * course.position()[2], DT)
    if (course.position()[0] > 10) passed++
  }
  return { passed: passed === 5, figures: `${passed} of 5 ways` }
}

/** Up with a lift at 2 m/s, off onto a ledge, and down with it. */
function lift(course: Course): Omit<Section, 'name'> {
  const platform = course.addPlatform({ half: [1, 0.1, 1], position: [2, 0.1, 0] })
  course.addBox({ half: [2, 2, 2], position: [5.05, 2, 0] })
  course.place([2, STANDS + 0.2, 0])
  rest(course, 0.2)
  let off = 0
  let air = 0
  const ride = (speed: number, seconds: number): void => {
    platform.setVelocity([0, speed, 0], 0)
    for (let k = 0; k < Math.round(seconds / DT); k++) {
      course.step(0, 0, DT)
      off = Math.max(off, Math.abs(course.position()[1] - platform.position()[1] - STANDS - 0.1))
      if (!course.grounded()) air++
    }
    platform.setVelocity([0, 0, 0], 0)
  }
  ride(2, 1.9)
  const up = walkTo(course, 5, 0, 3)
  const back = up && walkTo(course, 2, 0, 3)
  if (back) ride(-2, 1.9)
  const passed = up && back && off < 1e-3 && air === 0
  return {
    passed,
    figures: `off its floor by ${figure(off)} m at most, ${air} moves in the air, ${up ? 'got off' : 'did not get off'}`,
  }
}

/** Ten seconds on a turntable, 2 m from its middle. */
function turntable(course: Course): Omit<Section, 'name'> {
  const platform = course.addPlatform({ half: [3, 0.1, 3], position: [0, 0.1, 0] }, true)
  course.place([2, STANDS + 0.2, 0])
  rest(course, 0.2)
  platform.setVelocity([0, 0, 0], 1)
  rest(course, 10)
  const [x, , z] = course.position()
  const off = Math.hypot(x - 2 * Math.cos(10), z + 2 * Math.sin(10))
  return { passed: off < 1e-3, figures: `${figure(off)} m from where the table took it` }
}

/** Three crates are pushed ahead, in a row. */
function crates(course: Course): Omit<Section, 'name'> {
  const made = [0, 1, 2].map((k) => course.addCrate({ half: [0.3, 0.4, 0.3], position: [2 + 0.8 * k, 0.4, 0] }, 15))
  course.place([0, STANDS, 0])
  rest(course, 0.2)
  for (let k = 0; k < 180; k++) course.step(2, 0, DT)
  const first = made[0].position()[0]
  const clear = made.every((crate) => Math.abs(crate.position()[1] - 0.4) < 0.05)
  const inside = first - course.position()[0] < 0.59 && Math.abs(made[0].position()[2] - course.position()[2]) < 0.3
  return {
    passed: first > 3 && clear && !inside,
    figures: `first crate pushed ${figure(first - 2)} m in 3 s${inside ? ', overlapped' : ''}`,
  }
}

/** 20 m/s at walls of 1 cm, straight and askew, at three rates. */
function tunnelling(course: Course): Omit<Section, 'name'> {
  course.addBox({ half: [0.005, 2, 100], position: [5, 2, 0] })
  let through = 0
  let runs = 0
  for (const dt of [1 / 30, 1 / 60, 1 / 144]) {
    for (let k = 0; k < 40; k++) {
      const angle = (k / 40 - 0.5) * 2.8
      course.place([4 - 0.05 * k, STANDS + (k % 3), 0])
      for (let n = 0; n < 0.6 / dt; n++) course.step(20 * Math.cos(angle), 20 * Math.sin(angle), dt)
      if (course.position()[0] > 5) through++
      runs++
    }
  }
  return { passed: through === 0, figures: `${through} of ${runs} runs through` }
}

export const SECTIONS: Readonly<Record<string, Run>> = {
  stairs,
  slopes,
  lips,
  funnel,
  lift,
  turntable,
  crates,
  tunnelling,
}
