import { mannequin, adult, scene } from './zz-common.js'
import { Balance } from '../packages/assemblies/src/ragdoll/active/balance.js'
const params = JSON.parse(process.argv[2] ?? '{}')
const asset = process.argv[3] === 'adult' ? adult() : await mannequin()
console.log(asset.parts.map(p => `${p.name}:${p.matter.mass.toFixed(2)}/${p.joint?.inertia.toFixed(4)}/${p.joint?.strength.toFixed(0)}`).join(' '))
const { world, doll } = scene(asset, params.world)
const b = new Balance(doll, params)
console.log(b.plan.legs[0].sole, b.plan.legs[0].upperLength, b.plan.legs[0].lowerLength)
const t0 = performance.now(); let tu = 0
for (let k = 0; k < 60 * (params.seconds ?? 10); k++) {
  const t = performance.now()
  b.update(); tu += performance.now() - t
  world.step()
  if (params.push && k === 120) { doll.body('chest').applyImpulse(params.push); for (let i=0;i<0;i++); }
  if (k % (params.every ?? 60) === 0) console.log((k / 60).toFixed(2), b.mode, 'com', b.com.map(x => x.toFixed(4)).join(' '), 'v', b.vel.map(x => x.toFixed(4)).join(' '), 'ex', b.excess.toFixed(3), 'E', world.energy().kinetic?.toExponential(2), 'feet', b.feet.map(f => f.gap.toFixed(4)).join(' '), 'st', b.steps)
}
console.log('ms/step', (performance.now() - t0) / (60 * (params.seconds ?? 10)), 'update', tu / (60 * (params.seconds ?? 10)))
