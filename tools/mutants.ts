/** Where a source can be changed so that a test should notice: small changes of its syntax, one at a time. */

import ts from 'typescript'

/** A change of one place of a file. */
export interface Mutant {
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** Number of the function that it is in, as {@link functionsOf} counts; −1 outside of all. */
  readonly within: number
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

/** Bodies of functions, in the order of the text: where a trace is put in. */
export function functionsOf(source: ts.SourceFile): ts.Block[] {
  const found: ts.Block[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && ts.isBlock(node.body as ts.Node)) {
      found.push(node.body as ts.Block)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The syntax of a file. */
export function parse(file: string, text: string): ts.SourceFile {
  return ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true)
}

/** All mutants of a file: swapped operators, turned conditions, other constants, statements that are left out. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const source = parse(file, text)
  const functions = functionsOf(source)
  const mutants: Mutant[] = []
  const add = (node: ts.Node, replacement: string): void => {
    const start = node.getStart(source)
    let within = -1
    functions.forEach((body, k) => {
      if (body.pos <= start && node.end <= body.end) within = k
    })
    const line = source.getLineAndCharacterOfPosition(start).line + 1
    mutants.push({ file, line, start, end: node.end, replacement, within })
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

function mutate(node: ts.Node, add: (node: ts.Node, replacement: string) => void): void {
  if (ts.isBinaryExpression(node)) {
    const swapped = SWAPPED.get(node.operatorToken.kind)
    if (swapped !== undefined) add(node.operatorToken, swapped)
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
    if (other !== undefined) add(node.name, other)
  }
}
