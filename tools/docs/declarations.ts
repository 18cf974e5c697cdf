// Reads the interfaces of options and definitions that the packages export, from their declarations.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

/** Where a field of a table comes from: the text of the declaration and of its TSDoc. */
export interface Field {
  readonly name: string
  readonly type: string
  /** Names of parameters, where it is a function. */
  readonly parameters: readonly string[] | null
  readonly isRequired: boolean
  /** Text of `@defaultValue`; '' where there is none. */
  readonly defaultValue: string
  /** The TSDoc without its tags. */
  readonly doc: string
}

/** An interface that becomes a table. */
export interface Declared {
  readonly name: string
  /** The package that declares it, without its scope: `core`. */
  readonly package: string
  /** The TSDoc of the interface. */
  readonly doc: string
  /** Its own fields, and those of bases that get no table. */
  readonly fields: readonly Field[]
  /** Interfaces with a table whose fields it has besides: `ColliderDef`, and what it leaves out of them. */
  readonly bases: readonly Base[]
  /** Whether an entry of the package exports it; others are there as bases or as types of fields. */
  readonly isExported: boolean
}

export interface Base {
  readonly name: string
  readonly package: string
  readonly omitted: readonly string[]
  /** `Pick<…>`: these fields alone. */
  readonly picked: readonly string[]
}

/** Names of interfaces that users fill in. What a function returns (`…Report`, `…Hit`) has no table. */
export const FILLED_IN = /(Def|Options|Filter|Limits|Params|Bones|Tolerances|Categories)$/

/** Entries of a package's `exports`, as source files. */
export function entriesOf(directory: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>
  }
  return Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : [resolve(directory, entry['@tautline/source'])],
  )
}

/** Every package's folder, by its name without the scope. */
export function packageFolders(): Map<string, string> {
  return new Map(readdirSync('packages').map((name) => [name, join('packages', name)]))
}

/** All interfaces that get a table, by package and name. */
export function readDeclarations(): Declared[] {
  const entries = [...packageFolders().values()].flatMap(entriesOf)
  const program = packageProgram(entries)
  return new Reader(program.getTypeChecker()).read(entries.map((entry) => program.getSourceFile(entry)!))
}

/** A program of the packages' own sources alone: types of others are taken by name, and reading them takes most of the time. */
export function packageProgram(entries: readonly string[]): ts.Program {
  const { config } = ts.readConfigFile('examples/tsconfig.json', (path) => ts.sys.readFile(path)) as { config: unknown }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('examples'))
  return createProgram(entries, { ...options, incremental: false, noEmit: true, noLib: true, types: [] })
}

function createProgram(entries: readonly string[], options: ts.CompilerOptions): ts.Program {
  const host = ts.createCompilerHost(options)
  host.resolveModuleNameLiterals = (literals, file, _redirected, settings) =>
    literals.map(({ text }) =>
      /^[.]|^@tautline[/]/.test(text)
        ? ts.resolveModuleName(text, file, settings, host)
        : { resolvedModule: undefined },
    )
  return ts.createProgram(entries, options, host)
}

class Reader {
  private readonly found = new Map<ts.Symbol, Declared>()

  private readonly checker: ts.TypeChecker

  constructor(checker: ts.TypeChecker) {
    this.checker = checker
  }

  read(entries: readonly ts.SourceFile[]): Declared[] {
    const isOrigin = (symbol: ts.Symbol): boolean => (symbol.flags & ts.SymbolFlags.Alias) === 0
    for (const entry of entries) {
      for (const symbol of this.checker.getExportsOfModule(this.checker.getSymbolAtLocation(entry)!)) {
        this.visit(isOrigin(symbol) ? symbol : this.checker.getAliasedSymbol(symbol), true)
      }
    }
    const order = new Intl.Collator('en')
    return [...this.found.values()].sort((p, q) => order.compare(p.package, q.package) || order.compare(p.name, q.name))
  }

  /** Takes an interface in, with its bases and what its fields name. */
  private visit(symbol: ts.Symbol, isExported: boolean): boolean {
    const declaration = symbol.declarations?.find(ts.isInterfaceDeclaration)
    if (declaration === undefined || !FILLED_IN.test(symbol.name)) return false
    const folder = /packages\/([^/]+)\/src/.exec(declaration.getSourceFile().fileName.replaceAll('\\', '/'))
    if (folder === null) return false
    const known = this.found.get(symbol)
    if (known !== undefined) {
      if (isExported && !known.isExported) this.found.set(symbol, { ...known, isExported })
      return true
    }
    const shape = { fields: this.ownFields(declaration, false), bases: [] as Base[] }
    const doc = this.docOf(symbol)
    this.found.set(symbol, { name: symbol.name, package: folder[1], doc, isExported, ...shape })
    for (const clause of declaration.heritageClauses ?? []) {
      for (const base of clause.types) this.takeBase(base, shape)
    }
    for (const member of declaration.members) if (ts.isPropertySignature(member)) this.visitNamed(member)
    return true
  }

