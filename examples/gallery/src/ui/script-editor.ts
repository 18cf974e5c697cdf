/** The editor of the exhibit “write a constraint”: what it is given, how it runs, what a link holds of it. */

import { FIRST_TEXT, scriptText, setFindMistake, setScript } from '../exhibits/write-your-own.js'
import type { Exhibit } from '../exhibit.js'
import { Run } from '../run.js'
import type { Values } from '../settings.js'
import { encodeText } from '../text-link.js'
import { Trial } from '../trial.js'
import { Editor, findMistakeInPage } from './editor.js'

/** What the page lends to its script. */
export interface ScriptPage {
  readonly exhibit: Exhibit
  readonly values: () => Values
  /** Puts the text into the address. */
  link(): void
  /** Builds the scene anew. */
  rebuild(): void
}

/** An editor on a page. */
export interface PageScript {
  readonly editor: Editor
  /** The text as a link has it; none where it is the first one. */
  readonly code: string | undefined
  /** Shows a text that a link brought. */
  offer(text: string): void
  dispose(): void
}

/** Makes editors. */
export interface Script {
  open(page: ScriptPage, offered: string | undefined): PageScript
}

function open({ exhibit, values, link, rebuild }: ScriptPage, offered: string | undefined): PageScript {
  setFindMistake(findMistakeInPage)
  const trial = new Trial()
  const editor = new Editor(scriptText(), FIRST_TEXT, async (text) => {
    link()
    await trial.run(text, values())
    const before = scriptText()
    setScript(text)
    try {
      new Run(exhibit, values())
    } catch (error) {
      // The scene before goes on.
      setScript(before)
      throw error
    }
    rebuild()
  })
  if (offered !== undefined && offered !== scriptText()) editor.offer(offered)
  return {
    editor,
    get code() {
      return editor.text === FIRST_TEXT ? undefined : encodeText(editor.text)
    },
    offer(text) {
      trial.dispose()
      editor.offer(text)
    },
    dispose() {
      trial.dispose()
      editor.dispose()
    },
  }
}

export const script: Script = { open }
