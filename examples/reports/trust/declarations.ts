/** What a package offers, read from its type declarations, and what is junk for a declared type. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = fileURLToPath(new URL('../../../packages/', import.meta.url))

/** A public function, method, constructor or setter. */
export interface Call {
  readonly module: string
  /** Class, or '' for a function. */
  readonly owner: string
  readonly name: string
  readonly kind: 'function' | 'method' | 'static' | 'constructor' | 'setter' | 'constraint'
  readonly parameters: readonly Parameter[]
}

export interface Parameter {
  readonly name: string
  readonly type: ts.Type
  readonly isOptional: boolean
}

/** Something that does not fit where it is handed in. */
export interface Junk {
  readonly value: unknown
  /** What the message must name one of. */
  readonly names: readonly string[]
  /** How the message must quote the value. */
  readonly shown: RegExp
}

/** Values of every kind, made anew each time as a call may write to them, and how messages quote them. */
const VALUES: readonly (readonly [kind: string, value: () => unknown, shown: RegExp])[] = [
  ['null', () => null, /got null/],
  ['number', () => 5, /got 5\b/],
  ['nan', () => NaN, /got NaN/],
  ['string', () => 'x', /got ["']?x\b/],
  ['boolean', () => true, /got true/],
  ['array', () => [], /got (an array|0 (entries|numbers)|none|undefined)/],
  ['object', () => ({}), /got (an object|undefined|none)/],
]
const MISSING = /got (undefined|null|none|nothing|it alone|neither)/
/** Data of these types is made by the library, or carries what its users add: only its kind is asked. */
const OPAQUE =
  /^(Snapshot|Stage|BlockSolver|ConstraintType|ComparisonScene|Contender|Rows|Column|Strides|GetUp|AssemblyKind|Skeleton|(Cloth|SoftBody|Ragdoll)Asset|Gltf(File|Document|Animated|Rig|IO)|UrdfRobotLike)\b/
/** Vectors of gl-matrix: an array with no entry is none of them. */
const VECTOR = /^(Readonly)?(Vec3|Quat)$|^vec3$|^quat$/
/** Records that may hold more than what is read of them. */
const OPEN =
  /^(FullBodyBones|PoseData|BonePose|LocalPose|PoseClip|BoneTree|BvhSkeleton)$|^\{ readonly bones: readonly RagdollBone\[\]; \}$/
/** How deep fields of fields are asked. */
const DEEPEST = 3

/** Source of the entry of a package, or of a part of one, by its package.json: `ik/ragdoll`. */
function entryOf(module: string): string {
  const [name, ...part] = module.split('/')
  const { exports } = JSON.parse(readFileSync(`${ROOT}${name}/package.json`, 'utf8')) as {
    exports: Record<string, { '@tautline/source': string }>
  }
  return `${ROOT}${name}/${exports[['.', ...part].join('/')]['@tautline/source'].slice(2)}`
}

export class Declarations {
  private readonly checker: ts.TypeChecker
  private readonly program: ts.Program

  constructor(modules: readonly string[]) {
    this.program = ts.createProgram(modules.map(entryOf), {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      customConditions: ['@tautline/source'],
      exactOptionalPropertyTypes: true,
      strict: true,
      skipLibCheck: true,
      types: [],
    })
    this.checker = this.program.getTypeChecker()
  }

  /** All that the entry of a package exports and that takes something. */
  calls(module: string): Call[] {
    const source = this.program.getSourceFile(entryOf(module)) as ts.SourceFile
    const calls: Call[] = []
    for (const found of this.checker.getExportsOfModule(this.checker.getSymbolAtLocation(source) as ts.Symbol)) {
      const { flags } = found
      const symbol = (flags & ts.SymbolFlags.Alias) !== 0 ? this.checker.getAliasedSymbol(found) : found
      const type = this.checker.getTypeOfSymbol(symbol)
      const add = (kind: Call['kind'], owner: string, name: string, of: ts.Signature | undefined): void => {
        const parameters = of?.parameters.map((p) => this.parameter(p)) ?? []
        if (parameters.length > 0) calls.push({ module, owner, name, kind, parameters })
      }
      if ((symbol.flags & ts.SymbolFlags.Class) !== 0) {
        add('constructor', found.name, 'constructor', constructorOf(symbol, type))
        for (const member of type.getProperties()) add('static', found.name, member.name, this.signature(member))
        for (const member of this.checker.getDeclaredTypeOfSymbol(symbol).getProperties()) {
          if (isHidden(member)) continue
          add('method', found.name, member.name, this.signature(member))
          if ((member.flags & ts.SymbolFlags.SetAccessor) === 0) continue
          const value = { name: member.name, type: this.checker.getTypeOfSymbol(member), isOptional: false }
          calls.push({ module, owner: found.name, name: member.name, kind: 'setter', parameters: [value] })
        }
      } else if (type.symbol?.name === 'ConstraintType') {
        const [definition] = this.checker.getTypeArguments(type as ts.TypeReference)
        const parameters = [{ name: 'def', type: definition, isOptional: false }]
        calls.push({ module, owner: '', name: found.name, kind: 'constraint', parameters })
      } else if ((symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable)) !== 0) {
        add('function', '', found.name, type.getCallSignatures()[0])
      }
    }
    return calls
  }

  /** A value that fits: what `known` has for the name of the type, or what the type asks for at the least. */
  sample(type: ts.Type, known: (typeName: string) => unknown): unknown {
    const found = this.names(type)
      .map(known)
      .find((value) => value !== undefined)
    if (found !== undefined) return found
    const members = type.isUnion() ? type.types : [type]
    const literal = members.find((member) => member.isStringLiteral() || member.isNumberLiteral())
    if (literal !== undefined) return (literal as ts.LiteralType).value
    const member = members.find((t) => (t.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) === 0) ?? type
    if (members.length > 1 && (type.flags & ts.TypeFlags.Boolean) === 0) return this.sample(member, known)
    if ((member.flags & ts.TypeFlags.NumberLike) !== 0) return 1
    if ((member.flags & ts.TypeFlags.StringLike) !== 0) return 'name'
    if ((type.flags & ts.TypeFlags.BooleanLike) !== 0) return false
    if (member.getCallSignatures().length > 0) return () => undefined
    if (isTuple(member))
      return this.checker.getTypeArguments(member as ts.TypeReference).map((t) => this.sample(t, known))
    if (this.isArray(member)) {
      const element = member.getNumberIndexType()
      return element === undefined ? [] : [this.sample(element, known)]
    }
    const fields: Record<string, unknown> = {}
    for (const field of member.getProperties()) {
      if (isOptional(field)) continue
      fields[field.name] = this.fieldSample(member, field, known)
    }
    return fields
  }

  /** What does not fit a type, alone or within `base`, which does. */
  junk(type: ts.Type, base: unknown, names: readonly string[], known: (name: string) => unknown, depth = 0): Junk[] {
    const kinds = this.kinds(type)
    if (kinds.has('any') || type.flags === ts.TypeFlags.Undefined) return []
    const all: Junk[] = VALUES.filter(([kind]) => !kinds.has(kind)).map(([, value, shown]) => ({
      value: value(),
      names,
      shown,
    }))
    const numbers = this.numbersOf(type)
    if (numbers && Array.isArray(base)) {
      const at = base.length - 1
      all.push({ value: base.map((x: unknown, k) => (k === at ? NaN : x)), names, shown: /got NaN/ })
      all.push({ value: base.map((x: unknown, k) => (k === at ? 'x' : x)), names, shown: /got ["']?x\b/ })
    }
    // What is written to may hold anything before.
    if (depth >= DEEPEST || this.names(type).some((name) => name === 'vec3' || name === 'quat')) return all
    const members = type.isUnion() ? type.types : [type]
    for (const member of members) {
      if ((member.flags & ts.TypeFlags.Object) === 0 && !member.isIntersection()) continue
      if (this.isArray(member)) {
        const element = member.getNumberIndexType()
        if (numbers || element === undefined || !Array.isArray(base) || base.length === 0) continue
        const inner = this.junk(element, base[0], names, known, depth + 1)
        all.push(...inner.map((junk) => ({ ...junk, value: [junk.value, ...(base as unknown[]).slice(1)] })))
      } else if (this.isPlain(member)) {
        // Of several kinds of data each is asked by itself.
        const own =
          isRecord(base) && members.every((m) => m === member || !this.isPlain(m)) ? base : this.sample(member, known)
        const others = members.filter((m) => m !== member && this.isPlain(m))
        if (isRecord(own)) all.push(...this.fieldJunk(member, own, known, depth, others))
      }
    }
    return all
  }

  private fieldJunk(
    type: ts.Type,
    base: object,
    known: (name: string) => unknown,
    depth: number,
    others: readonly ts.Type[],
  ): Junk[] {
    const all: Junk[] = []
    if (!this.owners(type).some((name) => OPEN.test(name))) {
      const value = { ...base, unknownField: 1 }
      all.push({ value, names: ['unknownField'], shown: /got .*unknownField|unknownField.*got/ })
    }
    for (const field of type.getProperties()) {
      const { name } = field
      const fieldType = this.typeOf(field)
      const here = (base as Record<string, unknown>)[name]
      const sample = here ?? this.fieldSample(type, field, known)
      if (!isOptional(field)) {
        const { [name]: _left, ...rest } = base as Record<string, unknown>
        // What is left may be another of the kinds.
        const isOther = others.some((other) => other.getProperties().every((f) => isOptional(f) || f.name in rest))
        if (!isOther) all.push({ value: rest, names: [name], shown: MISSING })
      }
      for (const junk of this.junk(fieldType, sample, [name], known, depth + 1)) {
        all.push({ ...junk, value: { ...base, [name]: junk.value } })
      }
    }
    return all
  }

  private fieldSample(type: ts.Type, field: ts.Symbol, known: (name: string) => unknown): unknown {
    const found = this.owners(type)
      .map((name) => known(`${name}.${field.name}`))
      .find((value) => value !== undefined)
    return found ?? this.sample(this.typeOf(field), known)
  }

  /** The kinds of values that a type takes. */
  private kinds(type: ts.Type): Set<string> {
    const kinds = new Set<string>()
    const { flags } = type
    if (this.names(type).some((name) => VECTOR.test(name))) return kinds
    if (type.isUnion()) for (const member of type.types) for (const kind of this.kinds(member)) kinds.add(kind)
    else if ((flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.TypeParameter)) !== 0) {
      const constraint = this.checker.getBaseConstraintOfType(type)
      if (constraint === undefined || constraint === type || !this.isClass(constraint)) kinds.add('any')
    } else if ((flags & ts.TypeFlags.Null) !== 0) kinds.add('null')
    else if ((flags & ts.TypeFlags.Undefined) !== 0) kinds.add('undefined')
    else if ((flags & ts.TypeFlags.Number) !== 0 || (type.isNumberLiteral() && type.value === 5)) kinds.add('number')
    else if ((flags & ts.TypeFlags.String) !== 0 || (type.isStringLiteral() && type.value === 'x')) kinds.add('string')
    else if ((flags & ts.TypeFlags.BooleanLike) !== 0) kinds.add('boolean')
    else if ((flags & ts.TypeFlags.NonPrimitive) !== 0) kinds.add('object')
    else if (isText(type)) kinds.add('string')
    else if (type.getCallSignatures().length > 0) kinds.add('function')
    else if (this.isArray(type)) {
      if (!isTuple(type)) kinds.add('array')
    } else if ((flags & ts.TypeFlags.Object) !== 0 || type.isIntersection()) {
      // Fields that are missing are asked one by one.
      if (!this.isClass(type)) kinds.add('object')
    }
    return kinds
  }

  /** Whether its entries are numbers to be read; what is written to may hold anything before. */
  private numbersOf(type: ts.Type): boolean {
    const members = type.isUnion() ? type.types : [type]
    return (
      members.some((member) => {
        const element = this.isArray(member) ? member.getNumberIndexType() : undefined
        return element !== undefined && (element.flags & ts.TypeFlags.Number) !== 0
      }) && !this.names(type).some((name) => name === 'vec3' || name === 'quat')
    )
  }

  private isArray(type: ts.Type): boolean {
    return (type.flags & ts.TypeFlags.Object) !== 0 && type.getNumberIndexType() !== undefined && !this.isClass(type)
  }

  private isClass(type: ts.Type): boolean {
    return type.symbol !== undefined && (type.symbol.flags & ts.SymbolFlags.Class) !== 0
  }

  /** Whether it is data that a user writes out, so that a field too many is a slip. */
  private isPlain(type: ts.Type): boolean {
    if ((type.flags & ts.TypeFlags.Object) === 0 && !type.isIntersection()) return false
    if (isText(type) || this.isClass(type) || this.isArray(type) || type.getCallSignatures().length > 0) return false
    return type.getStringIndexType() === undefined && !this.names(type).some((name) => OPAQUE.test(name))
  }

  private names(type: ts.Type): string[] {
    const whole = this.checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)
    // A class and an interface of another package may have one name.
    const own = this.isClass(type) ? `class ${type.symbol.name}` : undefined
    return [own, type.aliasSymbol?.name, type.symbol?.name, whole].filter((name) => name !== undefined)
  }

  /** The same of what declares fields of it: also of the parts of an intersection. */
  private owners(type: ts.Type): string[] {
    return type.isIntersection() ? type.types.flatMap((part) => this.names(part)) : this.names(type)
  }

  private signature(symbol: ts.Symbol): ts.Signature | undefined {
    return symbol.name === 'prototype' ? undefined : this.checker.getTypeOfSymbol(symbol).getCallSignatures()[0]
  }

  private parameter(symbol: ts.Symbol): Parameter {
    const { questionToken, initializer } = symbol.valueDeclaration as ts.ParameterDeclaration
    const name = symbol.name.replace(/^_+\d*/, '')
    return { name, type: this.typeOf(symbol), isOptional: questionToken !== undefined || initializer !== undefined }
  }

  /** The type as it was written, which keeps its name, unless it depends on a parameter of the type. */
  private typeOf(symbol: ts.Symbol): ts.Type {
    const node = (symbol.valueDeclaration as ts.PropertySignature | undefined)?.type
    const inferred = this.checker.getTypeOfSymbol(symbol)
    const written = node && this.checker.getTypeFromTypeNode(node)
    const isGeneric =
      written === undefined || this.checker.typeToString(written) !== this.checker.typeToString(inferred)
    if (!isGeneric) return written
    const bare = isOptional(symbol) || isDefaulted(symbol) ? withoutUndefined(this.checker, inferred) : inferred
    return written !== undefined && this.checker.typeToString(written) === this.checker.typeToString(bare)
      ? written
      : bare
  }
}

/** Whether it is any text, beside some that are named: `string & {}`. */
function isText(type: ts.Type): boolean {
  return type.isIntersection() && type.types.some((part) => (part.flags & ts.TypeFlags.StringLike) !== 0)
}

function isDefaulted(symbol: ts.Symbol): boolean {
  const declaration = symbol.valueDeclaration
  return (
    declaration !== undefined &&
    ts.isParameter(declaration) &&
    (declaration.questionToken ?? declaration.initializer) !== undefined
  )
}

function withoutUndefined(checker: ts.TypeChecker, type: ts.Type): ts.Type {
  if (!type.isUnion() || type.types.some((t) => (t.flags & ts.TypeFlags.Null) !== 0)) return type
  return checker.getNonNullableType(type)
}

function constructorOf(symbol: ts.Symbol, type: ts.Type): ts.Signature | undefined {
  const signature = type.getConstructSignatures()[0]
  if (symbol.declarations?.some((d) => has(d, ts.ModifierFlags.Abstract)) === true || signature === undefined)
    return undefined
  const { declaration } = signature
  return declaration !== undefined && has(declaration, ts.ModifierFlags.Private) ? undefined : signature
}

function has(declaration: ts.Declaration | ts.JSDocSignature, flag: ts.ModifierFlags): boolean {
  return !ts.isJSDocSignature(declaration) && (ts.getCombinedModifierFlags(declaration) & flag) !== 0
}

function isHidden(member: ts.Symbol): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected
  return member.declarations?.some((d) => (ts.getCombinedModifierFlags(d) & hidden) !== 0) === true
}

function isOptional(symbol: ts.Symbol): boolean {
  return (symbol.flags & ts.SymbolFlags.Optional) !== 0
}

function isTuple(type: ts.Type): boolean {
  const { target } = type as ts.TypeReference
  return target !== undefined && (target.objectFlags & ts.ObjectFlags.Tuple) !== 0
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
