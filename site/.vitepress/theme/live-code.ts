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
    button.textContent = 'Run'
    button.addEventListener('click', () => run(box, button, block.querySelector('code')?.innerText ?? ''))
    box.append(button)
    block.after(box)
  }
}

/** Shows the scene of a text, in place of the one before: one renderer at a time. */
function run(box: HTMLElement, button: HTMLButtonElement, text: string): void {
  for (const other of document.querySelectorAll('.live-code iframe')) other.remove()
  const frame = document.createElement('iframe')
  frame.title = 'The scene of this recipe'
  frame.src = withBase(SCENE)
  const listen = ({ data, origin, source }: MessageEvent<{ kind?: string }>): void => {
    if (origin !== location.origin || source !== frame.contentWindow || data.kind !== 'embed-ready') return
    removeEventListener('message', listen)
    frame.contentWindow?.postMessage({ kind: 'embed', text }, location.origin)
  }
  addEventListener('message', listen)
  button.textContent = 'Again'
  box.append(frame)
}
