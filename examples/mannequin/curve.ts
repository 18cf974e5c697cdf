/**
 * Curves through keys: cubic pieces with slopes that never overshoot (F. N. Fritsch, J. Butland 1984), so that what stands still
 * between two keys of one value does.
 */

/** The value at `time` of keys in the order of time; with a `period`, that of a loop. */
export function curve(keys: readonly (readonly [number, number])[], time: number, period?: number): number {
  const n = keys.length
  const around = (k: number): readonly [number, number] => {
    if (period === undefined) return keys[Math.min(Math.max(k, 0), n - 1)]
    const turns = Math.floor(k / n)
    const [t, value] = keys[k - n * turns]
    return [t + turns * period, value]
  }
  const t =
    period === undefined
      ? Math.min(Math.max(time, keys[0][0]), keys[n - 1][0])
      : time - period * Math.floor(time / period)
  let k = keys.findIndex(([at]) => at > t) - 1
  if (k < 0) k = t < keys[0][0] ? -1 : n - (period === undefined ? 2 : 1)
  const [t0, a] = around(k)
  const [t1, b] = around(k + 1)
  const h = t1 - t0
  if (!(h > 0)) return a
  const [ma, mb] = [slope(around(k - 1), [t0, a], [t1, b]), slope([t0, a], [t1, b], around(k + 2))]
  const s = (t - t0) / h
  const [s2, s3] = [s * s, s * s * s]
  return (2 * s3 - 3 * s2 + 1) * a + (s3 - 2 * s2 + s) * h * ma + (3 * s2 - 2 * s3) * b + (s3 - s2) * h * mb
}

/** At the middle one of three keys: 0 at an extreme, else a weighted harmonic mean of the slopes beside it. */
function slope(a: readonly [number, number], b: readonly [number, number], c: readonly [number, number]): number {
  const [h0, h1] = [b[0] - a[0], c[0] - b[0]]
  if (!(h0 > 0) || !(h1 > 0)) return 0
  const [d0, d1] = [(b[1] - a[1]) / h0, (c[1] - b[1]) / h1]
  if (!(d0 * d1 > 0)) return 0
  const [w0, w1] = [2 * h1 + h0, h1 + 2 * h0]
  return (w0 + w1) / (w0 / d0 + w1 / d1)
}
