/** Row 9: bad input. */

import { directRing, heldTwice, wrongSolver } from '../../scenes/trees/index.js'
import { figure, type ReportRow } from '../report.js'

const ring: ReportRow = {
  id: '9.1',
  claim: 'A closed chain marked direct is cut with a note',
  asked: "a note in the world's report, not an error",
  scene: 'six links in a ring, all joints direct, hung at one; one step',
  measure() {
    const { world } = directRing()
    world.step()
    const { cuts, joints, loops, trees } = world.report.direct
    const named = loops.map(({ bodies }) => bodies.map((body) => body?.index ?? 'world').join('–'))
    return {
      figures: `${trees} tree, ${joints} joints solved, ${cuts.length} left to the sweep; cut, and closed with it: bodies ${named.join(', ')}`,
      holds: loops.length === 1 && cuts.length === 0 && joints === 7 && world.report.nonFinite.length === 0,
    }
  },
}

const singular: ReportRow = {
  id: '9.2',
  claim: 'A singular block names its joints',
  asked: 'the joint named; nothing NaN',
  scene: 'a ball joint and a fixed one between the same two bodies, at one point; 60 steps',
  measure() {
    const { world, joints } = heldTwice()
    for (let step = 0; step < 60; step++) world.step()
    const named = world.report.direct.singular.map(({ typeName }) => typeName)
    const gap = Math.max(...joints.map(({ error }) => error))
    return {
      figures: `${named.join(', ')}; worst error ${figure(gap)}`,
      holds: [...named].sort().join() === 'ballSocket,fixed' && Number.isFinite(gap),
    }
  },
}

const values: ReportRow = {
  id: '9.3',
  claim: 'A wrong value of solver is an error that quotes it',
  asked: 'TypeError, or RangeError of a string that is none of the values, with what was given',
  scene: "solver: 'newton' and solver: 3, of a world and of a joint",
  measure() {
    const messages = ['newton', 3].flatMap((value) => wrongSolver(value).map((message) => ({ value, message })))
    return {
      figures: messages.map(({ message }) => message).join('; '),
      holds: messages.every(
        ({ value, message }) => /^(Type|Range)Error: /.test(message) && message.includes(String(value)),
      ),
    }
  },
}

export const badInput: readonly ReportRow[] = [ring, singular, values]
