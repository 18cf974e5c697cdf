/** Where a source can be changed so that a test should notice: small changes of its syntax, one at a time. */

import ts from 'typescript'

interface Place {
  readonly from: number
  readonly to: number
}

/** A change of one place of a file. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** How it is switched while the code runs; `load`: not at all, its value is taken when the file is loaded. */
  readonly form: 'expression' | 'effect' | 'statement' | 'load'
  /** The expression or statement that is switched as a whole, or all uses of the constant, and what is read there instead. */
  readonly places: readonly Place[]
  readonly mutated: string
}

const SWAPPED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
  [ts.SyntaxKind.AsteriskEqualsToken, '/='],
  [ts.SyntaxKind.SlashEqualsToken, '*='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.AmpersandToken, '|'],
  [ts.SyntaxKind.BarToken, '&'],
])
const OTHER_NAME: Readonly<Record<string, string>> = { max: 'min', min: 'max' }

/** The syntax of a file. */
function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
}

/** All mutants of a file: swapped operators, turned conditions, other constants, statements that are left out. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = parse(file, text)
  const mutants: Mutant[] = []
  const add: Add = (node, replacement, whole = node) => {
    const [start, end] = [node.getStart(source), node.end]
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    const constant = constantOf(node)
    const switched = constant?.initializer ?? whole
    const uses = constant === undefined ? [whole] : usesOf(constant)
    mutants.push({
      file,
      line,
      start,
      end,
      replacement,
      form: constant === undefined ? formOf(whole) : uses.length > 0 ? 'expression' : 'load',
      places: uses.map((use) => ({ from: use.getStart(source), to: use.end })),
      mutated: text.slice(switched.getStart(source), start) + replacement + text.slice(end, switched.end),
    })
  }
  const visit = (node: ts.Node): void => {
    // What is said in messages and what types are is not behaviour.
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isThrowStatement(node)) return
    if (ts.isTemplateExpression(node)) return
    mutate(node, add)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return mutants
}

type Add = (node: ts.Node, replacement: string, whole?: ts.Node) => void

/** Whether a place runs when something is called, and not with the file. */
const isCalled = (node: ts.Node): boolean =>
  ts.findAncestor(node, (above) => ts.isFunctionLike(above) || ts.isPropertyDeclaration(above)) !== undefined

/** The constant of a file that a place belongs to, where its value is arithmetic: it may be worked out at each use. */
function constantOf(node: ts.Node): ts.VariableDeclaration | undefined {
  if (isCalled(node)) return undefined
  const found = ts.findAncestor(node, ts.isVariableDeclaration)
  return found?.initializer !== undefined && isArithmetic(found.initializer) ? found : undefined
}

function isArithmetic(node: ts.Node): boolean {
  if (ts.isNumericLiteral(node) || ts.isIdentifier(node)) return true
  if (ts.isPrefixUnaryExpression(node)) return isArithmetic(node.operand)
  if (ts.isParenthesizedExpression(node)) return isArithmetic(node.expression)
  return ts.isBinaryExpression(node) && isArithmetic(node.left) && isArithmetic(node.right)
}

/** Where functions of the file read a constant. */
function usesOf({ name }: ts.VariableDeclaration): ts.Node[] {
  const uses: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    if (ts.isIdentifier(node) && node.text === name.getText() && isRead(node) && isCalled(node)) uses.push(node)
    ts.forEachChild(node, visit)
  }
  visit(name.getSourceFile())
  return uses
}

function isRead({ parent }: ts.Identifier): boolean {
  return ts.isBinaryExpression(parent) || ts.isElementAccessExpression(parent) || ts.isCallExpression(parent)
}

/** How a place can be switched while the code runs. */
function formOf(whole: ts.Node): Mutant['form'] {
  if (!isCalled(whole.parent)) return 'load'
  if (ts.isStatement(whole)) return 'statement'
  if (ts.isPropertyAssignment(whole.parent) && whole.parent.name === whole) return 'load'
  return ts.isExpressionStatement(whole.parent) ? 'effect' : 'expression'
}

