/** The same scene in several engines, beside each other, with a board of what each leaves: gap, energy, time a step. */

import { messageOf } from '../script-error.js'
import { pageBar } from '../ui/bar.js'
import { h, prefersStillness, shown } from '../ui/dom.js'
import { onTheme } from '../ui/theme-button.js'
import { Viewer } from '../viewer/viewer.js'
import { CONTENDERS, type Contender } from './engines.js'
import { DT, Lane } from './lane.js'
import { BESIDE_SCENES, type BesideScene } from './scenes.js'

/** From one look at the figures to the next [ms]. */
const LOOK = 400
/** Most steps a frame. */
const MOST_STEPS = 2

/** An engine's place on the page. */
interface Place {
  readonly contender: Contender
  readonly canvas: HTMLCanvasElement
  readonly viewer: Viewer | undefined
  readonly row: HTMLTableRowElement
  readonly cells: readonly HTMLTableCellElement[]
  lane: Lane | undefined
}

export class Beside {
  readonly element: HTMLElement
  private readonly places: readonly Place[]
  private readonly text = h('p', { class: 'lead' })
  private readonly gapHead = h('th', { scope: 'col' })
  private readonly playButton: HTMLButtonElement
  private readonly stopListening: () => void
  private scene: BesideScene = BESIDE_SCENES[0]
  private isPaused = prefersStillness()
  private isStopped = false
  private last = 0
  private owed = 0
  private looked = 0

  constructor() {
    this.places = CONTENDERS.map((contender) => place(contender))
    const select = h(
      'select',
      {
        id: 'beside-scene',
        onchange: () => this.show(BESIDE_SCENES.find(({ id }) => id === select.value) ?? this.scene),
      },
      ...BESIDE_SCENES.map(({ id, title }) => h('option', { value: id }, title)),
    )
    this.playButton = h('button', { type: 'button', onclick: () => this.pause(!this.isPaused) })
    this.element = h(
      'div',
      { class: 'home beside' },
      pageBar(),
      h(
        'main',
        {},
        h('h1', {}, 'Side by side'),
        this.text,
        h(
          'div',
          { class: 'beside-controls' },
          h('label', { for: 'beside-scene' }, 'Scene'),
          select,
          this.playButton,
          h('button', { type: 'button', onclick: () => this.show(this.scene) }, 'Reset'),
        ),
        h('div', { class: 'lanes' }, ...this.places.map(({ canvas, contender }) => lane(canvas, contender))),
        this.board(),
        h(
          'p',
          { class: 'foot' },
          'Every engine runs here, in this page, with the same bodies, joints and steps of 1/60 s, at what it does by default. Gap and energy come from poses alone, energy against the start. Times are medians of 120 steps, drawing left out; a page’s clock goes by 0.1 ms.',
        ),
      ),
    )
    this.stopListening = onTheme(() => {
      for (const { viewer } of this.places) viewer?.readTheme()
    })
    this.pause(this.isPaused)
    this.show(this.scene)
    for (const each of this.places) void this.load(each)
    requestAnimationFrame((now) => this.frame(now))
  }

  private board(): HTMLElement {
    const heads = ['Engine', this.gapHead, 'Energy since the start', 'Time a step']
    return h(
      'div',
      { class: 'board' },
      h(
        'table',
        { class: 'scoreboard', 'aria-label': 'What each engine leaves' },
        h(
          'thead',
          {},
          h('tr', {}, ...heads.map((head) => (typeof head === 'string' ? h('th', { scope: 'col' }, head) : head))),
        ),
        h('tbody', {}, ...this.places.map(({ row }) => row)),
      ),
    )
  }

  private async load(each: Place): Promise<void> {
    const { contender, row, cells } = each
    try {
      const { engine } = await contender.load()
      await engine.load()
      if (this.isStopped) return
      each.lane = new Lane(engine, contender.work, this.scene)
      row.className = 'runs'
      // All begin together.
      this.show(this.scene)
    } catch (error) {
      cells[0].textContent = messageOf(error)
    }
  }

  /** Begins a scene in all engines that are there. */
  private show(scene: BesideScene): void {
    this.scene = scene
    this.text.textContent = scene.text
    this.gapHead.textContent = scene.gap
    for (const each of this.places) {
      const { lane, contender } = each
      if (lane === undefined) continue
      each.lane = lane.again(contender.work, scene)
      each.viewer?.show(each.lane.live, scene.view)
    }
    this.owed = 0
    this.look()
  }

  private pause(isPaused: boolean): void {
    this.isPaused = isPaused
    this.playButton.textContent = isPaused ? 'Play' : 'Pause'
  }

  private frame(now: number): void {
    if (this.isStopped) return
    requestAnimationFrame((next) => this.frame(next))
    this.owed += Math.min(0.1, (now - this.last) / 1000)
    this.last = now
    let made = 0
    while (this.owed >= 0.9 * DT && made++ < MOST_STEPS) {
      if (!this.isPaused) for (const { lane } of this.places) lane?.step()
      this.owed -= DT
    }
    if (this.owed > DT) this.owed = 0
    for (const each of this.places) this.draw(each, now)
    if (now - this.looked < LOOK) return
    this.looked = now
    this.look()
  }

  private draw({ canvas, viewer, lane }: Place, now: number): void {
    const { clientWidth, clientHeight } = canvas
    if (viewer === undefined || lane === undefined || clientWidth === 0) return
    viewer.resize(clientWidth, clientHeight)
    viewer.drawFrame(now)
  }

  private look(): void {
    for (const { lane, cells } of this.places) {
      if (lane === undefined) continue
      const time = lane.msPerStep
      const texts = [
        `${shown(lane.gap)} m`,
        `${shown(lane.energy)} J`,
        lane.steps === 0 ? '–' : time < 0.1 ? 'below 0.1 ms' : `${shown(time)} ms`,
      ]
      texts.forEach((text, k) => (cells[k].textContent = text))
    }
  }

  dispose(): void {
    this.isStopped = true
    this.stopListening()
    for (const { viewer } of this.places) viewer?.dispose()
  }
}

function place(contender: Contender): Place {
  const canvas = h('canvas', { role: 'img', 'aria-label': `The scene in ${contender.title}` })
  const cells = ['loads …', '', ''].map((text) => h('td', {}, text))
  const row = h(
    'tr',
    {},
    h('th', { scope: 'row' }, `${contender.title} ${contender.version}`, h('small', {}, contender.note)),
    ...cells,
  )
  return { contender, canvas, viewer: viewerOf(canvas), row, cells, lane: undefined }
}

/** Without WebGL there is the board alone. */
function viewerOf(canvas: HTMLCanvasElement): Viewer | undefined {
  try {
    return new Viewer(canvas, { shadowSize: 1024 })
  } catch {
    return undefined
  }
}

function lane(canvas: HTMLCanvasElement, { title }: Contender): HTMLElement {
  return h('figure', {}, canvas, h('figcaption', {}, title))
}
