/** What the playground and the frame that runs its texts tell each other. */

/** To the frame: a text to run, as JavaScript, in a theme. */
export interface RunMessage {
  readonly kind: 'run'
  readonly code: string
}

/** To the frame. */
export type ToFrame =
  | RunMessage
  | { readonly kind: 'pause'; readonly isPaused: boolean }
  | { readonly kind: 'theme'; readonly theme: string }
  /** Asks for an answer. */
  | { readonly kind: 'ping' }

/** From the frame: it is there; or what it is at. */
export type FromFrame =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'state'
      readonly step: number
      readonly bodies: number
      readonly error: string | null
      /** From 1, in the JavaScript, which has the lines of the text. */
      readonly line: number | null
    }
  /** An answer to a ping. */
  | { readonly kind: 'pong' }
  /** What the text prints. */
  | { readonly kind: 'print'; readonly text: string }