function mutate(node: ts.Node, add: Add): void {
  if (ts.isBinaryExpression(node)) {
    const swapped = SWAPPED.get(node.operatorToken.kind)
    if (swapped !== undefined) add(node.operatorToken, swapped, node)
  } else if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition
    add(condition, `!(${condition.getText()})`)
  } else if (ts.isPrefixUnaryExpression(node)) {
    const { operator, operand } = node
    if (operator === ts.SyntaxKind.MinusToken || operator === ts.SyntaxKind.ExclamationToken)
      add(node, operand.getText())
  } else if (ts.isNumericLiteral(node)) {
    add(node, node.text === '0' ? '1' : node.text === '1' ? '0' : `(${node.text} + 1)`)
  } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    add(node, node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true')
  } else if (ts.isExpressionStatement(node)) {
    add(node, ';')
  } else if (ts.isContinueStatement(node) || ts.isBreakStatement(node)) {
    add(node, ';')
  } else if (ts.isPropertyAccessExpression(node) && node.expression.getText() === 'Math') {
    const other = OTHER_NAME[node.name.text] as string | undefined
    if (other !== undefined) add(node.name, other, node)
  }
}

/** Text to be put in at two places, around what is between them. */
interface Wrap extends Place {
  readonly before: string
  readonly after: string
}

/**
 * A source in which mutants can be switched on while it runs, one at a time, by `__active[0]`; it notes in `__hit` which places are
 * reached, and every pass of a loop takes one from `__fuel[0]`, so that none is endless. Numbers of mutants are keys of `mutants`.
 */
export function switchable(file: string, text: string, mutants: ReadonlyMap<number, Mutant>): string {
  const wraps: Wrap[] = loopsOf(file, text)
  for (const [k, { form, places, mutated }] of mutants) {
    const isOn = `(__hit[${k}] = 1, __active[0] === ${k})`
    // A statement that begins with a bracket would be taken for a call of the line before.
    const first = form === 'effect' ? 'void ' : ''
    const [before, after] =
      form === 'statement'
        ? [`{ if ${isOn} { ${mutated === ';' ? '' : mutated} } else { `, ' } }']
        : [`${first}(${isOn} ? (${mutated}) : (`, '))']
    for (const place of form === 'load' ? [] : places) wraps.push({ ...place, before, after })
  }
  return `const { __hit, __active, __fuel, __stuck } = globalThis.__mutation;${wrapped(text, wraps)}`
}

function loopsOf(file: string, text: string): Wrap[] {
  const wraps: Wrap[] = []
  const source = parse(file, text)
  const pass = 'if (--__fuel[0] < 0) __stuck();'
  const visit = (node: ts.Node): void => {
    if (ts.isIterationStatement(node, false)) {
      const { statement } = node as ts.IterationStatement
      const from = statement.getStart(source)
      if (ts.isBlock(statement)) wraps.push({ from: from + 1, to: statement.end - 1, before: pass, after: '' })
      else wraps.push({ from, to: statement.end, before: `{ ${pass} `, after: ' }' })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return wraps
}

/** Puts in all of them: what is around others opens before and closes after them. */
function wrapped(text: string, wraps: readonly Wrap[]): string {
  const pieces = wraps.flatMap(({ from, to, before, after }, k) => [
    { at: from, closes: 0, depth: -to, k, text: before },
    { at: to, closes: -1, depth: -from, k: -k, text: after },
  ])
  pieces.sort((a, b) => a.at - b.at || a.closes - b.closes || a.depth - b.depth || a.k - b.k)
  let [result, at] = ['', 0]
  for (const piece of pieces) {
    result += text.slice(at, piece.at) + piece.text
    at = piece.at
  }
  return result + text.slice(at)
}
