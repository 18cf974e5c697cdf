/** Light, dark, or as the system has it. */

import { h } from './dom.js'

const KEY = 'tautline-theme'
const listeners = new Set<() => void>()

/** Calls back when the colours have changed. Returns how to stop. */
export function onTheme(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  listeners.add(listener)
  system.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', listener)
  }
}

function tell(): void {
  for (const listener of listeners) listener()
}

/** Whether the page is dark. */
export function isDark(): boolean {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark'
}

/** A button that changes between the two. */
export function themeButton(): HTMLButtonElement {
  const button = h('button', { class: 'quiet', type: 'button', title: 'Light or dark', 'aria-label': 'Light or dark' })
  const label = (): void => {
    button.textContent = isDark() ? '☀' : '☾'
  }
  button.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark'
    document.documentElement.dataset.theme = theme
    try {
      localStorage.setItem(KEY, theme)
    } catch {
      // Without storage it lasts as long as the page.
    }
    label()
    tell()
  })
  label()
  return button
}
