/** Source text in the colours of its grammar, by Lezer's parser and highlighter. */

import { parser } from '@lezer/javascript'
import { classHighlighter, highlightCode } from '@lezer/highlight'
import { h } from './dom.js'

const TYPESCRIPT = parser.configure({ dialect: 'ts' })

/** Text as highlighted code, of classes `tok-…`. */
export function highlighted(text: string): HTMLElement {
  const code = h('code', {})
  highlightCode(
    text,
    TYPESCRIPT.parse(text),
    classHighlighter,
    (part, classes) => code.append(classes === '' ? part : h('span', { class: classes }, part)),
    () => code.append('\n'),
  )
  return code
}

/** What an exhibit's source says after its imports. */
export function withoutImports(source: string): string {
  return source.slice(source.search(/^(?!import|\} from| {2}[\w ,{}]+,$|\s*$)/m)).trim()
}
