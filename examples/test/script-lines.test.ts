import { World } from '@tautline/core'
import { expect, test } from 'vitest'
import { compile } from '../gallery/src/play/compile.js'
import { runScript } from '../gallery/src/script.js'
import { functionOf, lineOf, type ScriptError } from '../gallery/src/script-error.js'

/** What a function throws. */
function thrownBy(run: () => void): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

test.each([1, 2, 5])('an error in line %i of a program of the playground is found there', (line) => {
  const lines = ["import { World } from '@tautline/core'", 'const a: number = 1', '', '', 'const b = a']
  lines[line - 1] += "; throw new Error('here')"
  const program = functionOf(['require', 'exports', 'console'], compile(lines.join('\n')))
  expect(lineOf(thrownBy(() => program(() => ({}), {}, console)))).toBe(line)
})

test.each([1, 2, 5])('an error in line %i of a text of the editor is found there', (line) => {
  const lines = ['const a = 1', '', '', '', 'const b = a']
  lines[line - 1] += "; throw new Error('here')"
  expect((thrownBy(() => runScript(lines.join('\n'), new World())) as ScriptError).line).toBe(line)
})
