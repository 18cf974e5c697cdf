/** Rows 4.1 to 4.3: one graph of what is connected, the cost of removing bodies, and of bodies that sleep. */

import { readFileSync } from 'node:fs'
import { World } from '@tautline/core'
import { box, Collisions, plane } from '@tautline/collision'
import { nameOf, sourceFiles } from '../../../tools/circles.js'
import { figure, median, type ReportRow } from '../report.js'

const MANY = 8000
/** A loop that follows an array from a number to the root of its set: `while (parent[i] !== i)`, or through a function's result. */
const ROOT_LOOP = /while \((?:[\w.]+\.)?(\w+)\[(\w+)\] !== \2\)/g
const MOST_UNION_FINDS = 2
/** Twice as many bodies may take this many times as long: linear, and room for the processor's caches. */
const MOST_GROWTH = 2.5
/** Repeats of a measurement: of removals the least counts, of steps the median. */
const REMOVALS = 3
const REPEATS = 5
/** Steps that are measured together [-], and those before: bodies fall asleep after half a second, and loops are compiled. */
const STEPS = 100
const SETTLING = 200
/** Asked of a step [ms]. */
const MOST_STEP = 1

/** Processor time of a function [ms]: other programs on the machine do not count. */
function processorTime(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Boxes that rest on the ground, apart from each other. */
function boxes(count: number): World {
  const world = new World()
  const collisions = new Collisions(world)
  collisions.addCollider(null, { shape: plane([0, 1, 0]) })
  const shape = box([0.25, 0.25, 0.25])
  const side = Math.ceil(Math.sqrt(count))
  for (let k = 0; k < count; k++) {
    collisions.addBody({ shape, density: 1000, position: [2 * (k % side), 0.25, 2 * Math.floor(k / side)] })
  }
  return world
}

/** Processor time of removing so many bodies with colliders and contacts [ms]: the least, as other work of the engine falls in between. */
function removal(count: number): number {
  const times = Array.from({ length: REMOVALS }, () => {
    const world = boxes(count)
    world.step()
    const bodies = world.bodies.all()
    return processorTime(() => {
      for (const body of bodies) body.remove()
    })
  })
  return Math.min(...times)
}

export const graph: readonly ReportRow[] = [
  {
    id: '4.1',
    claim: 'one union–find for simulation code, and one for building meshes at most',
    asked: `at most ${MOST_UNION_FINDS} loops that follow numbers to their root`,
    scene: 'source text of packages/*/src',
    measure() {
      const found = sourceFiles().flatMap((file) => {
        const loops = readFileSync(file, 'utf8').match(ROOT_LOOP)?.length ?? 0
        return Array.from({ length: loops }, () => nameOf(file))
      })
      return {
        figures: `${found.length}: ${found.join(', ')}`,
        holds: found.length > 0 && found.length <= MOST_UNION_FINDS,
      }
    },
  },
  {
    id: '4.2',
    claim: 'the time of removing bodies with colliders grows with their number',
    asked: `${MANY} in at most ${MOST_GROWTH} times the time of ${MANY / 2}`,
    scene: `${MANY} and ${MANY / 2} boxes with colliders on the ground after a step, removed one by one, least of ${REMOVALS}, processor time`,
    measure() {
      removal(MANY / 4)
      const half = removal(MANY / 2)
      const all = removal(MANY)
      const growth = all / half
      return {
        figures: `${figure(all)} ms, ${figure(growth)} times the ${figure(half)} ms of half of them`,
        holds: growth <= MOST_GROWTH,
      }
    },
  },
  {
    id: '4.3',
    claim: 'bodies that sleep cost next to nothing in a step',
    asked: `at most ${MOST_STEP} ms a step`,
    scene: `${MANY} boxes that sleep on the ground, default options, median of ${REPEATS} times ${STEPS} steps, processor time`,
    measure() {
      const world = boxes(MANY)
      for (let k = 0; k < SETTLING; k++) world.step()
      const awake = world.bodies.all().filter(({ asleep }) => !asleep).length
      const time = median(
        Array.from({ length: REPEATS }, () =>
          processorTime(() => {
            for (let k = 0; k < STEPS; k++) world.step()
          }),
        ),
      )
      const step = time / STEPS
      return { figures: `${figure(step)} ms a step, ${awake} awake`, holds: awake === 0 && step <= MOST_STEP }
    },
  },
]
