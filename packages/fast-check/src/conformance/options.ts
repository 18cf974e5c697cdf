/** What the suite has to know of a type. */

import type { Vec3 } from '../numbers.js'

/** A definition without its bodies. */
export type Fields = Record<string, unknown>

/** Names of the checks. */
export type CheckName =
  | 'definition'
  | 'present pose'
  | 'json'
  | 'snapshot'
  | 'replay'
  | 'gradient'
  | 'units'
  | 'loop'
  | 'momentum'
  | 'rows'
  | 'frame'
  | 'infinite mass'
  | 'finite'
  | 'residual'
  | 'limits'
  | 'passivity'
  | 'reaction'
  | 'breaking'
  | 'jacobians'
  | 'enabled'

/** How far off is still right. */
export interface Tolerances {
  /** Of a gradient, of its length or of 1. @defaultValue 1e-6: error of central differences of smooth functions */
  gradient: number
  /** Of ∂F/∂X of a `law` [N/m]. @defaultValue 1e-2 */
  tangent: number
  /** Between `sweep` and the reference over `evaluate` [m, rad]. @defaultValue 1e-11 */
  loop: number
  /** Of the momenta that are added up. @defaultValue 1e-12; 1e-8 where `rotatesWithFrame` is false, as differences leave it */
  momentum: number
  /** Between a world that is turned and one that is not [m, rad]. @defaultValue 1e-9 */
  frame: number
  /** Share of the kinetic energy that may be gained, of a spring of all energy. @defaultValue 0.1 */
  energy: number
}

/** What {@link conformance} takes beside the type and its definitions. */
export interface ConformanceOptions {
  /** Shown in names of checks. @defaultValue that of the type */
  name?: string
  /** Whether a definition names its bodies `{ a, b }`, not `{ bodies }`. @defaultValue false */
  pair?: boolean
  /** Where bodies are before they are disturbed [m]; their number is that of the bodies. @defaultValue as many as the type's arity, else 2 with `pair` and 3 without, about 1 m apart */
  places?: readonly Readonly<Vec3>[]
  /** Whether bodies may be particles. @defaultValue true */
  particles?: boolean
  /** Whether `a`, and whether `b`, may be the world. A definition that says `a: null` or `b: null` has it so. @defaultValue [true, true] */
  world?: readonly [boolean, boolean]
  /** Whether something in a definition is fixed in the world, as a floor is. @defaultValue false */
  worldFrame?: boolean
  /** Which momentum its rows keep. @defaultValue 'both', and 'none' with `worldFrame` */
  momentum?: 'both' | 'linear' | 'none'
  /** Fields that are taken from the present pose where they are left out. @defaultValue none */
  sizes?: readonly string[]
  /**
   * What makes of a definition one that is met exactly; `false` where nothing does, as with springs.
   * @defaultValue leaves out softness, drives and friction
   */
  rigid?: ((fields: Fields) => Fields) | false
  /** Share of its error that 2000 rigid sweeps may leave. @defaultValue 0.001 */
  converges?: number
  /** Whether `sweep` is the reference only where all bodies move, as of a type that solves for what is held in a way of its own. @defaultValue false */
  freeLoop?: boolean
  /** Whether its loop repairs a rigid row at a bounded rate, which `evaluate` does not know: rigid rows are not compared. @defaultValue false */
  boundedRate?: boolean
  /**
   * Error of a row from which on its loop solves the row more than once in a pass: each of these corrections keeps angular
   * momentum about the pose that the last one left, and their sum does not. @defaultValue Infinity
   */
  repeatsFrom?: number
  /** Whether a definition may put energy in: motors, fields of force. @defaultValue none does */
  active?: (fields: Fields) => boolean
  /** Checks to leave out, each with the reason. @defaultValue none */
  skip?: Partial<Record<CheckName, string>>
  /** How far off is still right, by check. @defaultValue those of `Tolerances` */
  tolerances?: Partial<Tolerances>
  /** Scenes a check; some that are slow take a share of it. @defaultValue 60 */
  runs?: number
  /** Most tries at a smaller failure, a check. @defaultValue 200, and fewer where a try is slow */
  shrinks?: number
  /** Of the random definitions. @defaultValue drawn anew each time; a failure names it */
  seed?: number
  /** For scripts: where the type comes from. @defaultValue './NAME.js' */
  module?: string
  /**
   * The runner's functions, of vitest, `node:test` and others alike: given, every check becomes a test. @defaultValue
   * none: call `run` of each check
   */
  describe?: (name: string, body: () => void) => void
  /** The runner's `test`, with `describe`. @defaultValue none */
  test?: (name: string, body: () => void) => void
}

const SOFT = ['compliance', 'stiffness', 'frequency', 'dampingRatio', 'damping', 'angularCompliance', 'angularDamping']
const DRIVEN = ['drive', 'driveA', 'driveB', 'velocityTarget']
const LOOSE = [...SOFT, ...DRIVEN, 'relaxation', 'regularization', 'frictionTorque', 'frictionForce']

/** Without softness, motors and friction; also inside limits. */
export function withoutSoftness(fields: Fields): Fields {
  const kept = Object.entries(fields).filter(([field]) => !LOOSE.includes(field))
  return Object.fromEntries(kept.map(([field, value]) => [field, isPlain(value) ? withoutSoftness(value) : value]))
}

function isPlain(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null) return false
  // fast-check makes objects without a prototype as well.
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
