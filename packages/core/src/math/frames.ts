/** Rotations put together, and the axes of a frame: the columns of R(q), q = `[x, y, z, w]` at an offset of an array. */

/** out[u…] = q[o…] f[k…]. */
export function compose(q: Float64Array, o: number, f: Float64Array, k: number, out: Float64Array, u: number): void {
  const ax = q[o]
  const ay = q[o + 1]
  const az = q[o + 2]
  const aw = q[o + 3]
  const bx = f[k]
  const by = f[k + 1]
  const bz = f[k + 2]
  const bw = f[k + 3]
  out[u] = aw * bx + ax * bw + ay * bz - az * by
  out[u + 1] = aw * by - ax * bz + ay * bw + az * bx
  out[u + 2] = aw * bz + ax * by - ay * bx + az * bw
  out[u + 3] = aw * bw - ax * bx - ay * by - az * bz
}

/** The x axis of the frame at `o`, into out[k…k + 2]. */
export function frameX(F: Float64Array, o: number, out: Float64Array, k: number): void {
  const x = F[o]
  const y = F[o + 1]
  const z = F[o + 2]
  const w = F[o + 3]
  out[k] = 1 - 2 * (y * y + z * z)
  out[k + 1] = 2 * (x * y + w * z)
  out[k + 2] = 2 * (x * z - w * y)
}

/** Its y axis. */
export function frameY(F: Float64Array, o: number, out: Float64Array, k: number): void {
  const x = F[o]
  const y = F[o + 1]
  const z = F[o + 2]
  const w = F[o + 3]
  out[k] = 2 * (x * y - w * z)
  out[k + 1] = 1 - 2 * (x * x + z * z)
  out[k + 2] = 2 * (y * z + w * x)
}

/** Its z axis. */
export function frameZ(F: Float64Array, o: number, out: Float64Array, k: number): void {
  const x = F[o]
  const y = F[o + 1]
  const z = F[o + 2]
  const w = F[o + 3]
  out[k] = 2 * (x * z + w * y)
  out[k + 1] = 2 * (y * z - w * x)
  out[k + 2] = 1 - 2 * (x * x + y * y)
}
