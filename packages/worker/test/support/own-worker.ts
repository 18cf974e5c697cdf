/** A user's own worker: types, a world that is set up there, a call. */

import { distance } from '@tautline/constraints'
import { serve } from '@tautline/worker/host'

serve({
  types: [distance],
  setup({ world }) {
    world.addBody({ name: 'own', velocity: [0, 1, 0] })
    return {
      calls: {
        add: (a: number, b: number) => a + b,
        crash() {
          setTimeout(() => {
            throw new RangeError('worker fell over')
          }, 0)
        },
      },
    }
  },
})
