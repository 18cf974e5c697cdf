/** What the playground asks the worker that knows the library's types, and what it answers. */

export interface Question {
  readonly id: number
  readonly kind: 'check' | 'complete'
  readonly text: string
  /** Place in the text. */
  readonly at: number
}

/** Something wrong: a stretch of the text. */
export interface Found {
  readonly from: number
  readonly to: number
  readonly message: string
}

/** Something that may stand at a place. */
export interface Offer {
  readonly label: string
  readonly type: string
}

export interface Answer {
  readonly id: number
  readonly found?: readonly Found[]
  readonly offers?: readonly Offer[]
}
