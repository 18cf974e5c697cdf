import { softBodyScene } from './scenes/soft-body.js'
import { runScene } from './lib/run.js'
const show = (o: any, r: any) => console.log(JSON.stringify(o), r.msPerStep.toFixed(2), 'stretch', (100*r.stretch).toFixed(1)+'%', 'drift', (100*r.energyDrift).toFixed(0), 'gain',(100*r.energyGain).toFixed(0), Object.entries(r.figures).slice(2).map(([k,f]:any)=>k+' '+f.value.toPrecision(3)).join(', '))
for (const o of [{},{substeps:20},{edgeCompliance:1e-3,substeps:20},{edgeDamping:10},{edgeDamping:10,substeps:20},{edgeDamping:10,bulkModulus:1e6,substeps:20},{edgeDamping:10,bulkModulus:1e5,substeps:20},{edgeDamping:1,iterations:2,substeps:10},{edgeDamping:10,edgeCompliance:1e-3,bulkModulus:1e5,substeps:20},{edgeDamping:10,edgeCompliance:3e-4,bulkModulus:1e5,substeps:30}] as any)
show(o, runScene(softBodyScene({edgeCompliance:3e-4,seconds:2.5,cells:10,dropHeight:.1,edgeDamping:2,...o})))
