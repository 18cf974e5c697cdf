// Gaps, speeds and lever arms of a contact manifold (collision: contact/gaps.ts, relax.ts, lever-arms.ts). a and b: 32 times the number of the body.

import {
  ANCHOR_B,
  ANGULAR_VELOCITY,
  ARMS,
  ARM_N,
  ARM_T,
  CARRIER,
  FRAME,
  LOCAL_N,
  ORIGIN,
  POINT,
  RESIDUAL,
  ROUND,
  SHARE,
  SPREAD,
  TANGENT,
  VELOCITY,
} from './manifold-columns'

/** Gaps at poses x and q into RESIDUAL; a and b: 32 times the body. */
export function measureAt(x: usize, q: usize, row: usize, p: usize, n: i32, a: usize, b: usize): void {
  const carrier = load<f64>(CARRIER + (row << 3))
  const onA = carrier == 0
  const c = q + (onA ? a : carrier == 1 ? b : 0)
  const o = q + (onA ? b : a)
  const lx = load<f64>(p, LOCAL_N)
  const ly = load<f64>(p, LOCAL_N + 8)
  const lz = load<f64>(p, LOCAL_N + 16)
  const cx = load<f64>(c)
  const cy = load<f64>(c, 8)
  const cz = load<f64>(c, 16)
  const cw = load<f64>(c, 24)
  const ux = 2 * (cy * lz - cz * ly)
  const uy = 2 * (cz * lx - cx * lz)
  const uz = 2 * (cx * ly - cy * lx)
  const nx = lx + cw * ux + (cy * uz - cz * uy)
  const ny = ly + cw * uy + (cz * ux - cx * uz)
  const nz = lz + cw * uz + (cx * uy - cy * ux)
  const ox = load<f64>(o)
  const oy = load<f64>(o, 8)
  const oz = load<f64>(o, 16)
  const ow = load<f64>(o, 24)
  const vx = 2 * (oy * nz - oz * ny)
  const vy = 2 * (oz * nx - ox * nz)
  const vz = 2 * (ox * ny - oy * nx)
  const mx = nx - ow * vx + (oy * vz - oz * vy)
  const my = ny - ow * vy + (oz * vx - ox * vz)
  const mz = nz - ow * vz + (ox * vy - oy * vx)
  const A = x + a
  const B = x + b
  const apart =
    nx * (load<f64>(A) - load<f64>(B)) +
    ny * (load<f64>(A, 8) - load<f64>(B, 8)) +
    nz * (load<f64>(A, 16) - load<f64>(B, 16))
  for (let i = 0, k = p; i < n; i++, k += 24) {
    store<f64>(
      RESIDUAL + (i << 3),
      apart +
        load<f64>(p + (i << 3), SHARE) +
        mx * load<f64>(k, POINT) +
        my * load<f64>(k, POINT + 8) +
        mz * load<f64>(k, POINT + 16),
    )
  }
  if (carrier == 2) addRoundShare(q + b, row, n, nx, ny, nz)
}

function addRoundShare(q: usize, row: usize, n: i32, x: f64, y: f64, z: f64): void {
  const qx = load<f64>(q)
  const qy = load<f64>(q, 8)
  const qz = load<f64>(q, 16)
  const qw = load<f64>(q, 24)
  const tx = 2 * (qy * z - qz * y)
  const ty = 2 * (qz * x - qx * z)
  const tz = 2 * (qx * y - qy * x)
  const ox = x - qw * tx + (qy * tz - qz * ty)
  const oy = y - qw * ty + (qz * tx - qx * tz)
  const oz = z - qw * tz + (qx * ty - qy * tx)
  for (let i = 0, o = ANCHOR_B + 96 * row; i < n; i++, o += 24) {
    store<f64>(
      RESIDUAL + (i << 3),
      load<f64>(RESIDUAL + (i << 3)) - (ox * load<f64>(o) + oy * load<f64>(o, 8) + oz * load<f64>(o, 16)),
    )
  }
}

