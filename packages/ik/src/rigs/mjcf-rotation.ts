/** The ways in which MJCF says a rotation, as quaternions. */

import type { XmlElement } from '@rgrove/parse-xml'
import {
  aboutAxis,
  cross,
  difference,
  direction,
  dot,
  fromAxes,
  NO_TURN,
  type Quat,
  scaled,
  times,
  type Vec3,
} from './transform.js'
import type { XmlSource } from './xml.js'

/** Attributes of an element by name, those of its class included. */
export type Attributes = Record<string, string>

/** Attributes that all say a rotation: one of an element displaces any of its class. */
export const ORIENTATIONS: readonly string[] = ['quat', 'axisangle', 'xyaxes', 'zaxis', 'euler']

/** Reads rotations by the file's compiler settings. */
export class RotationReader {
  private readonly source: XmlSource
  /** Radians a unit of the file's angles. */
  private readonly angle: number
  /** Axes of Euler angles: `eulerseq`. */
  private readonly sequence: string

  constructor(source: XmlSource, angle: number, sequence: string) {
    this.source = source
    this.angle = angle
    this.sequence = sequence
  }

  /** Of whichever rotation an element has; none is no turn. */
  of(element: XmlElement, attributes: Attributes): Quat {
    const given = ORIENTATIONS.filter((name) => attributes[name] !== undefined)
    if (given.length === 0) return [...NO_TURN]
    if (given.length > 1)
      throw new RangeError(`${this.source.at(element)} must have one rotation, got ${given.join(' and ')}`)
    const name = given[0]
    const count = { quat: 4, axisangle: 4, xyaxes: 6, zaxis: 3, euler: 3 }[name]!
    const v = this.source.numbers(element, name, attributes[name], count)
    if (name === 'euler') return this.euler(v)
    if (name === 'zaxis') return this.onto(element, name, v as Vec3)
    if (name === 'quat') {
      const l = Math.sqrt(v.reduce((s, x) => s + x * x, 0))
      if (!(l > 0))
        throw new RangeError(`${this.source.at(element)}: quat must have a length, got "${attributes[name]}"`)
      return [v[1] / l, v[2] / l, v[3] / l, v[0] / l]
    }
    const x = direction(v.slice(0, 3) as Vec3)
    if (x !== undefined && name === 'axisangle') return aboutAxis(x, this.angle * v[3])
    const raw = v.slice(3) as Vec3
    const y = x && direction(difference(raw, scaled(x, dot(x, raw))))
    if (x === undefined || y === undefined) {
      throw new RangeError(`${this.source.at(element)}: ${name} must have directions, got "${attributes[name]}"`)
    }
    return fromAxes(x, y, cross(x, y))
  }

  /** Of `eulerseq`: small letters turn about axes that go along, capitals about those that stay. */
  private euler(angles: readonly number[]): Quat {
    const { sequence } = this
    if (!/^[xyzXYZ]{3}$/.test(sequence)) {
      throw new RangeError(`parseMjcf: compiler eulerseq must be three of xyzXYZ, got "${sequence}"`)
    }
    let rotation: Quat = [...NO_TURN]
    for (let k = 0; k < 3; k++) {
      const letter = sequence[k].toLowerCase()
      const axis: Vec3 = [letter === 'x' ? 1 : 0, letter === 'y' ? 1 : 0, letter === 'z' ? 1 : 0]
      const turn = aboutAxis(axis, this.angle * angles[k])
      rotation = sequence[k] === letter ? times(rotation, turn) : times(turn, rotation)
    }
    return rotation
  }

  /** The shortest rotation of ẑ onto a vector. */
  onto(element: XmlElement, name: string, v: Vec3): Quat {
    const n = direction(v)
    if (n === undefined)
      throw new RangeError(`${this.source.at(element)}: ${name} must have a length, got "${v.join(' ')}"`)
    // Opposite to ẑ: half a turn about x̂.
    if (n[2] < -1 + 1e-12) return [1, 0, 0, 0]
    const w = Math.sqrt(0.5 * (1 + n[2]))
    return [-n[1] / (2 * w), n[0] / (2 * w), 0, w]
  }
}
