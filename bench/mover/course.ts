/**
 * The course of the character mover beside Rapier's character controller, a process an engine.
 *
 *   course.ts --engine tautline|rapier     every section of the course, JSON
 *
 * Run with `node --import tsx --conditions=@tautline/source`. A capsule of 1.8 m and 0.3 m radius with steps of 0.3 m, slopes of 50°, snap of
 * 0.3 m and a skin of 0.02 m in both, walks at 4 m/s at 60 Hz unless a section says other; gravity and what becomes of vertical speed are the
 * course's own, the same for both. What stands on a platform is carried by the engine where it does that by itself.
 */

import { parseArgs } from 'node:util'
import type { Course, CourseEngine, Section } from './engine.js'
import { SECTIONS } from './sections.js'

const ENGINES = ['tautline', 'rapier'] as const

const { values } = parseArgs({ options: { engine: { type: 'string', default: 'tautline' } } })
const name = ENGINES.find((known) => known === values.engine)
if (name === undefined)
  throw new RangeError(`course: engine must be one of ${ENGINES.join(', ')}, got ${values.engine}`)

const { engine } = (await import(`./${name}.js`)) as { engine: CourseEngine }
await engine.load()
const results: Section[] = []
let moves = 0
let spent = 0
for (const [section, run] of Object.entries(SECTIONS)) {
  const course: Course = engine.course()
  const result = run(course)
  results.push({ name: section, ...result })
  moves += course.moves
  spent += course.spent
  course.end()
}
console.log(JSON.stringify({ engine: name, sections: results, microseconds: (1000 * spent) / moves }))
