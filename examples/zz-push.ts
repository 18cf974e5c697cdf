import { balance } from '@tautline/assemblies'
import { mannequin, adult, scene } from './zz-common.js'
const params = JSON.parse(process.argv[2] ?? '{}')
const asset = params.adult ? adult() : await mannequin(params.detail ?? 15)
const hz = params.hz ?? 60
function run(J: number, deg: number, trace = false): string {
  const { world, doll, collisions } = scene(asset, { dt: 1 / hz, ...(params.world ?? {}) }, params.normal)
  const b = balance(doll, params.options ?? {}) as any
  const a = deg * Math.PI / 180
  let calm = 0
  let braced = ''
  let hands = -1, head = -1
  const touch = (name: string) => { const body = doll.body(name); return collisions.events.some((e: any) => (e.a.body === body || e.b.body === body) && (e.a.body === null || e.b.body === null)) }
  for (let k = 0; k < hz * (params.seconds ?? 6); k++) {
    b.update(); world.step()
    if (k === hz / 2 && J > 0) doll.body('chest').applyImpulse([J * Math.sin(a), 0, J * Math.cos(a)])
    const v = b.moment.velocity
    if (trace && k % (params.every ?? 6) === 0) console.log((k / hz - 0.5).toFixed(2), b.state, b.swing, 'com', b.centre.map((x: number) => x.toFixed(4)).join(' '), 'v', v.map((x: number) => x.toFixed(4)).join(' '), 'xi', b.capturePoint.map((x: number) => x.toFixed(2)).join(' '), 'ex', b.moment.excess.toFixed(3), 'L', b.feet[0].joint.map((x: number)=>x.toFixed(2)).join(' '), b.feet[0].gap.toFixed(3), 'R', b.feet[1].joint.map((x: number)=>x.toFixed(2)).join(' '), b.feet[1].gap.toFixed(3), 'to', b.to.map((x: number)=>x.toFixed(2)).join(' '),'st', b.steps)
    if (b.state === 'falling' || b.state === 'fallen') {
      if (hands < 0 && (touch('leftHand') || touch('rightHand'))) hands = k
      if (head < 0 && touch('head')) head = k
      if (k > hz * (params.seconds ?? 6) - 2 || b.state === 'fallen') return 'F' + b.steps + (hands >= 0 && (head < 0 || hands <= head) ? 'h' : 'H!')
    }
    calm = k > 0.6 * hz && b.state === 'standing' && b.moment.excess === 0 && Math.hypot(...(v as [number, number, number])) < 0.06 ? calm + 1 : 0
    if (!trace && J > 0 && calm > 0.6 * hz) return '' + b.steps + '(' + (k / hz - 0.5).toFixed(1) + ')'
  }
  return '' + b.steps
}
if (params.trace) console.log(run(params.J ?? 0, params.deg ?? 0, true))
else for (const deg of params.degs ?? [0, 90, 180, 270]) console.log(deg, (params.Js ?? [30, 45, 60, 75]).map((J: number) => J + ':' + run(J, deg)).join('  '))