  /** A base with a table is named; the fields of another are taken over. */
  private takeBase(node: ts.ExpressionWithTypeArguments, shape: { fields: Field[]; bases: Base[] }): void {
    const [target, keys] = node.typeArguments ?? []
    const how = node.expression.getText()
    const isUtility = ['Omit', 'Pick', 'Partial', 'Required'].includes(how)
    const symbol = this.checker.getTypeAtLocation(isUtility ? target : node).getSymbol()
    if (symbol === undefined) return
    const names = keys === undefined ? [] : [...keys.getText().matchAll(/'(\w+)'/g)].map(([, name]) => name)
    if (this.visit(symbol, false)) {
      const { name, package: home } = this.found.get(symbol)!
      const [omitted, picked] = [how === 'Omit' ? names : [], how === 'Pick' ? names : []]
      shape.bases.push({ name, package: home, omitted, picked })
      return
    }
    const declaration = symbol.declarations?.find(ts.isInterfaceDeclaration)
    if (declaration === undefined) return
    const fields = this.ownFields(declaration, how === 'Partial')
    shape.fields.push(...fields.filter(({ name }) => !shape.fields.some((own) => own.name === name)))
  }

  private ownFields(declaration: ts.InterfaceDeclaration, isPartial: boolean): Field[] {
    return declaration.members.flatMap((member) => {
      if (!ts.isPropertySignature(member) && !ts.isMethodSignature(member)) return []
      const symbol = this.checker.getSymbolAtLocation(member.name)!
      const tag = symbol.getJsDocTags(this.checker).find(({ name }) => name === 'defaultValue')
      return {
        name: member.name.getText(),
        type: this.typeOf(member),
        parameters: parametersOf(member),
        isRequired: member.questionToken === undefined && !isPartial,
        defaultValue: plain(ts.displayPartsToString(tag?.text)),
        doc: this.docOf(symbol),
      }
    })
  }

  private docOf(symbol: ts.Symbol): string {
    return plain(ts.displayPartsToString(symbol.getDocumentationComment(this.checker)))
  }

  /** The type as it is written; a union of texts by another name is spelled out. */
  private typeOf(member: ts.PropertySignature | ts.MethodSignature): string {
    if (parametersOf(member) !== null) return 'function'
    const node = member.type!
    return (this.wordsOf(node) ?? node)
      .getText()
      .replace(/\/\*\*.*?\*\//gs, '')
      .replace(/NonNullable<OrientationDriveDef\['target'\]>|Readonly(Vec3|Quat)/g, (text, name?: string) =>
        name === undefined ? 'quat' : name.toLowerCase(),
      )
      .replace(/\s+/g, ' ')
      .replace(/^\| /, '')
  }

  /** What a name stands for that is a union of texts. In the order of the declaration: that of the checker is not fixed. */
  private wordsOf(node: ts.TypeNode): ts.TypeNode | null {
    if (!ts.isTypeReferenceNode(node)) return null
    const name = this.checker.getSymbolAtLocation(node.typeName)
    if (name === undefined) return null
    const symbol = (name.flags & ts.SymbolFlags.Alias) === 0 ? name : this.checker.getAliasedSymbol(name)
    const alias = symbol.declarations?.find(ts.isTypeAliasDeclaration)?.type
    const isWords = alias !== undefined && ts.isUnionTypeNode(alias) && alias.types.every(ts.isLiteralTypeNode)
    return isWords ? alias : null
  }

  /** A field may name an interface that no entry exports, as `PairDef` is of some packages. */
  private visitNamed(member: ts.PropertySignature): void {
    const type = this.checker.getNonNullableType(this.checker.getTypeAtLocation(member))
    for (const part of type.isUnion() ? type.types : [type]) {
      const symbol = part.getSymbol()
      if (symbol !== undefined) this.visit(symbol, false)
    }
  }
}

function parametersOf(member: ts.PropertySignature | ts.MethodSignature): string[] | null {
  const node = ts.isMethodSignature(member) ? member : member.type
  if (node === undefined || !(ts.isMethodSignature(node) || ts.isFunctionTypeNode(node))) return null
  return node.parameters.map(({ name }) => name.getText())
}

/** Text of a comment on one line, `{@link name}` as code. */
export function plain(text: string): string {
  return text
    .replace(/\{@link\s+([^}\s]+)\s*\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim()
}
