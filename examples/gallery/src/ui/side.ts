/** What stands beside a picture: what to try, settings, code, and what is measured. */

import type { Exhibit } from '../exhibit.js'
import { entryOf } from '../load.js'
import { type Setting, type Value, type Values } from '../settings.js'
import { settingsOf } from '../show.js'
import { copyAddress } from './copy-link.js'
import { h } from './dom.js'
import { fileButton, fold, introduction, isSolverSetting } from './layout.js'
import { panel, type Panel } from './panel.js'
import { StatisticsTable } from './statistics-table.js'

/** From this width on the code is shown without being asked for. */
const WIDE = '(min-width: 801px)'

/** What a visitor does there. */
export interface SideActions {
  change(setting: Setting, value: Value): void
  restoreDefaults(): void
  takeFile(file: File): void
}

export class Side {
  readonly element: HTMLElement
  readonly table: StatisticsTable = new StatisticsTable()
  private readonly panels: readonly Panel[]
  private readonly keys = h('p', { class: 'keys' })

  constructor(exhibit: Exhibit, values: Values, actions: SideActions, editor: HTMLElement | undefined) {
    const change = (setting: Setting, value: Value): void => actions.change(setting, value)
    const settings = settingsOf(exhibit)
    const [own, solver] = [settings.filter((each) => !isSolverSetting(each)), settings.filter(isSolverSetting)]
    const [ownPanel, solverPanel] = (this.panels = [panel(own, values, change), panel(solver, values, change)])
    this.element = h(
      'aside',
      { class: 'side', 'aria-label': 'About this scene' },
      ...introduction(exhibit),
      editor,
      exhibit.extra === 'mesh' && fileButton((file) => actions.takeFile(file)),
      own.length > 0 && h('h2', {}, 'Settings'),
      ownPanel.element,
      solver.length > 0 && fold('solver', 'Solver', solverPanel.element, false),
      settings.length > 0 && settingButtons(actions),
      code(exhibit),
      h('h2', {}, 'Measured'),
      this.table.element,
      this.table.told,
      this.keys,
    )
  }

  /** Has the controls as values are. */
  show(values: Values): void {
    for (const each of this.panels) each.show(values)
  }

  /** Says what keys there are. */
  tellKeys(keys: string): void {
    this.keys.textContent = `${keys} · Full stop: one step · R: reset · Esc: all scenes`
  }
}

function settingButtons(actions: SideActions): HTMLElement {
  const button = (label: string, onclick: (event: Event) => void): HTMLElement =>
    h('button', { type: 'button', class: 'quiet', onclick }, label)
  return h(
    'div',
    { class: 'buttons' },
    button('Defaults', () => actions.restoreDefaults()),
    button('Copy link', (event) => void copyAddress(event.currentTarget as HTMLElement)),
  )
}

/** The source of the exhibit, and the way to the editor. */
function code({ id }: Exhibit): HTMLElement | undefined {
  const entry = entryOf(id)
  if (entry === undefined) return undefined
  const box = h('pre', { tabindex: 0, 'aria-label': 'Source of this scene' })
  const load = async (): Promise<void> => {
    const [{ highlighted, withoutImports }, { loadSource }] = await Promise.all([
      import('./code.js'),
      import('../sources.js'),
    ])
    box.replaceChildren(highlighted(withoutImports(await loadSource(entry))))
  }
  const editor = h('a', { class: 'quiet', href: `#/play?scene=${id}` }, 'Open in the editor')
  return fold('code', 'Code', h('div', {}, editor, box), matchMedia(WIDE).matches, () => void load())
}
