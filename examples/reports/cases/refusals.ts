/** Rows on what is refused, and on files of one's own that are to be read. */

import { addParticles, box, Collisions, collisionsFromJSON, heightfield, triangleMesh } from '@tautline/collision'
import { clothAsset, softBodyAsset } from '@tautline/assemblies'
import { distance, hinge } from '@tautline/constraints'
import { fromJSON, World } from '@tautline/core'
import { parseMjcf } from '@tautline/ik/mjcf'
import { parseUrdf } from '@tautline/ik/urdf'
import type { Measured, ReportRow } from '../report.js'

/** What a call throws; nothing where it throws nothing. */
function thrownBy(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    return String(error)
  }
  return ''
}

/** Edits that once made files which were refused: each is refused itself, or its file is read. */
const EDITS: readonly ((world: World, collisions: Collisions) => void)[] = [
  (world, collisions) => {
    const particles = [0, 1].map((x) => world.addParticle({ position: [x, 0, 0] }))
    addParticles(collisions, particles, { radius: 0.1 })
    particles[0].setMass(1, 1)
  },
  (world, collisions) => {
    const ground = world.addBody({ type: 'static', inertia: 1 })
    const heights = new Float64Array(4)
    collisions.addCollider(ground, { shape: heightfield({ heights, columns: 2, rows: 2, cellX: 1, cellZ: 1 }) })
    ground.type = 'dynamic'
  },
  (world, collisions) => {
    const crate = collisions.addBody({ shape: box([1, 1, 1]) })
    crate.setMass(1)
  },
  (world) => {
    const [a, b] = [0, 1].map((x) => world.addBody({ type: 'static', position: [x, 0, 0] }))
    world.add(distance, { a, b, frequency: 1e-307 })
  },
]

function ownFiles(): Measured {
  const outcomes = EDITS.map((edit) => {
    const world = new World()
    const refusal = thrownBy(() => edit(world, new Collisions(world)))
    const text = JSON.stringify(world)
    const reading = thrownBy(() => fromJSON(JSON.parse(text), [distance], { collisions: collisionsFromJSON }))
    return { refused: refusal !== '', read: reading === '' }
  })
  const count = (name: 'refused' | 'read'): number => outcomes.filter((one) => one[name]).length
  return {
    figures: `${count('refused')} of ${outcomes.length} edits refused, ${count('read')} files read`,
    holds: outcomes.every(({ read }) => read),
  }
}

const SHEET = [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0]
const BAD_ROBOT =
  '<robot name="r"><link name="a"><inertial><mass value="0"/><inertia ixx="0" iyy="0" izz="0"/></inertial></link></robot>'
const BAD_MODEL = '<mujoco><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'

function hingeOfParticles(): void {
  const world = new World()
  world.add(hinge, { a: world.addParticle({}), b: world.addParticle({}), axis: [0, 0, 1] })
}

/** Calls that are wrong, and what their errors have to name. */
const CALLS: readonly (readonly [call: () => unknown, names: RegExp])[] = [
  [() => triangleMesh([0, 0, 0, 1, 0, 0, 1, 0, 1], [[0, 2, 1]] as never), /one list/],
  [() => clothAsset({ positions: SHEET, indices: [[0, 1, 2]] as never }), /clothAsset: indices .* one list/],
  [() => softBodyAsset({ positions: SHEET, indices: [[0, 1, 2]] as never }), /softBodyAsset: indices .* one list/],
  [
    () => softBodyAsset({ positions: SHEET, tetrahedra: [[0, 1, 2, 3]] as never }),
    /softBodyAsset: tetrahedra .* one list/,
  ],
  [() => parseUrdf(BAD_ROBOT), /matter: 'none'/],
  [() => parseMjcf(BAD_MODEL), /matter: 'none'/],
  [() => hingeOfParticles(), /give addBody of the world inertia/],
  [() => new World().addBody({ shape: box([1, 1, 1]) } as never), /collisions\.addBody/],
]

function messages(): Measured {
  const named = CALLS.filter(([call, names]) => names.test(thrownBy(call)))
  return { figures: `${named.length} of ${CALLS.length} errors name it`, holds: named.length === CALLS.length }
}

export const refusalRows: readonly ReportRow[] = [
  {
    id: '13',
    claim: 'Errors about nested indices, missing inertia, and `shape` in `world.addBody`',
    asked: "name one list of indices, `inertia` of `addBody` or `matter: 'none'`, and `collisions.addBody`",
    scene: 'one call each',
    measure: messages,
  },
  {
    id: '26',
    claim: 'Edits that once made files which were refused on reading',
    asked: 'the edit is refused, or the file is read',
    scene:
      'inertia for a particle of a set, a heightfield that becomes dynamic, a box without inertia, a frequency of 1e-307 Hz',
    measure: ownFiles,
  },
]
