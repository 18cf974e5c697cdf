// core never names a constraint type. A type is a file of packages/constraints/src; its name must not turn up in the
// code of packages/core/src: not as an identifier (ballSocket, BallSocketDef), nor as words of a string. Comments may.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const core = 'packages/core/src'

// 'ball-socket', 'ballSocket' and 'ball socket' all become ' ball socket '.
const words = (text: string) =>
  ` ${text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z0-9]+/g, ' ')
    .trim()
    .toLowerCase()} `

// A force [N] is a quantity that core has to speak of, whatever type goes by the same name.
const quantities = ['force']

const types = readdirSync('packages/constraints/src')
  .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((type) => !quantities.includes(type))

/** Whether a name of one word stands alone (`angle`, `AngleDef`, not `maxAngle`), or one of several words occurs. */
const isNamed = (type: string, identifier: string) => {
  const wanted = words(type)
  const found = words(identifier.replace(/(Def|Type|Handle)$/, ''))
  return wanted.trim().includes(' ') ? found.includes(wanted) : found === wanted
}

const literals = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
])

const found: string[] = []
for (const path of readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))) {
  const file = join(core, path)
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest)
  const visit = (node: ts.Node): void => {
    const isIdentifier = ts.isIdentifier(node) || ts.isPrivateIdentifier(node)
    if (isIdentifier || literals.has(node.kind)) {
      const { text } = node as ts.Identifier | ts.StringLiteral
      for (const type of types) {
        if (isIdentifier ? isNamed(type, text) : words(text).includes(words(type))) {
          const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source))
          found.push(`${file}:${line + 1}:${character + 1}  names the constraint type ${type}: ${text}`)
        }
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
}

for (const line of found) console.error(line)
console.log(`core names ${found.length === 0 ? 'none' : 'some'} of ${types.length} constraint types`)
process.exitCode = found.length === 0 ? 0 : 1
