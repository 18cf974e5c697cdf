/** Set up of tests when TAUTLINE_KERNELS is `simd`: every world that is stepped runs on the kernels, whatever it was made with. */

import { World } from '@tautline/core'
import { simd } from '@tautline/simd'

const kernels = simd()
const { refreshOrder } = World.prototype
const OPENED = Symbol.for('tautline: kernels for tests')

// Test files share their process: once is enough.
if (!(OPENED in World.prototype)) {
  Object.defineProperty(World.prototype, OPENED, { value: true })
  World.prototype.refreshOrder = function (this: World): void {
    this.kernels ??= kernels.open()
    refreshOrder.call(this)
  }
}
