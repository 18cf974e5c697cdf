/** Stands for definitions of constraints that are made when they are asked for: apart from `SharedDefinitions`, which only `addConstraints` needs. */
export abstract class DefinitionSource {
  /** One field of the definition of a slot, other than its bodies. */
  abstract field(slot: number, name: string): unknown

  /** The definition of a slot that joins the rows `bodies`. */
  abstract make(slot: number, bodies: ArrayLike<number>): object
}
