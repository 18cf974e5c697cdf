/** CodeMirror for whole scenes: TypeScript in the colours of the page, with marks and offers of the library's types from a worker. */

import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete'
import { javascript } from '@codemirror/lang-javascript'
import { syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, linter } from '@codemirror/lint'
import { EditorView } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import type { Types } from './types.js'

/** Typing stops for so long before the text is looked at [ms]. */
const PAUSE = 500

const THEME = EditorView.theme({
  '&': { height: '100%', fontSize: '12.5px', backgroundColor: 'var(--code)', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--code)', color: 'var(--soft)', borderRight: '1px solid var(--line)' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '-3px' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 8%, transparent)',
  },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent) !important',
  },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panels': { backgroundColor: 'var(--card)', color: 'var(--text)' },
})

export class SceneEditor {
  readonly element: HTMLElement
  private readonly view: EditorView

  /** `onChange` is told of every change; `types` knows the library. */
  constructor(text: string, types: Types, onChange: () => void) {
    this.view = new EditorView({
      doc: text,
      extensions: [
        basicSetup,
        javascript({ typescript: true }),
        syntaxHighlighting(classHighlighter),
        THEME,
        linter((view) => marks(types, view), { delay: PAUSE }),
        autocompletion({ override: [(context) => offers(types, context)] }),
        EditorView.contentAttributes.of({ 'aria-label': 'Your scene, in TypeScript' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange()
        }),
      ],
    })
    this.element = this.view.dom
  }

  get text(): string {
    return this.view.state.doc.toString()
  }

  /** Sets the text, if one is given, and puts the cursor at a place of it. */
  write(text: string | undefined, at?: number): void {
    const { view } = this
    if (text !== undefined) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } })
    if (at === undefined) return
    view.focus()
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true })
  }

  /** Shows a line, from 1. */
  reveal(line: number): void {
    const { doc } = this.view.state
    if (line >= 1 && line <= doc.lines) this.write(undefined, doc.line(line).from)
  }

  dispose(): void {
    this.view.destroy()
  }
}

async function marks(types: Types, { state }: EditorView): Promise<Diagnostic[]> {
  const found = await types.check(state.doc.toString())
  return found.map(({ from, to, message }) => ({ from, to: Math.max(to, from + 1), message, severity: 'error' }))
}

async function offers(types: Types, context: CompletionContext): Promise<CompletionResult | null> {
  const word = context.matchBefore(/[\w$]*/)
  if (!context.explicit && (word === null || (word.from === word.to && !/[.'"]$/.test(before(context))))) return null
  const options = await types.complete(context.state.doc.toString(), context.pos)
  if (options.length === 0) return null
  return { from: word?.from ?? context.pos, options, validFor: /^[\w$]*$/ }
}

function before({ state, pos }: CompletionContext): string {
  return state.sliceDoc(Math.max(0, pos - 1), pos)
}
