/** A log of Vite that is shown only when a build fails. */

import type { Logger } from 'vite'

/** Keeps what a bundler says; `show` prints it. */
export interface HeldLog extends Logger {
  show(): void
}

export function heldLog(): HeldLog {
  const held: string[] = []
  const keep = (text: string): void => void held.push(text)
  return {
    hasWarned: false,
    info: () => undefined,
    warn: keep,
    warnOnce: (text) => void (held.includes(text) || held.push(text)),
    error: keep,
    clearScreen: () => undefined,
    hasErrorLogged: () => false,
    show: () => console.error(held.join('\n')),
  }
}
