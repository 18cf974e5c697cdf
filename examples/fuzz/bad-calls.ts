/** Wrong calls in between: what they are refused for must not have changed anything. */

import { closestPoint, Collisions, overlapShape, rayCast, shapeCast, sphere } from '@tautline/collision'
import { ballSocket, distance, hinge } from '@tautline/constraints'
import { literal, type Running } from '@tautline/fast-check'
import fc, { type Arbitrary } from 'fast-check'

/** A call with one argument, or one number of one, that is wrong. */
export interface BadCall {
  do: 'bad'
  /** Of {@link CALLS}. */
  call: number
  /** Of the arguments; a part of it where `part` is not −1 and it has parts. */
  argument: number
  part: number
  junk: unknown
  /** Counts through those that are there, as in operations. */
  index: number
}

type Target = 'world' | 'body' | 'constraint' | 'collisions' | 'queries'

const QUERIES = { rayCast, shapeCast, overlapShape, closestPoint }

/** Calls that are right. `BODY` stands for a body of the world, `COLLISIONS` for its collisions, `TYPE` for constraint types, which are not printed. */
const BODY = Symbol('body')
const COLLISIONS = Symbol('collisions')
const CALLS: readonly (readonly [Target, string, readonly unknown[]])[] = [
  ['body', 'setPosition', [[0, 0, 0]]],
  ['body', 'setOrientation', [[0, 0, 0, 1]]],
  ['body', 'setVelocity', [[0, 0, 0]]],
  ['body', 'setAngularVelocity', [[0, 0, 0]]],
  [
    'body',
    'setTarget',
    [
      [0, 0, 0],
      [0, 0, 0, 1],
    ],
  ],
  ['body', 'setMass', [1, [1, 1, 1]]],
  ['body', 'setGravityScale', [1]],
  [
    'body',
    'applyForce',
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  ],
  ['body', 'applyTorque', [[0, 0, 0]]],
  [
    'body',
    'applyImpulse',
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  ],
  ['body', 'applyAngularImpulse', [[0, 0, 0]]],
  ['body', 'toWorld', [[0, 0, 0]]],
  ['body', 'toBody', [[0, 0, 0]]],
  ['body', 'velocityAt', [[0, 0, 0]]],
  ['world', 'addBody', [{ position: [0, 0, 0], orientation: [0, 0, 0, 1], velocity: [0, 0, 0], mass: 1, inertia: 1 }]],
  ['world', 'addParticle', [{ position: [0, 0, 0], mass: 1 }]],
  ['world', 'addBodies', [{ position: [0, 0, 0], mass: [1] }]],
  ['world', 'add', [distance, { a: BODY, b: null, anchorA: [0, 0, 0], length: 1, compliance: 0 }]],
  ['world', 'add', [ballSocket, { a: BODY, b: null, point: [0, 0, 0], form: 'block' }]],
  ['world', 'add', [hinge, { a: BODY, b: null, point: [0, 0, 0], axis: [0, 1, 0], limits: { min: 0, max: 1 } }]],
  ['world', 'configure', [{ gravity: [0, 0, 0], substeps: 8, warmStart: 0, order: 'outward', solver: 'auto' }]],
  ['world', 'step', [1 / 60]],
  ['world', 'advance', [1 / 60]],
  ['world', 'project', [{ tolerance: 1e-9, iterations: 1, maxMove: 1 }]],
  ['world', 'interpolate', [BODY, [0, 0, 0], [0, 0, 0, 1]]],
  ['world', 'restore', [{}]],
  ['world', 'use', [{ name: 'stage' }]],
  ['constraint', 'set', [{ enabled: true, compliance: 0, relaxation: 1, breakForce: 1e9 }]],
  ['constraint', 'reaction', [0]],
  ['collisions', 'addCollider', [BODY, { shape: sphere(1), friction: 1, position: [0, 0, 0], layer: 1 }]],
  ['collisions', 'addBody', [{ shape: sphere(1), mass: 1, position: [0, 9, 0] }]],
  ['queries', 'rayCast', [COLLISIONS, [0, 0, 0], [0, 1, 0], {}]],
  ['queries', 'shapeCast', [COLLISIONS, sphere(1), { position: [0, 0, 0] }, [0, 1, 0], {}]],
  ['queries', 'overlapShape', [COLLISIONS, sphere(1), { position: [0, 0, 0] }, {}]],
  ['queries', 'closestPoint', [COLLISIONS, [0, 0, 0], {}]],
]

