/** The page of an exhibit at work: what it simulates, as its settings are, by the clock or step by step. */

import type { Exhibit } from '../exhibit.js'
import { Run } from '../run.js'
import { solverOf } from '../stepper.js'
import { lineOf, messageOf, ScriptError } from '../script-error.js'
import { choiceOf, defaultsOf, type Setting, toQuery, type Value, type Values } from '../settings.js'
import { settingsOf, SHOWN } from '../show.js'
import { decodeText } from '../text-link.js'
import type { Viewer } from '../viewer/viewer.js'
import { h, prefersStillness } from './dom.js'
import type { Editor } from './editor.js'
import { sceneBar } from './layout.js'
import type { PadView } from './pad-view.js'
import { PlotBox } from './plot-box.js'
import type { PageScript, Script } from './script-editor.js'
import { Side } from './side.js'
import { Stage } from './stage.js'
import { onTheme } from './theme-button.js'

/** Longest time of a frame that counts [s]: after a pause of the page nothing jumps. */
const LONGEST_FRAME = 0.1
/** From one look at the figures to the next [ms]. */
const LOOK = 300

export interface PageActions {
  /** Puts the settings into the address. */
  link(query: string): void
  /** Takes a file with a mesh. */
  takeFile(file: File): void
}

export class Page {
  readonly element: HTMLElement
  readonly exhibit: Exhibit
  readonly plots: PlotBox = new PlotBox()
  run!: Run
  /** What went wrong while building or stepping, if anything did. */
  mistake: string | undefined
  /** Frames drawn. */
  frames = 0
  isPaused: boolean
  private values: Values
  private readonly actions: PageActions
  private readonly script: PageScript | undefined
  private readonly stage: Stage
  private readonly side: Side
  private readonly playButton: HTMLButtonElement
  private readonly sizes: ResizeObserver
  private readonly stopListening: () => void
  private padView: PadView | undefined
  private isStopped = false
  private last = 0
  private looked = 0
  private seenFrom: string | undefined

  /** `code` is a text that a link brought: it is shown, and runs when the visitor says so. */
  constructor(exhibit: Exhibit, values: Values, actions: PageActions, script?: Script, code: string | null = null) {
    this.exhibit = exhibit
    this.values = values
    this.actions = actions
    this.isPaused = prefersStillness()

    this.playButton = h('button', { type: 'button', onclick: () => this.pause(!this.isPaused) })
    this.stage = new Stage(exhibit.title, this.controls(), () => {
      if (this.isPaused && !prefersStillness()) this.pause(false)
    })
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
    const side = {
      change: (setting: Setting, value: Value): void => this.change(setting, value),
      restoreDefaults: (): void => this.restoreDefaults(),
      takeFile: (file: File): void => actions.takeFile(file),
    }
    this.side = new Side(exhibit, values, side, this.script?.editor.element)
    const seen = h('div', { class: 'seen' }, this.stage.element, this.plots.element)
    this.element = h(
      'div',
      { class: 'page' },
      sceneBar(exhibit.id),
      h('main', { class: 'exhibit' }, seen, this.side.element),
    )
    this.build(false)
    this.sizes = new ResizeObserver(() => this.resize())
    this.sizes.observe(this.stage.element)
    this.stopListening = onTheme(() => {
      this.stage.readTheme()
      this.plots.readTheme()
    })
    this.showPlay()
    requestAnimationFrame((now) => this.frame(now))
  }

  private controls(): HTMLElement {
    return h(
      'div',
      { class: 'transport', role: 'group', 'aria-label': 'Run' },
      this.playButton,
      h('button', { type: 'button', title: 'One step (.)', onclick: () => this.stepOnce() }, 'Step'),
      h('button', { type: 'button', title: 'From the start (R)', onclick: () => this.rebuild() }, 'Reset'),
      this.plots.button,
    )
  }

  get viewer(): Viewer | undefined {
    return this.stage.viewer
  }

  get editor(): Editor | undefined {
    return this.script?.editor
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
        this.plots.sample(this.run.time)
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
    this.side.show(values)
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
    this.stage.release()
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
    this.stage.show(this.run.live, view ?? this.exhibit.view, keeps)
    void this.inspect()
    void this.showPad()
    this.plots.begin(this.run)
    this.look(true)
  }

  /** Its stick and buttons, and the line that tells the keys. */
  private async showPad(): Promise<void> {
    const { run } = this
    const { pad } = run.live
    this.padView?.dispose()
    this.padView = undefined
    if (pad === undefined) {
      this.side.tellKeys('Space: pause')
      return
    }
    const { PadView } = await import('./pad-view.js')
    // Meanwhile the scene may have begun anew.
    if (this.isStopped || run !== this.run) return
    this.padView = new PadView(pad)
    this.side.tellKeys(PadView.hint(pad))
    this.stage.element.append(this.padView.element)
  }

  /** Has the picture go along with a player. */
  follow(): void {
    this.stage.follow()
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

  private resize(): void {
    this.plots.resize()
    this.stage.resize(this.run)
  }

  private frame(now: number): void {
    if (this.isStopped) return
    requestAnimationFrame((next) => this.frame(next))
    const elapsed = Math.min(LONGEST_FRAME, (now - this.last) / 1000)
    this.last = now
    const isRunning = !this.isPaused && this.mistake === undefined
    if (isRunning) {
      try {
        if (this.run.advance(elapsed) > 0) this.plots.sampleAt(now, this.run.time)
      } catch (error) {
        this.fail(error)
      }
    }
    if (this.run !== undefined) {
      this.stage.drawFrame(now, this.run)
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
      this.side.table.show(this.run.statistics(), this.run.time)
    } catch (error) {
      // The errors of a visitor's own constraint are theirs to throw.
      this.fail(error instanceof ScriptError ? error : new ScriptError(messageOf(error), lineOf(error)))
    }
    this.plots.draw()
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
    this.stage.tell(text)
  }

  dispose(): void {
    this.isStopped = true
    this.stopListening()
    this.padView?.dispose()
    this.sizes.disconnect()
    this.script?.dispose()
    this.plots.dispose()
    this.stage.dispose()
  }
}
