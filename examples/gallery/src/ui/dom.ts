/** Elements in a line. */

type Attributes = Readonly<Record<string, string | number | boolean | ((event: Event) => void) | undefined>>
type Child = Node | string | null | undefined | false

/** An element with attributes, listeners (`onclick`) and children; `false` and `undefined` leave an attribute out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child)
  }
  return element
}

/** A number for people: three digits, with a power of ten where there are many noughts. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : value < 0 ? '−∞' : '–'
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e6 || size < 1e-3) {
    const [digits, power] = value.toExponential(1).split('e')
    return `${digits.replace('-', '−')} · 10${raised(Number(power))}`
  }
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  return value.toFixed(digits).replace('-', '−')
}

function raised(power: number): string {
  const digits = '⁰¹²³⁴⁵⁶⁷⁸⁹'
  return (power < 0 ? '⁻' : '') + Array.from(String(Math.abs(power)), (digit) => digits[Number(digit)]).join('')
}

/** Whether the visitor has asked for less motion. */
export function prefersStillness(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}
