/** XML of robots: elements, their attributes as numbers, and errors that name the line. */

import { shown } from '@tautline/core/kernel'
import { XmlElement, XmlError, parseXml } from '@rgrove/parse-xml'

/** Elements inside each other: robots have a few dozen, and a parser a stack of some thousands. */
const DEEPEST = 256

/** What has brackets of its own and no elements: how it begins and ends. */
const SKIPPED = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!', '>'],
] as const

/** An open file: what errors say of it. */
export class XmlSource {
  readonly root: XmlElement
  private readonly where: string
  private readonly lineEnds: number[] = []
  private readonly text: string

  /** Throws `TypeError`/`RangeError` for what is no text, no XML, or has another root element. */
  constructor(where: string, text: string, rootName: string) {
    if (typeof text !== 'string') throw new TypeError(`${where}: text must be a string, got ${shown(text)}`)
    this.where = where
    this.text = text
    for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) this.lineEnds.push(i)
    this.checkDepth()
    const root = this.parse()
    if (root?.name !== rootName) {
      throw new RangeError(`${where}: the file must be a <${rootName}>, got <${root?.name ?? ''}>`)
    }
    this.root = root
  }

  /** Function, line and element, as errors begin. */
  at(element: XmlElement): string {
    const line = this.lineOf(element.start)
    const name = element.attributes['name']
    return `${this.where}: line ${line}: <${element.name}${name === undefined ? '' : ` name="${name}"`}>`
  }

  /** An attribute that must be there. */
  need(element: XmlElement, attribute: string): string {
    const value = element.attributes[attribute]
    if (value === undefined) throw new RangeError(`${this.at(element)} must have ${attribute}, got none`)
    return value
  }

  /**
   * Finite numbers apart by spaces: `least` to `most` of them.
   * @param value - of the attribute, which may come from a default
   */
  numbers(element: XmlElement, attribute: string, value: string, least: number, most: number = least): number[] {
    const words = value.trim().split(/\s+/)
    const numbers = words.map(Number)
    const ok = words[0] !== '' && numbers.every(Number.isFinite) && words.length >= least && words.length <= most
    if (!ok) {
      const count = least === most ? `${least}` : `${least} to ${most}`
      throw new RangeError(`${this.at(element)}: ${attribute} must be ${count} finite numbers, got "${value}"`)
    }
    return numbers
  }

  /** The line of a character: one more than there are ends of lines before it. */
  private lineOf(at: number): number {
    let [from, to] = [0, this.lineEnds.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.lineEnds[middle] < at) from = middle + 1
      else to = middle
    }
    return from + 1
  }

  /**
   * Throws where elements are inside each other too deep: the parser calls itself for each. Looks at brackets and quotes only;
   * text that does not end is the parser's to refuse.
   */
  private checkDepth(): void {
    const { text } = this
    let depth = 0
    for (let i = text.indexOf('<'); i >= 0; i = text.indexOf('<', i)) {
      const skipped = SKIPPED.find(([begin]) => text.startsWith(begin, i))
      let end = skipped === undefined ? endOfTag(text, i + 1) : text.indexOf(skipped[1], i + skipped[0].length)
      if (end < 0) end = text.length
      if (skipped === undefined) {
        if (text[i + 1] === '/') depth--
        else if (text[end - 1] !== '/') depth++
      }
      if (depth > DEEPEST) {
        throw new RangeError(
          `${this.where}: line ${this.lineOf(i)}: elements must be at most ${DEEPEST} deep, got deeper`,
        )
      }
      i = end
    }
  }

  private parse(): XmlElement | null {
    try {
      return parseXml(this.text, { includeOffsets: true }).root
    } catch (error) {
      // Only its first line: the rest draws an arrow under the text.
      if (error instanceof XmlError)
        throw new RangeError(`${this.where}: text must be XML, got ${shown(error.message.split('\n')[0])}`, {
          cause: error,
        })
      throw error
    }
  }
}

/** Where a tag ends that is open at `from`: the next > outside of quotes; −1 for none. */
function endOfTag(text: string, from: number): number {
  let quote = ''
  for (let i = from; i < text.length; i++) {
    const c = text[i]
    if (quote !== '') {
      if (c === quote) quote = ''
    } else if (c === '"' || c === "'") quote = c
    else if (c === '>') return i
  }
  return -1
}

/** The elements right below. */
export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  const elements = element.children.filter((child): child is XmlElement => child instanceof XmlElement)
  return name === undefined ? elements : elements.filter((child) => child.name === name)
}
