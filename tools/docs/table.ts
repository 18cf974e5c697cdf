// Writes a table of fields from a declaration: name, type, unit, default, first sentence.
import type { Base, Declared, Field } from './declarations.js'

/** The link to the table of an interface, by its name and package; `null` where it has none. */
export type Link = (name: string, home: string | null) => string | null

/** What units are made of, besides exponents, brackets, `/` and `or`. */
const UNITS = /^(?:m|kg|s|ms|N|rad|J|W|Hz|Pa|1)[²³]?$/
const BRACKET = /\[([^\]]+)\](?:(?: or| and|,) \[([^\]]+)\])*/g

function isUnit(text: string): boolean {
  const parts = text.split(/[\s,/()·]+|\bor\b/).filter((part) => part !== '')
  return parts.length > 0 && parts.every((part) => UNITS.test(part))
}

/** The units in brackets of a comment, and the comment without them. */
export function splitUnit(doc: string): { unit: string; text: string } {
  const units: string[] = []
  const text = doc.replace(BRACKET, (match) => {
    const inside = [...match.matchAll(/\[([^\]]+)\]/g)].map(([, unit]) => unit)
    if (!inside.every(isUnit)) return match
    for (const unit of inside) if (!units.includes(unit)) units.push(unit)
    return ''
  })
  return { unit: units.join(' or '), text: tidy(text) }
}

/** Spaces and punctuation where a unit was. */
function tidy(text: string): string {
  return text
    .replace(/\s+([.,;:)])/g, '$1')
    .replace(/^[\s.,;:]+/, '')
    .replace(/\s{2,}/g, ' ')
    .replace(/^[a-z](?=[a-z])/, (letter) => letter.toUpperCase())
    .trim()
}

/** Up to the first full stop before a capital, a code or the end. */
export function firstSentence(text: string): string {
  return /^.*?[.](?=\s+[A-Z`‖|]|$)/.exec(text)?.[0].replace(/\.$/, '') ?? text.replace(/\.$/, '')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** In code, but words that stand for a value: `the present one`. */
function defaultCell({ defaultValue, isRequired }: Field): string {
  if (isRequired) return 'required'
  const isCode = /^(?:[-−]?[\d.]+(?:e-?\d+)?(?:\/\d+)?|'\w+'|\[[^\]]*\]|true|false|null|-?Infinity)$/.test(defaultValue)
  return cell(isCode ? `\`${defaultValue}\`` : defaultValue)
}

/** One row: the columns are fields, types, units, defaults, sentences. */
function row(field: Field, link: Link): string {
  const { unit, text } = splitUnit(field.doc)
  const type = field.parameters === null ? (link(field.type, null) ?? `\`${cell(field.type)}\``) : 'function'
  const name = field.parameters === null ? field.name : `${field.name}(${field.parameters.join(', ')})`
  return `| \`${name}\` | ${type} | ${unit} | ${defaultCell(field)} | ${cell(firstSentence(text))} |`
}

/** `Also the fields of [PairDef](…)`; '' where there are none. */
function basesLine(bases: readonly Base[], link: Link): string {
  const named = bases.map(({ name, package: home, omitted, picked }) => {
    const but = omitted.length > 0 ? ` but ${codes(omitted)}` : ''
    const of = picked.length > 0 ? `${codes(picked)} of ` : ''
    return `${of}${link(name, home) ?? name}${but}`
  })
  return named.length === 0 ? '' : `Also the fields of ${and(named)}.`
}

function codes(names: readonly string[]): string {
  return and(names.map((name) => `\`${name}\``))
}

function and(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`
}

/** The table of an interface, and where the rest of its fields are. */
export function tableOf(declared: Declared, link: Link): string {
  const { fields, bases } = declared
  const head = ['| field | type | unit | default | |', '| --- | --- | --- | --- | --- |']
  const table = fields.length === 0 ? '' : [...head, ...fields.map((field) => row(field, link))].join('\n')
  return [table, basesLine(bases, link)].filter((part) => part !== '').join('\n\n')
}

/** What the tables would be poorer for: a field that says nothing, or leaves its default unsaid. */
export function lacking({ name, fields }: Declared): string[] {
  return fields.flatMap((field) => {
    const at = `${name}.${field.name}`
    return [
      ...(splitUnit(field.doc).text === '' ? [`${at} says nothing besides its unit`] : []),
      ...(!field.isRequired && field.defaultValue === '' ? [`${at} has no @defaultValue`] : []),
    ]
  })
}
