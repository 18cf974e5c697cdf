/** Row 5: public names are the field's, and each says what it is. */

import ts from 'typescript'
import { entriesOf, packageFolders } from '../../../tools/docs/declarations.js'
import type { ReportRow } from '../report.js'

/** Words of our own that the field has others for, as they would stand in a name that is exported. */
const OURS =
  /^(blow|solveBlows|isHit|wasHit|patch|readPatch|arms|grip|rub|rubs|pull|ease|give|gives|law|byMass|withReaction|left|LEFT|moments|mixFriction|mixRestitution|mixingRule|larger|smaller|visit|visits|swift|isSwift|keepLoad|isTurnedRound|expand|climb|room|makeRoom|wish|wishes|settle|parts|longRange|contact|turn|turnBy|turned|TURNS)$|^(Turn|Blows?|Patch(es)?|Arms|Grip|Law|Settling|Room|Wish|Wishes|Parts|LongRangeDef|ContactDef|MixRule|MixingRule)$/

/** Parameters that are measures: what is said of their function must have a unit. */
const MEASURES =
  /^(h|dt|time|mass|density|radius|angle|distance|speed|velocity|force|torque|stiffness|damping|compliance|frequency|gravity)$/
const UNIT = /\[[^\]]+\]/

interface Export {
  readonly name: string
  readonly entry: string
  readonly doc: string
  /** The same with what it says of its parameters. */
  readonly units: string
  readonly isDeprecated: boolean
  /** Whether it is a function of a measure. */
  readonly takesMeasure: boolean
}

/** All names that packages export, of every entry. */
function publicNames(): Export[] {
  const entries = [...packageFolders()].flatMap(([name, folder]) =>
    entriesOf(folder).map((file) => [name, file] as const),
  )
  const program = ts.createProgram(
    entries.map(([, file]) => file),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      customConditions: ['@tautline/source'],
      types: [],
      noLib: true,
    },
  )
  const checker = program.getTypeChecker()
  return entries.flatMap(([entry, file]) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(file) as ts.SourceFile) as ts.Symbol
    return checker.getExportsOfModule(module).map((found): Export => {
      const symbol = (found.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(found) : found
      const docs = [symbol, found].flatMap((each) => each.getDocumentationComment(checker))
      const parameters = checker.getTypeOfSymbol(symbol).getCallSignatures()[0]?.parameters ?? []
      const isNumber = (p: ts.Symbol): boolean => checker.typeToString(checker.getTypeOfSymbol(p)) === 'number'
      return {
        name: found.name,
        entry,
        // A namespace says what it is where its file begins.
        doc: (symbol.flags & ts.SymbolFlags.Module) !== 0 ? headOf(symbol) : ts.displayPartsToString(docs),
        units: ts.displayPartsToString([...docs, ...symbol.getJsDocTags(checker).flatMap(({ text }) => text ?? [])]),
        isDeprecated: symbol.getJsDocTags().some((tag) => tag.name === 'deprecated'),
        takesMeasure: parameters.some((p) => MEASURES.test(p.name) && isNumber(p)),
      }
    })
  })
}

/** The comment that a file begins with. */
function headOf(module: ts.Symbol): string {
  return /^\/\*\*[^]*?\*\//.exec(module.declarations?.[0].getSourceFile().text ?? '')?.[0] ?? ''
}

/** Names that are not the field's, names without a word about them, and functions of measures that say no unit. */
export function nameFaults(): { ours: string[]; mute: string[]; unitless: string[]; count: number } {
  const names = publicNames()
  const shown = ({ entry, name }: Export): string => `${entry} ${name}`
  return {
    ours: names.filter(({ name, isDeprecated }) => OURS.test(name) && !isDeprecated).map(shown),
    mute: names.filter(({ doc, isDeprecated }) => doc === '' && !isDeprecated).map(shown),
    unitless: names.filter(({ units, takesMeasure }) => takesMeasure && !UNIT.test(units)).map(shown),
    count: names.length,
  }
}

export const names: readonly ReportRow[] = [
  {
    id: '5',
    claim: 'Public names are those of the field, and each says what it is',
    asked: 'none of the left column of the words table; TSDoc on every export, with units on functions of measures',
    scene: 'all that the entries of packages export, values and types',
    measure() {
      const { ours, mute, unitless, count } = nameFaults()
      return {
        figures:
          `${count} names; of our own: ${ours.join(', ') || 'none'}; ` +
          `without TSDoc: ${mute.length}${mute.length > 0 ? ` (${mute.slice(0, 12).join(', ')}…)` : ''}; ` +
          `without units: ${unitless.join(', ') || 'none'}`,
        holds: ours.length + mute.length + unitless.length === 0,
      }
    },
  },
]
