/**
 * The joint-space mass of MuJoCo's humanoid by MuJoCo (mujoco-js 0.0.7) at random poses, as JSON: coordinates, M without the
 * joints' armature, row by row. Its angular velocity of the free joint is in the body's own axes.
 *
 *   node --import tsx --conditions=@tautline/source bench/ik/mujoco.ts
 */

import loadMujoco from 'mujoco-js'
import { dataText } from './tasks/body.js'
import { fromVector } from './tasks/kinematics.js'
import { Random } from './tasks/random.js'

export interface MujocoMass {
  readonly qpos: number[]
  readonly M: number[]
}

const POSES = 20
const SEED = 71

const text = dataText('robots/humanoid.xml')
if (text === undefined) throw new Error('mujoco: file of the data folder is absent: TAUTLINE_DATA or ../shared/data')
const mujoco = await loadMujoco()
const files = mujoco.FS as { writeFile(path: string, text: string): void }
files.writeFile('/humanoid.xml', text)
const model = mujoco.MjModel.loadFromXML('/humanoid.xml')
const data = new mujoco.MjData(model)
const numbers = (of: unknown): Float64Array => of as Float64Array
const random = new Random(SEED)
const poses: MujocoMass[] = []
for (let p = 0; p < POSES; p++) {
  const qpos = numbers(data.qpos)
  for (let k = 0; k < 3; k++) qpos[k] = random.between(-1, 1)
  const [x, y, z, w] = fromVector(random.between(-2, 2), random.between(-2, 2), random.between(-2, 2))
  qpos.set([w, x, y, z], 3)
  for (let k = 7; k < qpos.length; k++) qpos[k] = random.between(-1, 1)
  mujoco.mj_forward(model, data)
  poses.push({ qpos: [...numbers(data.qpos)], M: fullMass() })
}
console.log(JSON.stringify(poses))

/** qM has of each row what is above it in the tree, from itself to the root: what mj_fullM spreads. */
function fullMass(): number[] {
  const n = model.nv
  const [above, first] = [numbers(model.dof_parentid), numbers(model.dof_Madr)]
  const [sparse, armature] = [numbers(data.qM), numbers(model.dof_armature)]
  const M = new Array<number>(n * n).fill(0)
  for (let i = 0; i < n; i++) {
    let at = first[i]
    for (let j = i; j >= 0; j = above[j]) M[n * i + j] = M[n * j + i] = sparse[at++]
    M[(n + 1) * i] -= armature[i]
  }
  return M
}
