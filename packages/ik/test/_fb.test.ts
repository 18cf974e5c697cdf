import { rotationBetween } from '@tautline/core'
import { it } from 'vitest'
import { fullBody } from '../src/full-body.js'
import { IkSolver, Pose, Rig, WorldPose } from '../src/index.js'
import { humanoidRoles } from '../src/rigs/roles.js'
import { parseBvh } from '../src/rigs/bvh.js'
import { dataFile } from './support/data.js'
it('x', () => {
  const bvh = parseBvh(new TextDecoder().decode(dataFile('mocap/01_01.bvh')), { scale: 0.0564 })
  for (const [points, w, pw, posture] of [[5, 0.3, 1, 0], [5, 0.3, 0, 0], [5, 0.3, 1000, 0], [5, 0.3, 1, 0.1], [5, 1, 1, 0], [5, 0.05, 1, 0], [3, 0.3, 1, 0], [3, .3, 1, .1]] as const) {
    const rig = Rig.from(bvh.bones)
    const roles = humanoidRoles(rig.names)
    const solver = new IkSolver(rig, { iterations: 30, tolerance: 1e-3, posture })
    const body = fullBody(rig, solver, roles as never, points, { orientationWeight: w, poleWeight: pw })
    const pose = new Pose(rig), truth = new Pose(rig)
    let sum = 0, n = 0, its = 0, conv = 0, frames = 0, ms = 0, hs = 0
    const v = new Float64Array(3)
    for (let k = 0; k < bvh.frameCount; k += 4) {
      bvh.pose(k, truth)
      const world = new WorldPose(rig).update(rig, truth)
      for (const name of ['head', 'leftHand', 'rightHand', 'leftFoot', 'rightFoot'] as const) {
        if (points === 3 && name.endsWith('Foot')) continue
        const i = body.goals[name].position.bone
        body.setTarget(name, [...world.positions.slice(3 * i, 3 * i + 3)] as never, [...world.rotations.slice(4 * i, 4 * i + 4)] as never)
      }
      if (k === 0) pose.copy(truth)
      const t0 = performance.now()
      body.prepare(pose)
      const r = solver.solve(pose)
      ms += performance.now() - t0
      its += r.iterations; conv += r.status === 'converged' ? 1 : 0; frames++
      for (const name of ['leftLowerArm', 'rightLowerArm', 'leftLowerLeg', 'rightLowerLeg'] as const) {
        const i = rig.indexOf(roles[name]!)
        rotationBetween(pose.rotations, 4 * i, truth.rotations, 4 * i, v, 0)
        sum += Math.hypot(...v) * 180 / Math.PI; n++
      }
      const hp = [0, 1, 2].map((c) => pose.positions[c] - truth.positions[c]); hs += Math.hypot(...hp)
    }
    console.log('|', points, w, pw, posture, 'elbow/knee deg', (sum / n).toFixed(1), 'its', (its / frames).toFixed(1), 'conv', (conv / frames).toFixed(2), 'ms', (ms / frames).toFixed(2), 'hips', (hs / frames).toFixed(3))
  }
})
