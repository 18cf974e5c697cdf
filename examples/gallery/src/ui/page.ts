/** The page of an exhibit: its picture, what to try, its controls and code, what it measures, and where it has one its editor. */

import { entryOf, loadSource } from '../load.js'
import type { Exhibit } from '../exhibit.js'
import { Run } from '../run.js'
import { solverOf } from '../stepper.js'
import { lineOf, messageOf, ScriptError } from '../script-error.js'
import { choiceOf, defaultsOf, type Setting, toQuery, type Value, type Values } from '../settings.js'
import { settingsOf, SHOWN } from '../show.js'
import { decodeText } from '../text-link.js'
import { Dragging } from '../viewer/dragging.js'
import { Following } from '../viewer/following.js'
import { Orbit } from '../viewer/orbit.js'
import { Viewer } from '../viewer/viewer.js'
import { copyAddress } from './copy-link.js'
import { h, prefersStillness } from './dom.js'
import type { Editor } from './editor.js'
import { Labels } from './labels.js'
import { fileButton, fold, introduction, isSolverSetting, sceneBar } from './layout.js'
import type { PadView } from './pad-view.js'
import { panel, type Panel } from './panel.js'
import type { Plots } from './plots.js'
import { listenToPointers } from './pointers.js'
import type { PageScript, Script } from './script-editor.js'
import { StatisticsTable } from './statistics-table.js'
import { onTheme } from './theme-button.js'

/** Longest time of a frame that counts [s]: after a pause of the page nothing jumps. */
const LONGEST_FRAME = 0.1
/** From one look at the figures to the next [ms], and from one sample of the plots to the next. */
const LOOK = 300
const SAMPLE = 50
/** From this width on the code is shown without being asked for. */
const WIDE = '(min-width: 801px)'

export interface PageActions {
  /** Puts the settings into the address. */
  link(query: string): void
  /** Takes a file with a mesh. */
  takeFile(file: File): void
}

export class Page {
  readonly element: HTMLElement
  readonly exhibit: Exhibit
  readonly viewer: Viewer | undefined
  plots: Plots | undefined
  run!: Run
  /** What went wrong while building or stepping, if anything did. */
  mistake: string | undefined
  /** Frames drawn. */
  frames = 0
  isPaused: boolean
  private values: Values
  private readonly actions: PageActions
  private readonly script: PageScript | undefined
  private readonly dragging: Dragging | undefined
  private readonly orbit: Orbit | undefined
  private readonly stage: HTMLElement
  private readonly labels = new Labels()
  private readonly message = h('div', { class: 'message', role: 'alert', hidden: true })
  private readonly panels: readonly Panel[]
  private readonly table = new StatisticsTable()
  private readonly plotBox = h('div', { class: 'under' })
  private readonly plotButton: HTMLButtonElement
  private readonly playButton: HTMLButtonElement
  private readonly sizes: ResizeObserver
  private readonly stopListening: () => void
  private readonly keys = h('p', { class: 'keys' })
  private padView: PadView | undefined
  private readonly following: Following | undefined
  private wantsPlots = false
  private isStopped = false
  private last = 0
  private looked = 0
  private seenFrom: string | undefined
  private sampled = 0

