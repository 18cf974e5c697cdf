import { clothScene } from './scenes/cloth.js'
import { ropeScene } from './scenes/rope.js'
import { softBodyScene } from './scenes/soft-body.js'
import { runScene } from './lib/run.js'
const show = (o: any, r: any) => console.log(JSON.stringify(o), r.bodies, r.constraints, r.steps, r.msPerStep.toFixed(3), (100*r.stretch).toFixed(3)+'%', r.worstError.linear, r.finalError.linear, (100*r.energyDrift).toFixed(2), (100*r.energyGain).toFixed(2), Object.entries(r.figures).map(([k,f]:any)=>k+' '+f.value.toPrecision(3)).join(', '), r.nonFinite.length)
for (const o of [{},{bendModel:'dihedral'},{friction:.8}] as any) show(o, runScene(clothScene(o)))
for (const o of [{flatten:.2},{flatten:-1}] as any) show(o, runScene(softBodyScene(o)))
const s=ropeScene({substeps:4}); s.world.configure({warmStart:1}); for(let i=0;i<600;i++) s.world.step(); console.log(s.world.report.nonFinite.length, s.world.bodies.all().slice(0,4).map(b=>[b.frozen, ...b.position]))
