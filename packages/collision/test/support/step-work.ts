/** Prints the work of steps of bodies that run away: the most blocks of code that one step runs. */

import { startCounting, takeCount } from '../../../core/test/support/count-work.js'

startCounting()
const { RUNAWAYS, runaway } = await import('./runaways.js')

const most = RUNAWAYS.map(({ name, velocity, angularVelocity }) => {
  const world = runaway(velocity, angularVelocity)
  let count = 0
  for (let step = 0; step < 4; step++) {
    takeCount()
    world.step()
    count = Math.max(count, takeCount())
  }
  return [name, count]
})
console.log(JSON.stringify(Object.fromEntries(most)))
