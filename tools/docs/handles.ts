// Reads the classes that the packages export, and what their functions give back, from their declarations: what can be read of a handle and
// called on it, and what a report says.
import { resolve } from 'node:path'
import ts from 'typescript'
import { entriesOf, packageFolders, packageProgram, plain } from './declarations.js'
import { firstSentence, splitUnit } from './table.js'

/** A method, an accessor or a property that is public. */
interface Member {
  readonly name: string
  /** As it is written: parameters and what comes back, or the type. */
  readonly signature: string
  readonly isMethod: boolean
  readonly isReadonly: boolean
  readonly doc: string
}

/** A class, or an interface of what comes back, that an entry exports, with what it has of bases that none exports. */
export interface Handle {
  readonly name: string
  /** The package that declares it, without its scope: `core`. */
  readonly package: string
  readonly doc: string
  readonly members: readonly Member[]
  /** Its base, where that is exported too. */
  readonly base: string | null
}

/** Names of interfaces that functions give back. */
const GIVEN_BACK = /(Report|Readout|Quality|Hit|Event|ParticleContact|Energy|EnergyLedger|Momentum|Residual|Summary)$/

type Declaration = ts.ClassDeclaration | ts.InterfaceDeclaration

/** All classes that are exported and all that comes back, by package and name. */
export function readHandles(): Handle[] {
  const folders = [...packageFolders()]
  const program = packageProgram(folders.flatMap(([, folder]) => entriesOf(folder)))
  const checker = program.getTypeChecker()
  const found = new Map<ts.Symbol, string>()
  for (const [home, folder] of folders) {
    for (const entry of entriesOf(folder)) {
      const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!
      for (const symbol of checker.getExportsOfModule(module)) {
        const origin = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
        const file = classOf(origin)?.getSourceFile().fileName
        if (file?.startsWith(resolve(folder).replaceAll('\\', '/')) === true) found.set(origin, home)
      }
    }
  }
  const handles = [...found].map(([symbol, home]) => handleOf(checker, symbol, home, found))
  const order = new Intl.Collator('en')
  return handles
    .filter(({ members, base }) => members.length > 0 || base !== null)
    .sort((p, q) => order.compare(p.package, q.package) || order.compare(p.name, q.name))
}

function classOf(symbol: ts.Symbol): Declaration | undefined {
  const found = symbol.declarations?.find(ts.isClassDeclaration)
  return found ?? (GIVEN_BACK.test(symbol.name) ? symbol.declarations?.find(ts.isInterfaceDeclaration) : undefined)
}

function handleOf(
  checker: ts.TypeChecker,
  symbol: ts.Symbol,
  home: string,
  exported: ReadonlyMap<ts.Symbol, string>,
): Handle {
  const members = new Map<string, Member>()
  let base: string | null = null
  for (let of: ts.Symbol | undefined = symbol; of !== undefined && base === null;) {
    for (const member of membersOf(checker, classOf(of)!))
      if (!members.has(member.name)) members.set(member.name, member)
    const next: ts.Symbol | undefined = baseOf(checker, classOf(of)!)
    if (next !== undefined && exported.has(next)) base = next.name
    of = next
  }
  return { name: symbol.name, package: home, doc: docOf(checker, symbol), members: [...members.values()], base }
}

function baseOf(checker: ts.TypeChecker, node: Declaration): ts.Symbol | undefined {
  const clause = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
  const base = clause === undefined ? undefined : checker.getTypeAtLocation(clause.types[0]).getSymbol()
  return base !== undefined && classOf(base) !== undefined ? base : undefined
}

/** Of no use to who holds a handle; what overrides is told of where it comes from. */
const HIDDEN =
  ts.ModifierFlags.Private | ts.ModifierFlags.Protected | ts.ModifierFlags.Static | ts.ModifierFlags.Override

function membersOf(checker: ts.TypeChecker, node: Declaration): Member[] {
  const members: readonly (ts.ClassElement | ts.TypeElement)[] = [...node.members]
  const setters = new Set(members.filter(ts.isSetAccessorDeclaration).map(({ name }) => name.getText()))
  return members.flatMap((member) => {
    const isMethod = ts.isMethodDeclaration(member) || ts.isMethodSignature(member)
    const isValue = ts.isPropertyDeclaration(member) || ts.isPropertySignature(member)
    if (!isMethod && !isValue && !ts.isGetAccessorDeclaration(member)) return []
    const flags = ts.getCombinedModifierFlags(member)
    if ((flags & HIDDEN) !== 0) return []
    const symbol = checker.getSymbolAtLocation(member.name)
    const doc = symbol === undefined ? '' : docOf(checker, symbol)
    // What says nothing is for the package's own parts.
    if (doc === '' || !ts.isIdentifier(member.name)) return []
    const name = member.name.getText()
    const type = member.type === undefined ? '' : `: ${written(member.type)}`
    const parameters = isMethod ? member.parameters.map((parameter) => parameterOf(parameter)).join(', ') : ''
    const isReadonly = ts.isGetAccessorDeclaration(member)
      ? !setters.has(name)
      : ts.isPropertySignature(member) || (flags & ts.ModifierFlags.Readonly) !== 0
    return [
      { name, signature: isMethod ? `${name}(${parameters})${type}` : `${name}${type}`, isMethod, isReadonly, doc },
    ]
  })
}

function parameterOf({ name, type, questionToken, initializer, dotDotDotToken }: ts.ParameterDeclaration): string {
  const isOptional = questionToken !== undefined || initializer !== undefined
  return `${dotDotDotToken === undefined ? '' : '...'}${name.getText()}${isOptional ? '?' : ''}${type === undefined ? '' : `: ${written(type)}`}`
}

function written(type: ts.TypeNode): string {
  return type.getText().replace(/\s+/g, ' ').replace(/^\| /, '')
}

function docOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  return plain(ts.displayPartsToString(symbol.getDocumentationComment(checker)))
}

const INTRODUCTION =
  'Made from the declarations by `npm run docs:tables`: change the comments there, not this page. What is marked “read” cannot be set. Units are SI.'

/** The page of a package's handles. */
export function handlesPage(home: string, handles: readonly Handle[]): string {
  const parts = [`# Handles of @tautline/${home}, and what it gives back`, INTRODUCTION]
  for (const { name, doc, members, base } of handles.filter((handle) => handle.package === home)) {
    parts.push(`## ${name}`, `${firstSentence(doc)}.`)
    if (members.length > 0)
      parts.push(['| member | | unit | |', '| --- | --- | --- | --- |', ...members.map(row)].join('\n'))
    if (base !== null) parts.push(`Also what \`${base}\` has.`)
  }
  return `${parts.filter((part) => part !== '.').join('\n\n')}\n`
}

function row({ signature, isMethod, isReadonly, doc }: Member): string {
  const { unit, text } = splitUnit(doc)
  const how = isMethod ? '' : isReadonly ? 'read' : 'read, set'
  return `| \`${signature.replaceAll('|', '\\|')}\` | ${how} | ${unit} | ${firstSentence(text).replaceAll('|', '\\|')} |`
}
