/** Poses at the start of the step in the strides of the present ones, for what evaluates rows there. */

import type { BodyColumns } from '../state/body-columns.js'

/** Columns that are made when first asked for, and filled anew each time. */
export class StartPoses {
  private view: BodyColumns | undefined

  /** The columns of the first `count` bodies. */
  columnsOf(bodies: BodyColumns, count: number): BodyColumns {
    if (this.view?.startPosition !== bodies.startPosition) {
      this.view = { ...bodies, position: bodies.position.slice(), orientation: bodies.previousOrientation }
    }
    const { position } = this.view
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < 3; k++) position[4 * i + k] = bodies.previousPosition[3 * i + k]
      position[4 * i + 3] = bodies.position[4 * i + 3]
    }
    return this.view
  }
}