/** Speeds of all rows into RESIDUAL. */
export function measureVelocities(x: usize, p: usize, n: i32, a: usize, b: usize): void {
  const A = (a >> 2) * 3
  const B = (b >> 2) * 3
  const ox = load<f64>(p, ORIGIN)
  const oy = load<f64>(p, ORIGIN + 8)
  const oz = load<f64>(p, ORIGIN + 16)
  const px = ox - load<f64>(x + a)
  const py = oy - load<f64>(x + a, 8)
  const pz = oz - load<f64>(x + a, 16)
  const qx = ox - load<f64>(x + b)
  const qy = oy - load<f64>(x + b, 8)
  const qz = oz - load<f64>(x + b, 16)
  const ax = load<f64>(ANGULAR_VELOCITY + A)
  const ay = load<f64>(ANGULAR_VELOCITY + A, 8)
  const az = load<f64>(ANGULAR_VELOCITY + A, 16)
  const bx = load<f64>(ANGULAR_VELOCITY + B)
  const by = load<f64>(ANGULAR_VELOCITY + B, 8)
  const bz = load<f64>(ANGULAR_VELOCITY + B, 16)
  const ux = load<f64>(VELOCITY + A) + ay * pz - az * py - (load<f64>(VELOCITY + B) + by * qz - bz * qy)
  const uy = load<f64>(VELOCITY + A, 8) + az * px - ax * pz - (load<f64>(VELOCITY + B, 8) + bz * qx - bx * qz)
  const uz = load<f64>(VELOCITY + A, 16) + ax * py - ay * px - (load<f64>(VELOCITY + B, 16) + bx * qy - by * qx)
  const wx = ax - bx
  const wy = ay - by
  const wz = az - bz
  const f0 = load<f64>(p, FRAME)
  const f1 = load<f64>(p, FRAME + 8)
  const f2 = load<f64>(p, FRAME + 16)
  const along = f0 * ux + f1 * uy + f2 * uz
  for (let i = 0, o = p; i < n; i++, o += 24) {
    store<f64>(
      RESIDUAL + (i << 3),
      along + wx * load<f64>(o, ARM_N) + wy * load<f64>(o, ARM_N + 8) + wz * load<f64>(o, ARM_N + 16),
    )
  }
  const f3 = load<f64>(p, FRAME + 24)
  const f4 = load<f64>(p, FRAME + 32)
  const f5 = load<f64>(p, FRAME + 40)
  const f6 = load<f64>(p, FRAME + 48)
  const f7 = load<f64>(p, FRAME + 56)
  const f8 = load<f64>(p, FRAME + 64)
  store<f64>(
    RESIDUAL,
    f3 * ux +
      f4 * uy +
      f5 * uz +
      (wx * load<f64>(p, ARM_T) + wy * load<f64>(p, ARM_T + 8) + wz * load<f64>(p, ARM_T + 16)),
    32,
  )
  store<f64>(
    RESIDUAL,
    f6 * ux +
      f7 * uy +
      f8 * uz +
      (wx * load<f64>(p, ARM_T + 24) + wy * load<f64>(p, ARM_T + 32) + wz * load<f64>(p, ARM_T + 40)),
    40,
  )
  store<f64>(RESIDUAL, f0 * wx + f1 * wy + f2 * wz, 48)
  store<f64>(RESIDUAL, f3 * wx + f4 * wy + f5 * wz, 56)
  store<f64>(RESIDUAL, f6 * wx + f7 * wy + f8 * wz, 64)
}

