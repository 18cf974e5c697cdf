/**
 * Serves rooms and says how fast: `npm run rooms -- --rooms 16 --steps 300`.
 *
 *   --rooms N    how many; default 16
 *   --steps N    steps of each; default 300
 *   --threads N  of the pool; default: 1, then 2
 *   --size N     mixed bodies of each pile; default 24
 */

import { parseArgs } from 'node:util'
import { measureRooms } from './measure.js'

const { values } = parseArgs({
  options: {
    rooms: { type: 'string', default: '16' },
    steps: { type: 'string', default: '300' },
    size: { type: 'string', default: '24' },
    threads: { type: 'string' },
  },
})
const [rooms, steps, size] = [values.rooms, values.steps, values.size].map(Number)
for (const threads of values.threads === undefined ? [1, 2] : [Number(values.threads)]) {
  const { stepsPerSecond, hashes } = await measureRooms({ rooms, steps, size, threads })
  console.log(
    `${rooms} rooms of ${size} bodies, ${threads} thread${threads > 1 ? 's' : ''}: ${Math.round(stepsPerSecond)} steps a second, ` +
      `${Math.floor(stepsPerSecond / 60)} rooms at 60 Hz; first hash ${hashes[0]}`,
  )
}
