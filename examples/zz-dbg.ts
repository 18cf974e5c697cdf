import { mannequin, adult, scene } from './zz-common.js'
import { Balance } from '../packages/assemblies/src/ragdoll/active/balance.js'
const params = JSON.parse(process.argv[2] ?? '{}')
const asset = await mannequin()
const { world, doll } = scene(asset, params.world)
const b = new Balance(doll, params)
const foot = asset.parts[b.plan.legs[0].end]
console.log(foot.shape.name, [...foot.shape.bounds], foot.position, foot.turn, foot.matter.centre)
for (let k = 0; k < 40; k++) {
  b.update()
  world.step()
  if (k % 8 === 0) {
    const out = {positions: new Float64Array(45), rotations: new Float64Array(60)}
    b.target.write(out)
    for (const part of [0, 9, 10, 11]) {
      const q = doll.bodies[part].orientation, x = b.jointAt(part)
      console.log(k, asset.parts[part].name, [...q].map(v => v.toFixed(3)).join(' '), '|', [...out.rotations.slice(4*part, 4*part+4)].map(v => v.toFixed(3)).join(' '), 'x', x.map(v => v.toFixed(3)).join(' '), '|', b.target.positions[part].map(v => v.toFixed(3)).join(' '))
    }
    console.log('centre', b.target.centre().map(v=>v.toFixed(3)), b.com.map(v=>v.toFixed(3)), 'foot', b.feet[0].ankle.map(v=>v.toFixed(3)), (doll.joint('leftFoot') as any).def.drive)
    console.log(doll.validate())
  }
}
