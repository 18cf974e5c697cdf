/** The bar of a page: the name, which leads home, ways to other pages, and the theme. */

import { h } from './dom.js'
import { themeButton } from './theme-button.js'

/** A bar with ways; `label` says where they lead. */
export function bar(label: string, ...ways: readonly HTMLElement[]): HTMLElement {
  return h(
    'header',
    { class: 'bar' },
    h('a', { class: 'brand', href: '#/' }, 'Tautline'),
    h('nav', { 'aria-label': label }, ...ways),
    themeButton(),
  )
}

/** The way to the cards of all scenes. */
export function allScenes(): HTMLElement {
  return h('a', { class: 'quiet', href: '#/' }, 'All scenes')
}

/** The bar of a page that is no scene. */
export function pageBar(): HTMLElement {
  return bar('Pages', allScenes(), h('a', { class: 'quiet', href: __DOCS__ }, 'Docs'))
}
