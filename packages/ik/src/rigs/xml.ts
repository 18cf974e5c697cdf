/** XML of robots: elements, their attributes as numbers, and errors that name the line. */

import { XmlElement, XmlError, parseXml } from '@rgrove/parse-xml'

/** An open file: what errors say of it. */
export class XmlSource {
  readonly root: XmlElement
  private readonly where: string
  private readonly text: string

  /** Throws `TypeError`/`RangeError` for what is no text, no XML, or has another root element. */
  constructor(where: string, text: string, rootName: string) {
    if (typeof text !== 'string') throw new TypeError(`${where}: text must be a string, got ${String(text)}`)
    this.where = where
    this.text = text
    const root = this.parse()
    if (root?.name !== rootName) {
      throw new RangeError(`${where}: the file must be a <${rootName}>, got <${root?.name ?? ''}>`)
    }
    this.root = root
  }

  /** Function, line and element, as errors begin. */
  at(element: XmlElement): string {
    let line = 1
    for (let i = this.text.indexOf('\n'); i >= 0 && i < element.start; i = this.text.indexOf('\n', i + 1)) line++
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

  private parse(): XmlElement | null {
    try {
      return parseXml(this.text, { includeOffsets: true }).root
    } catch (error) {
      // Only its first line: the rest draws an arrow under the text.
      if (error instanceof XmlError)
        throw new RangeError(`${this.where}: ${error.message.split('\n')[0]}`, { cause: error })
      throw error
    }
  }
}

/** The elements right below. */
export function childrenOf(element: XmlElement, name?: string): XmlElement[] {
  const elements = element.children.filter((child): child is XmlElement => child instanceof XmlElement)
  return name === undefined ? elements : elements.filter((child) => child.name === name)
}