/** What is handed in where something else is due. */
const JUNK: readonly unknown[] = [
  null,
  undefined,
  NaN,
  Infinity,
  -1,
  'x',
  true,
  [],
  [1],
  {},
  { unknownField: 1 },
  [NaN, 0, 0],
]

/** Any wrong call. */
export function badCalls(): Arbitrary<BadCall> {
  return fc.record({
    do: fc.constant('bad' as const),
    call: fc.nat({ max: CALLS.length - 1 }),
    argument: fc.nat({ max: 3 }),
    part: fc.integer({ min: -1, max: 4 }),
    junk: fc.constantFrom(...JUNK),
    index: fc.nat({ max: 31 }),
  })
}

/** A call that is ready: on what, its name, and its arguments; nothing where there is none to call it on. */
export interface Ready {
  target: object
  name: string
  values: unknown[]
  line: string
}

/** Fills in whose it is, and puts the wrong value in. */
export function ready({ world, bodies, constraints }: Running, bad: BadCall): Ready | undefined {
  const [kind, name, given] = CALLS[bad.call]
  const body = living(bodies, bad.index)
  const collisions = Collisions.of(world)
  const lists = {
    world: [world],
    body: [body],
    constraint: [living(constraints, bad.index)],
    collisions: [collisions],
    queries: [collisions && QUERIES],
  }
  const [target] = lists[kind]
  const own = body as unknown
  if (target === undefined || own === undefined) return undefined
  const values = given.map((value) => filled(value, own, collisions))
  const at = bad.argument % values.length
  values[at] = spoilt(values[at], bad.part, bad.junk)
  const bodyName = `body${bodies.indexOf(body as never)}`
  const owner = {
    world: 'world',
    body: bodyName,
    constraint: `constraint${constraints.indexOf(target as never)}`,
    collisions: 'collisions',
    queries: '',
  }[kind]
  const text = values.map((value) => (value === collisions ? 'collisions' : shown(value, own, bodyName))).join(', ')
  return { target, name, values, line: `${owner === '' ? '' : `${owner}.`}${name}(${text})` }
}

function living<T extends { alive: boolean }>(list: readonly T[], index: number): T | undefined {
  const alive = list.filter((handle) => handle.alive)
  return alive[index % alive.length]
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function filled(value: unknown, body: unknown, collisions: unknown): unknown {
  if (value === BODY) return body
  if (value === COLLISIONS) return collisions
  if (Array.isArray(value)) return value.slice()
  if (!isPlain(value) || 'resolve' in value) return value
  return Object.fromEntries(Object.entries(value).map(([field, entry]) => [field, filled(entry, body, collisions)]))
}

function spoilt(value: unknown, part: number, junk: unknown): unknown {
  const isList = Array.isArray(value)
  if (part < 0 || !(isList || (isPlain(value) && !('resolve' in value)))) return junk
  const keys = Object.keys(value)
  if (keys.length === 0) return junk
  const key = keys[part % keys.length]
  if (isList) return value.map((entry: unknown, k) => (String(k) === key ? junk : entry))
  return { ...value, [key]: junk }
}

function shown(value: unknown, body: unknown, name: string): string {
  if (value === body) return name
  if (isPlain(value) && 'resolve' in value) return String(value['name'])
  if (isPlain(value)) {
    return `{ ${Object.entries(value)
      .map(([field, entry]) => `${field}: ${shown(entry, body, name)}`)
      .join(', ')} }`
  }
  if (typeof value === 'object' && value !== null && 'kind' in value) return 'sphere(1)'
  return literal(value)
}
