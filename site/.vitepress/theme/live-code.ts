/** Recipes that run: a button below each program, and the scene in the gallery's frame when it is pressed. */

import { withBase } from 'vitepress'

/** Pages whose programs are scenes. */
const PAGES = /\/recipes(\.html)?$/
const SCENE = '/gallery/index.html#/embed'

/** Puts a button below every program of the page, if it is one of recipes. */
export function offerScenes(): void {
  if (!PAGES.test(location.pathname)) return
  for (const block of document.querySelectorAll<HTMLElement>('.vp-doc div.language-ts')) {
    if (block.nextElementSibling?.classList.contains('live-code') === true) continue
    const box = document.createElement('div')
    box.className = 'live-code'
    const button = document.createElement('button')
    button.type = 'button'
    const title = titleOf(block)
    name(button, 'Run', title)
    button.addEventListener('click', () => run(box, button, title, block.querySelector('code')?.innerText ?? ''))
    box.append(button)
    block.after(box)
  }
}

/** The heading that a block stands under. */
function titleOf(block: Element): string {
  let at: Element | null = block
  while (at !== null && at.tagName !== 'H2') at = at.previousElementSibling
  // The sign that links to it is no part of it.
  return at?.firstChild?.textContent?.trim() ?? ''
}

/** What a button says, and for screen readers of which recipe. */
function name(button: HTMLButtonElement, word: string, title: string): void {
  button.textContent = word
  button.setAttribute('aria-label', `${word}: ${title}`)
}

/** Shows the scene of a text, in place of the one before: one renderer at a time. */
function run(box: HTMLElement, button: HTMLButtonElement, title: string, text: string): void {
  for (const other of document.querySelectorAll('.live-code iframe')) other.remove()
  const frame = document.createElement('iframe')
  frame.title = `Scene: ${title}`
  frame.src = withBase(SCENE)
  const listen = ({ data, origin, source }: MessageEvent<{ kind?: string }>): void => {
    if (origin !== location.origin || source !== frame.contentWindow || data.kind !== 'embed-ready') return
    removeEventListener('message', listen)
    frame.contentWindow?.postMessage({ kind: 'embed', text }, location.origin)
  }
  addEventListener('message', listen)
  name(button, 'Again', title)
  box.append(frame)
  frame.scrollIntoView({ block: 'nearest' })
}
