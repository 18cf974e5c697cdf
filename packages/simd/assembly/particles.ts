// Particles between constraints (core: step.ts, motion.ts): x and y in the lanes of one vector, z by itself.

import { FARTHEST } from './constants'
import { at } from './access'

/** Columns of kinds and flags, what is a dynamic body, and the flags that a particle in flight has none of. */
function isFree(kind: usize, flags: usize, i: usize, dynamic: f64, bound: i32): bool {
  return at(kind, i) == dynamic && ((<i32>at(flags, i)) & bound) == 0
}

function isFinite(xy: v128, z: f64, q: usize): bool {
  const far = Math.abs(f64x2.extract_lane(xy, 0)) + Math.abs(f64x2.extract_lane(xy, 1)) + Math.abs(z)
  const turned = load<f64>(q) + load<f64>(q, 8) + load<f64>(q, 16) + load<f64>(q, 24)
  return far < FARTHEST && turned - turned == 0
}

/** v += h f/m, x += h v from row `from` on; the first row that is left to the step. */
export function predict(
  position: usize,
  start: usize,
  orientation: usize,
  velocity: usize,
  force: usize,
  kind: usize,
  flags: usize,
  gravityScale: usize,
  linearDamping: usize,
  inverseMass: usize,
  from: usize,
  to: usize,
  dynamic: f64,
  bound: i32,
  h: f64,
  fallX: f64,
  fallY: f64,
  fallZ: f64,
): usize {
  const fallXY = f64x2.replace_lane(f64x2.splat(fallX), 1, fallY)
  const hh = f64x2.splat(h)
  for (let i: usize = from; i < to; i++) {
    if (!isFree(kind, flags, i, dynamic, bound)) return i
    const p = position + (i << 5)
    const q = orientation + (i << 5)
    const s = start + (i << 5)
    const v = velocity + 24 * i
    const f = force + 24 * i
    const xy = v128.load(p)
    const zw = v128.load(p, 16)
    const z = f64x2.extract_lane(zw, 0)
    if (!isFinite(xy, z, q)) return i
    const damping = h * at(linearDamping, i)
    const keep: f64 = damping < 1 ? 1 - damping : 0
    const share: f64 = damping > 1 ? 1 / damping : 1
    const scale = share * at(gravityScale, i)
    const m = share * h * at(inverseMass, i)
    const uxy = f64x2.add(
      f64x2.add(f64x2.mul(f64x2.splat(keep), v128.load(v)), f64x2.mul(f64x2.splat(scale), fallXY)),
      f64x2.mul(f64x2.splat(m), v128.load(f)),
    )
    const uz = keep * load<f64>(v, 16) + scale * fallZ + m * load<f64>(f, 16)
    const nxy = f64x2.add(xy, f64x2.mul(hh, uxy))
    const nz = z + h * uz
    if (!isFinite(nxy, nz, q)) return i
    v128.store(s, xy)
    v128.store(s, zw, 16)
    v128.store(v, uxy)
    store<f64>(v, uz, 16)
    v128.store(p, nxy)
    store<f64>(p, nz, 16)
  }
  return to
}

/** v += (x − (x₀ + h v))/h from row `from` on; the first row that is left to the step. */
export function velocities(
  position: usize,
  start: usize,
  orientation: usize,
  velocity: usize,
  kind: usize,
  flags: usize,
  from: usize,
  to: usize,
  dynamic: f64,
  bound: i32,
  h: f64,
): usize {
  const hh = f64x2.splat(h)
  for (let i: usize = from; i < to; i++) {
    if (!isFree(kind, flags, i, dynamic, bound)) return i
    const p = position + (i << 5)
    const s = start + (i << 5)
    const v = velocity + 24 * i
    const xy = v128.load(p)
    const z = load<f64>(p, 16)
    if (!isFinite(xy, z, orientation + (i << 5))) return i
    const vxy = v128.load(v)
    const vz = load<f64>(v, 16)
    const away = f64x2.sub(xy, f64x2.add(v128.load(s), f64x2.mul(hh, vxy)))
    const awayZ = z - (load<f64>(s, 16) + h * vz)
    v128.store(v, f64x2.add(vxy, f64x2.div(away, hh)))
    store<f64>(v, vz + awayZ / h, 16)
  }
  return to
}
