/** Rows 6.1 to 6.5: what a user's handle is, what a change keeps, what is refused. */

import { Collisions, rayCast, sphere } from '@tautline/collision'
import { ballSocket, hinge } from '@tautline/constraints'
import { World } from '@tautline/core'
import { type ReportRow } from '../report.js'
import { askAll } from '../trust/bad-input.js'

const DRIVE = { stiffness: 10, damping: 3 }

/** A body on a hinge with a drive. */
function driven() {
  const world = new World()
  const body = world.addBody({ inertia: 1 })
  const joint = world.add(hinge, { b: body, point: [0, 0, 0], axis: [0, 0, 1], drive: DRIVE })
  return { world, body, joint }
}

const identity: ReportRow = {
  id: '6.1',
  claim: 'Handles have identity',
  asked: 'what a world gives back is === what was given out, in lists, reports, events and queries, also after restore',
  scene: 'a sphere that rolls on a floor, hangs on a joint that breaks, and is hit by a ray',
  measure() {
    const world = new World()
    const collisions = new Collisions(world)
    const floor = collisions.addCollider(world.addBody({ type: 'static', position: [0, -2, 0], inertia: 1 }), {
      shape: sphere(1),
    })
    const body = world.addBody({ inertia: 1 })
    const ball = collisions.addCollider(body, { shape: sphere(1) })
    const joint = world.add(ballSocket, { b: body, point: [0, 0, 0], breakForce: 1e-6 })
    const saved = world.snapshot()
    world.step()
    const events: unknown[] = collisions.events.flatMap(({ a, b }) => [a, b])
    const checks: [string, boolean][] = [
      ['report.broken', world.report.broken[0] === (joint as object)],
      ['events', events.length === 2 && events.includes(ball) && events.includes(floor)],
    ]
    world.restore(saved)
    checks.push(
      ['constraints()', world.constraints()[0] === (joint as object)],
      ['bodies.all()', world.bodies.all().includes(body)],
      ['joint.bodies', joint.bodies[1] === body],
      ['rayCast', rayCast(collisions, [0, 5, 0], [0, -1, 0])?.collider === ball],
      ['Map', new Map([[joint, 1]]).get(world.constraints()[0] as never) === 1],
    )
    const wrong = checks.filter(([, isSame]) => !isSame).map(([name]) => name)
    return {
      figures: `${checks.length - wrong.length} of ${checks.length}${wrong.length > 0 ? `, not ${wrong.join(', ')}` : ''}`,
      holds: wrong.length === 0,
    }
  },
}

const merging: ReportRow = {
  id: '6.2',
  claim: 'A change keeps what it does not name',
  asked: 'set({ drive: { velocityTarget: 2 } }) keeps stiffness and damping; a speed without damping is refused',
  scene: 'one hinge with a drive',
  measure() {
    const { joint } = driven()
    joint.set({ drive: { velocityTarget: 2 } })
    const { drive } = joint.def
    let refusal = 'nothing'
    try {
      joint.set({ drive: { damping: 0 } })
    } catch (error) {
      refusal = (error as Error).message
    }
    const isKept = drive?.stiffness === DRIVE.stiffness && drive.damping === DRIVE.damping && drive.velocityTarget === 2
    return {
      figures: `stiffness ${drive?.stiffness}, damping ${drive?.damping}, speed ${drive?.velocityTarget}; refused: ${refusal}`,
      holds: isKept && refusal !== 'nothing',
    }
  },
}

const TYPES = ['dynamic', 'kinematic', 'static'] as const

const changing: ReportRow = {
  id: '6.3',
  claim: 'The type of a body can change',
  asked: 'from each of the three to each other, with its joints, its colliders and its mass; it moves as its type says',
  scene: 'a sphere between a joint and a floor, 10 steps before and after each change',
  measure() {
    const wrong: string[] = []
    for (const from of TYPES) {
      for (const to of TYPES) {
        const world = new World()
        const collisions = new Collisions(world)
        const body = world.addBody({ type: from, mass: 2, inertia: 1, position: [1, 0, 0] })
        const collider = collisions.addCollider(body, { shape: sphere(0.5) })
        const arm = world.addBody({ mass: 1, inertia: 1, position: [2, 0, 0] })
        const joint = world.add(ballSocket, { a: body, b: arm, point: [1.5, 0, 0] })
        for (let k = 0; k < 10; k++) world.step()
        const before = body.position
        body.type = to
        for (let k = 0; k < 10; k++) world.step()
        const falls = body.position[1] < before[1] - 1e-3
        const isRight =
          body.type === to && body.mass === (to === 'dynamic' ? 2 : Infinity) && collider.alive && joint.error < 1e-6
        // What falls and becomes kinematic goes on at its velocity.
        const moves = to === 'dynamic' || (to === 'kinematic' && from === 'dynamic')
        if (!isRight || falls !== moves) wrong.push(`${from} to ${to}`)
      }
    }
    return {
      figures: `${TYPES.length ** 2 - wrong.length} of ${TYPES.length ** 2}${wrong.length > 0 ? `, not ${wrong.join(', ')}` : ''}`,
      holds: wrong.length === 0,
    }
  },
}

/** Characters of a handle in JSON that is short. */
const SHORT = 120

const printing: ReportRow = {
  id: '6.4',
  claim: 'Handles and reports print',
  asked: `JSON.stringify of a handle takes at most ${SHORT} characters, of a report ends`,
  scene: 'a body, a collider, a joint and the report of a step',
  measure() {
    const { world, body, joint } = driven()
    const collider = new Collisions(world).addCollider(body, { shape: sphere(1) })
    world.step()
    const lengths = [body, collider, joint].map((handle) => JSON.stringify(handle).length)
    const report = JSON.stringify(world.report).length
    return {
      figures: `${lengths.join(', ')} characters, a report ${report}`,
      holds: lengths.every((length) => length <= SHORT) && report > 0,
    }
  },
}

const unknownFields: ReportRow = {
  id: '6.5',
  claim: 'Unknown fields are refused in every public call',
  asked: '100 % TypeError or RangeError that names the field; nothing half done',
  scene: 'each argument of each public function, three deep, by the declarations',
  slow: true,
  async measure() {
    const { counts, functions, unreached, failures } = await askAll(({ names }) => names.includes('unknownField'))
    const calls = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const rest = [...unreached, ...failures].slice(0, 8)
    return {
      figures: `${calls} calls of ${functions} functions: ${counts.refused + counts.told} refused${rest.map((text) => `; ${text}`).join('')}`,
      holds: calls > 0 && counts.refused + counts.told === calls && unreached.length === 0,
    }
  },
}

export const handles: readonly ReportRow[] = [identity, merging, changing, printing, unknownFields]
