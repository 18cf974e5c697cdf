/**
 * The bunny of npm as a fifth of its text: coordinates, which have six decimals, as whole millionths, each as its difference from the
 * vertex before; indices as their place among those last used (move to front), where neighbours are near. What comes out is the
 * same to the last bit, as a whole number divided by a million is the number that its decimals say.
 */

import bunny from 'bunny'
import type { Plugin } from 'vite'

const MILLION = 1e6

/** Signed whole numbers as bytes: the sign in the lowest bit, seven bits a byte, the highest where there are more. */
function packed(numbers: readonly number[]): string {
  const bytes: number[] = []
  for (const x of numbers) {
    let rest = x < 0 ? -2 * x - 1 : 2 * x
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  return Buffer.from(bytes).toString('base64')
}

function differences(numbers: readonly number[], step: number): number[] {
  return numbers.map((x, k) => x - (k < step ? 0 : numbers[k - step]))
}

/** Each number as its place in a list of all, in which it then moves to the front. */
function places(numbers: readonly number[], count: number): number[] {
  const list = Array.from({ length: count }, (_, k) => k)
  return numbers.map((x) => {
    const at = list.indexOf(x)
    list.splice(at, 1)
    list.unshift(x)
    return at
  })
}

/** Source of a module in place of npm `bunny`. */
export function packedBunny(): string {
  const millionths = bunny.positions.flat().map((x) => Math.round(MILLION * x))
  bunny.positions.flat().forEach((x, k) => {
    if (millionths[k] / MILLION !== x) throw new RangeError(`pack-bunny: coordinates must have six decimals, got ${x}`)
  })
  const { positions, cells } = bunny
  return `
const unpack = (text) => {
  const numbers = []
  let [value, scale] = [0, 1]
  for (const character of atob(text)) {
    const byte = character.charCodeAt(0)
    value += (byte & 127) * scale
    scale *= 128
    if (byte > 127) continue
    numbers.push(value % 2 === 1 ? -(value + 1) / 2 : value / 2)
    ;[value, scale] = [0, 1]
  }
  return numbers
}
const threes = (numbers) => Array.from({ length: numbers.length / 3 }, (_, k) => numbers.slice(3 * k, 3 * k + 3))
const sums = (numbers) => {
  for (let k = 3; k < numbers.length; k++) numbers[k] += numbers[k - 3]
  return numbers.map((x) => x / ${MILLION})
}
const recent = (places) => {
  const list = Array.from({ length: ${positions.length} }, (_, k) => k)
  return places.map((at) => {
    const [x] = list.splice(at, 1)
    list.unshift(x)
    return x
  })
}
export default {
  positions: /* @__PURE__ */ threes(sums(unpack('${packed(differences(millionths, 3))}'))),
  cells: /* @__PURE__ */ threes(recent(unpack('${packed(places(cells.flat(), positions.length))}'))),
}
`
}

/** Puts the packed bunny in place of the package. */
export const packBunny: Plugin = {
  name: 'pack-bunny',
  enforce: 'pre',
  resolveId: (id) => (id === 'bunny' ? '\0packed-bunny.js' : null),
  load: (id) => (id === '\0packed-bunny.js' ? packedBunny() : null),
}