  /** `code` is a text that a link brought: it is shown, and runs when the visitor says so. */
  constructor(exhibit: Exhibit, values: Values, actions: PageActions, script?: Script, code: string | null = null) {
    this.exhibit = exhibit
    this.values = values
    this.actions = actions
    this.isPaused = prefersStillness()

    const canvas = h('canvas', {
      class: 'picture',
      tabindex: 0,
      'aria-label': `${exhibit.title}: a live picture. Drag things with the pointer; arrow keys turn it.`,
      role: 'img',
    })
    this.playButton = h('button', { type: 'button', onclick: () => this.pause(!this.isPaused) })
    this.plotButton = h(
      'button',
      { type: 'button', 'aria-pressed': 'false', hidden: true, onclick: () => this.showPlots(!this.wantsPlots) },
      'Plots',
    )
    const controls = h(
      'div',
      { class: 'transport', role: 'group', 'aria-label': 'Run' },
      this.playButton,
      h('button', { type: 'button', title: 'One step (.)', onclick: () => this.stepOnce() }, 'Step'),
      h('button', { type: 'button', title: 'From the start (R)', onclick: () => this.rebuild() }, 'Reset'),
      this.plotButton,
    )
    this.stage = h('div', { class: 'stage' }, canvas, this.labels.element, this.message, controls)
    const change = (setting: Setting, value: Value): void => this.change(setting, value)
    const settings = settingsOf(exhibit)
    const [own, solver] = [settings.filter((each) => !isSolverSetting(each)), settings.filter(isSolverSetting)]
    this.panels = [panel(own, values, change), panel(solver, values, change)]
    this.script = script?.open(
      {
        exhibit,
        values: () => this.values,
        link: () => this.actions.link(this.query),
        rebuild: () => {
          this.build(true)
          if (prefersStillness()) this.look(true)
        },
      },
      decodeText(code ?? '') || undefined,
    )
    this.element = h(
      'div',
      { class: 'page' },
      sceneBar(exhibit.id),
      h('main', { class: 'exhibit' }, h('div', { class: 'seen' }, this.stage, this.plotBox), this.side(own, solver)),
    )

    try {
      this.viewer = new Viewer(canvas)
      this.dragging = new Dragging(this.viewer)
      this.orbit = new Orbit(this.viewer.camera, canvas)
      this.following = new Following(this.viewer, this.orbit)
      listenToPointers(canvas, this.dragging, this.orbit, () => {
        if (this.isPaused && !prefersStillness()) this.pause(false)
      })
    } catch (error) {
      this.tell(`This browser shows no picture (WebGL 2): ${messageOf(error)}`)
    }
    this.build(false)
    this.sizes = new ResizeObserver(() => this.resize())
    this.sizes.observe(this.stage)
    this.stopListening = onTheme(() => {
      this.viewer?.readTheme()
      this.plots?.readTheme()
    })
    this.showPlay()
    requestAnimationFrame((now) => this.frame(now))
  }

  get editor(): Editor | undefined {
    return this.script?.editor
  }

  /** What stands beside the picture. */
  private side(own: readonly Setting[], solver: readonly Setting[]): HTMLElement {
    const { exhibit, script } = this
    const [panelElement, solverElement] = this.panels.map(({ element }) => element)
    const button = (label: string, onclick: (event: Event) => void): HTMLElement =>
      h('button', { type: 'button', class: 'quiet', onclick }, label)
    return h(
      'aside',
      { class: 'side', 'aria-label': 'About this scene' },
      ...introduction(exhibit),
      script?.editor.element,
      exhibit.extra === 'mesh' && fileButton((file) => this.actions.takeFile(file)),
      own.length > 0 && h('h2', {}, 'Settings'),
      panelElement,
      solver.length > 0 && fold('solver', 'Solver', solverElement, false),
      own.length + solver.length > 0 &&
        h(
          'div',
          { class: 'buttons' },
          button('Defaults', () => this.restoreDefaults()),
          button('Copy link', (event) => void copyAddress(event.currentTarget as HTMLElement)),
        ),
      this.code(),
      h('h2', {}, 'Measured'),
      this.table.element,
      this.table.told,
      this.keys,
    )
  }

  /** The source of the exhibit, and the way to the editor. */
  private code(): HTMLElement | undefined {
    const entry = entryOf(this.exhibit.id)
    if (entry === undefined) return undefined
    const box = h('pre', { tabindex: 0, 'aria-label': 'Source of this scene' })
    const load = async (): Promise<void> => {
      const [{ highlighted, withoutImports }, source] = await Promise.all([import('./code.js'), loadSource(entry)])
      box.replaceChildren(highlighted(withoutImports(source)))
    }
    const editor = h('a', { class: 'quiet', href: `#/play?scene=${entry.id}` }, 'Open in the editor')
    return fold('code', 'Code', h('div', {}, editor, box), matchMedia(WIDE).matches, () => void load())
  }

  /** From the start, as the settings are now. */
  rebuild(): void {
    this.build(true)
  }

