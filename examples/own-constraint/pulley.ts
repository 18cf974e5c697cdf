/** A constraint of one's own: a cord over two fixed pulleys, from one body to another. */

import { custom, type CustomBody } from '@tautline/core'

/** What a pulley has to know: where it hangs [m], and how long the cord is [m]. */
export interface PulleyParams {
  wheels: readonly [readonly [number, number, number], readonly [number, number, number]]
  length: number
}

const along = (body: CustomBody, wheel: readonly number[]): [number, number, number, number] => {
  const [x, y, z] = wheel.map((w, k) => body.position[k] - w)
  const length = Math.sqrt(x * x + y * y + z * z)
  return length > 0 ? [x / length, y / length, z / length, length] : [0, 0, 0, 0]
}

/** The cord does not stretch: |x_0 − w_0| + |x_1 − w_1| ≤ length. */
export const pulley = custom<PulleyParams>({
  name: 'pulley',
  bodies: 2,
  holds: 'atMost',
  error: (bodies, { wheels, length }) => along(bodies[0], wheels[0])[3] + along(bodies[1], wheels[1])[3] - length,
  gradient(bodies, { wheels }, out) {
    for (let b = 0; b < 2; b++) {
      const [x, y, z] = along(bodies[b], wheels[b])
      out.linear(b, x, y, z)
    }
  },
})
