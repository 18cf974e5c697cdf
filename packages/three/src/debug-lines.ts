/** Debug lines as an object of three. */

import type { LeanWorld } from '@tautline/core'
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, LineBasicMaterial, LineSegments } from 'three'
import type { Updatable } from './bindings.js'
import { DebugDraw, type DebugOptions } from './debug-draw.js'

/** Shows a {@link DebugDraw}: `scene.add(lines.object)`, then `lines.update(alpha)` a frame. */
export class DebugLines implements Updatable {
  /** What is drawn, with its categories and scales. */
  readonly draw: DebugDraw
  /** Drawn over everything, unmoved, and never culled. Its material is its own. */
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>
  private shown: Float32Array | undefined

  /** Throws `TypeError`/`RangeError` when an option is wrong. */
  constructor(world: LeanWorld, options: DebugOptions = {}) {
    this.draw = new DebugDraw(world, options)
    const material = new LineBasicMaterial({
      vertexColors: true,
      depthTest: false,
      transparent: true,
      toneMapped: false,
    })
    this.object = new LineSegments(new BufferGeometry(), material)
    this.object.name = 'tautline debug lines'
    this.object.frustumCulled = false
    this.object.renderOrder = 1000
    // Lines are for looking at: a ray that searches for something to hold goes through.
    this.object.raycast = () => {}
  }

  /** Draws anew: see `Bindings.update`. Does nothing while the object is invisible. */
  update(alpha = 1): void {
    const { draw, object } = this
    if (!object.visible) return
    draw.update(alpha)
    const { geometry } = object
    if (this.shown !== draw.positions) {
      this.shown = draw.positions
      // Buffers of another size need a geometry of their own on the graphics card.
      geometry.dispose()
      geometry.setAttribute('position', new BufferAttribute(draw.positions, 3).setUsage(DynamicDrawUsage))
      geometry.setAttribute('color', new BufferAttribute(draw.colours, 3).setUsage(DynamicDrawUsage))
    }
    geometry.attributes.position.needsUpdate = true
    geometry.attributes.color.needsUpdate = true
    geometry.setDrawRange(0, draw.count)
  }

  /** Gives back what the graphics card holds. */
  dispose(): void {
    this.object.geometry.dispose()
    this.object.material.dispose()
  }
}