  pause(isPaused: boolean): void {
    this.isPaused = isPaused
    this.showPlay()
  }

  /** Makes a step, paused or not; pauses. */
  stepOnce(): void {
    this.pause(true)
    this.step(1)
  }

  /** Makes steps at once, without the clock. */
  step(count: number): void {
    try {
      for (let k = 0; k < count; k++) {
        this.run.step()
        this.plots?.sample(this.run.time)
      }
    } catch (error) {
      this.fail(error)
    }
    this.look(true)
  }

  /** A change of the panel. */
  private change(setting: Setting, value: Value): void {
    this.values = { ...this.values, [setting.name]: value }
    this.actions.link(this.query)
    this.afterLoading(() => this.apply(setting))
  }

  /** Does something as soon as there is what the settings want it solved by: at once where that is loaded. */
  private afterLoading(act: () => void): void {
    const { values } = this
    const loading = solverOf(values)
    if (loading === undefined) act()
    else
      loading.then(
        () => {
          if (!this.isStopped && values === this.values) act()
        },
        (error: unknown) => this.fail(error),
      )
  }

  private apply(setting: Setting): void {
    try {
      if (setting.name === 'show') void this.inspect()
      else if (setting.live === true && this.mistake === undefined) this.run.configure(this.values)
      else this.build(true)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Takes what a link has over. */
  takeQuery(query: string, values: Values): void {
    const text = decodeText(new URLSearchParams(query).get('text') ?? '') || undefined
    if (text !== undefined) this.script?.offer(text)
    this.takeValues(values)
  }

  private takeValues(values: Values): void {
    this.values = values
    for (const each of this.panels) each.show(values)
    this.afterLoading(() => this.build(true))
  }

  get query(): string {
    const code = this.script?.code
    const settings = toQuery(settingsOf(this.exhibit), this.values)
    return [settings, code === undefined ? '' : `text=${code}`].filter(Boolean).join('&')
  }

  get settings(): Values {
    return this.values
  }

  private restoreDefaults(): void {
    this.takeValues(defaultsOf(settingsOf(this.exhibit)))
    this.actions.link(this.query)
  }

  private build(keepCamera: boolean): void {
    this.dragging?.release()
    try {
      this.run = new Run(this.exhibit, this.values)
    } catch (error) {
      this.fail(error)
      return
    }
    this.tell(undefined)
    // A scene with a view of its own may have changed with a setting.
    const { view } = this.run.live
    const keeps = keepCamera && JSON.stringify(view) === this.seenFrom
    this.seenFrom = JSON.stringify(view)
    this.viewer?.show(this.run.live, view ?? this.exhibit.view, keeps)
    if (!keeps) this.resetOrbit()
    void this.inspect()
    void this.showPad()
    this.labels.show(this.viewer)
    const { plots = [] } = this.run.live
    this.plotButton.hidden = plots.length === 0
    void this.makePlots()
    this.look(true)
  }

  private showPlots(areWanted: boolean): void {
    this.wantsPlots = areWanted
    this.plotButton.setAttribute('aria-pressed', String(areWanted))
    void this.makePlots()
  }

  /** Plots of the scene as it is now, if they are wanted. */
  private async makePlots(): Promise<void> {
    this.plots?.dispose()
    this.plots = undefined
    this.plotBox.replaceChildren()
    const { run } = this
    const { plots = [] } = run.live
    if (!this.wantsPlots || plots.length === 0) return
    const { Plots } = await import('./plots.js')
    // Meanwhile the scene may have begun anew.
    if (this.isStopped || run !== this.run || !this.wantsPlots || this.plots !== undefined) return
    this.plots = new Plots(plots)
    this.plotBox.replaceChildren(this.plots.element)
    this.plots.sample(run.time)
    this.plots.resize()
  }

  /** Its stick and buttons, and the line that tells the keys. */
  private async showPad(): Promise<void> {
    const { run } = this
    const { pad } = run.live
    this.padView?.dispose()
    this.padView = undefined
    this.following?.begin(run.live)
    const tell = (keys: string): void => {
      this.keys.textContent = `${keys} · Full stop: one step · R: reset · Esc: all scenes`
    }
    if (pad === undefined) {
      tell('Space: pause')
      return
    }
    const { PadView } = await import('./pad-view.js')
    // Meanwhile the scene may have begun anew.
    if (this.isStopped || run !== this.run) return
    this.padView = new PadView(pad)
    tell(PadView.hint(pad))
    this.stage.append(this.padView.element)
  }

  /** Has the picture go along with a player. */
  follow(): void {
    if (this.run !== undefined) this.following?.update(this.run.live, this.dragging?.isHolding === true)
  }

  /** Joints, contacts and forces, as the settings want them. */
  private async inspect(): Promise<void> {
    const { viewer, values, run } = this
    const wanted = SHOWN[(choiceOf(values, 'show') ?? 'nothing') as keyof typeof SHOWN]
    viewer?.picture?.inspect(undefined)
    if (wanted.length === 0) return
    const { Inside } = await import('../viewer/inside.js')
    // Meanwhile the scene may have begun anew, or something else may be wanted.
    if (this.isStopped || run !== this.run || values !== this.values) return
    viewer?.picture?.inspect(new Inside(run.live, wanted, (run.live.view ?? this.exhibit.view).radius))
  }

  private resetOrbit(): void {
    if (this.orbit === undefined || this.viewer === undefined || this.run === undefined) return
    this.orbit.target.copy(this.viewer.centre)
    const { radius } = this.run.live.view ?? this.exhibit.view
    this.orbit.nearest = 0.2 * radius
    this.orbit.farthest = 12 * radius
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.stage
    this.plots?.resize()
    if (clientWidth === 0 || this.viewer === undefined) return
    if (this.viewer.resize(clientWidth, clientHeight)) {
      this.resetOrbit()
      this.viewer.draw(this.run?.alpha ?? 1)
    }
  }

  private frame(now: number): void {
    if (this.isStopped) return
    requestAnimationFrame((next) => this.frame(next))
    const elapsed = Math.min(LONGEST_FRAME, (now - this.last) / 1000)
    this.last = now
    const isRunning = !this.isPaused && this.mistake === undefined
    if (isRunning) {
      try {
        if (this.run.advance(elapsed) > 0 && now - this.sampled > SAMPLE) {
          this.plots?.sample(this.run.time)
          this.sampled = now
        }
      } catch (error) {
        this.fail(error)
      }
    }
    if (this.run !== undefined) {
      this.follow()
      this.viewer?.draw(this.run.alpha)
      this.labels.place(this.viewer)
      this.frames++
    }
    if (now - this.looked > LOOK) {
      this.looked = now
      this.look(isRunning)
    }
  }

  private look(isNew: boolean): void {
    if (!isNew || this.run === undefined || this.mistake !== undefined) return
    try {
      this.table.show(this.run.statistics(), this.run.time)
    } catch (error) {
      // The errors of a visitor's own constraint are theirs to throw.
      this.fail(error instanceof ScriptError ? error : new ScriptError(messageOf(error), lineOf(error)))
    }
    this.plots?.draw()
  }

  private showPlay(): void {
    this.playButton.textContent = this.isPaused ? 'Play' : 'Pause'
    this.playButton.title = 'Space'
    this.playButton.setAttribute('aria-pressed', String(this.isPaused))
  }

  /** Stops with a message. The editor shows its own mistakes. */
  private fail(error: unknown): void {
    if (error instanceof ScriptError && this.script !== undefined) {
      this.mistake = error.message
      this.script.editor.tell(error)
    } else this.tell(messageOf(error))
  }

  /** A message over the picture, which stops the scene; or none. */
  tell(text: string | undefined): void {
    this.mistake = text
    this.message.hidden = text === undefined
    this.message.textContent = text ?? ''
  }

  dispose(): void {
    this.isStopped = true
    this.stopListening()
    this.padView?.dispose()
    this.sizes.disconnect()
    this.dragging?.release()
    this.orbit?.dispose()
    this.script?.dispose()
    this.plots?.dispose()
    this.viewer?.dispose()
  }
}