/** Frame, lever arms and centre. */
export function prepareLeverArms(x: usize, q: usize, row: usize, p: usize, n: i32, l: usize, a: usize, b: usize): void {
  const carrier = load<f64>(CARRIER + (row << 3))
  const onA = carrier == 0
  const c = q + (onA ? a : carrier == 1 ? b : 0)
  const kx = load<f64>(c)
  const ky = load<f64>(c, 8)
  const kz = load<f64>(c, 16)
  const kw = load<f64>(c, 24)
  const lx = load<f64>(p, LOCAL_N)
  const ly = load<f64>(p, LOCAL_N + 8)
  const lz = load<f64>(p, LOCAL_N + 16)
  const hx = 2 * (ky * lz - kz * ly)
  const hy = 2 * (kz * lx - kx * lz)
  const hz = 2 * (kx * ly - ky * lx)
  const nx = lx + kw * hx + (ky * hz - kz * hy)
  const ny = ly + kw * hy + (kz * hx - kx * hz)
  const nz = lz + kw * hz + (kx * hy - ky * hx)
  const t = TANGENT + 24 * row
  const gx = load<f64>(t)
  const gy = load<f64>(t, 8)
  const gz = load<f64>(t, 16)
  const ix = 2 * (ky * gz - kz * gy)
  const iy = 2 * (kz * gx - kx * gz)
  const iz = 2 * (kx * gy - ky * gx)
  const sx = gx + kw * ix + (ky * iz - kz * iy)
  const sy = gy + kw * iy + (kz * ix - kx * iz)
  const sz = gz + kw * iz + (kx * iy - ky * ix)
  const tx = ny * sz - nz * sy
  const ty = nz * sx - nx * sz
  const tz = nx * sy - ny * sx
  store<f64>(p, nx, FRAME)
  store<f64>(p, ny, FRAME + 8)
  store<f64>(p, nz, FRAME + 16)
  store<f64>(p, sx, FRAME + 24)
  store<f64>(p, sy, FRAME + 32)
  store<f64>(p, sz, FRAME + 40)
  store<f64>(p, tx, FRAME + 48)
  store<f64>(p, ty, FRAME + 56)
  store<f64>(p, tz, FRAME + 64)
  const ox = load<f64>(x + a)
  const oy = load<f64>(x + a, 8)
  const oz = load<f64>(x + a, 16)
  store<f64>(p, ox, ORIGIN)
  store<f64>(p, oy, ORIGIN + 8)
  store<f64>(p, oz, ORIGIN + 16)
  const o = onA ? b : a
  const sign: f64 = onA ? -1 : 1
  const push = onA ? load<f64>(ROUND + (row << 4), 8) : -load<f64>(ROUND + (row << 4))
  const bx = load<f64>(x + o) - ox + push * nx
  const by = load<f64>(x + o, 8) - oy + push * ny
  const bz = load<f64>(x + o, 16) - oz + push * nz
  const qx = load<f64>(q + o)
  const qy = load<f64>(q + o, 8)
  const qz = load<f64>(q + o, 16)
  const qw = load<f64>(q + o, 24)
  let sum: f64 = 0
  for (let i = 0; i < n; i++) sum += load<f64>(l + (i << 3))
  let cx: f64 = 0
  let cy: f64 = 0
  let cz: f64 = 0
  for (let i = 0; i < n; i++) {
    const k = p + 24 * i
    const lx = sign * load<f64>(k, POINT)
    const ly = sign * load<f64>(k, POINT + 8)
    const lz = sign * load<f64>(k, POINT + 16)
    const ux = 2 * (qy * lz - qz * ly)
    const uy = 2 * (qz * lx - qx * lz)
    const uz = 2 * (qx * ly - qy * lx)
    const rx = bx + lx + qw * ux + (qy * uz - qz * uy)
    const ry = by + ly + qw * uy + (qz * ux - qx * uz)
    const rz = bz + lz + qw * uz + (qx * uy - qy * ux)
    const w = ARMS + 24 * i
    store<f64>(w, rx)
    store<f64>(w, ry, 8)
    store<f64>(w, rz, 16)
    store<f64>(k, ry * nz - rz * ny, ARM_N)
    store<f64>(k, rz * nx - rx * nz, ARM_N + 8)
    store<f64>(k, rx * ny - ry * nx, ARM_N + 16)
    const weight = sum > 0 ? load<f64>(l + (i << 3)) / sum : 1 / <f64>n
    cx += weight * rx
    cy += weight * ry
    cz += weight * rz
  }
  store<f64>(p, cy * sz - cz * sy, ARM_T)
  store<f64>(p, cz * sx - cx * sz, ARM_T + 8)
  store<f64>(p, cx * sy - cy * sx, ARM_T + 16)
  store<f64>(p, cy * tz - cz * ty, ARM_T + 24)
  store<f64>(p, cz * tx - cx * tz, ARM_T + 32)
  store<f64>(p, cx * ty - cy * tx, ARM_T + 40)
  for (let i = 0; i < n; i++) {
    const w = ARMS + 24 * i
    const dx = load<f64>(w) - cx
    const dy = load<f64>(w, 8) - cy
    const dz = load<f64>(w, 16) - cz
    store<f64>(p + (i << 3), Math.sqrt(dx * dx + dy * dy + dz * dz), SPREAD)
  }
}
