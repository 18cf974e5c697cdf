/** Controls of settings: sliders, choices and switches, each with its name and value. */

import {
  admit,
  fromSlider,
  type NumberSetting,
  type Setting,
  sliderRange,
  toSlider,
  type Value,
  type Values,
} from '../settings.js'
import { h, shown } from './dom.js'

export interface Panel {
  readonly element: HTMLElement
  /** Shows values that were set elsewhere. */
  show(values: Values): void
}

/** Controls for `settings`; `onChange` gets a setting and its new value. */
export function panel(
  settings: readonly Setting[],
  values: Values,
  onChange: (setting: Setting, value: Value) => void,
): Panel {
  const controls = settings.map((setting) =>
    control(setting, values[setting.name], (value) => onChange(setting, value)),
  )
  return {
    element: h('div', { class: 'settings' }, ...controls.map(({ element }) => element)),
    show(now) {
      settings.forEach((setting, k) => controls[k].show(now[setting.name]))
    },
  }
}

interface Control {
  readonly element: HTMLElement
  show(value: Value): void
}

function control(setting: Setting, value: Value, change: (value: Value) => void): Control {
  switch (setting.kind) {
    case 'number':
      return slider(setting, value as number, change)
    case 'choice': {
      const select = h(
        'select',
        { id: `set-${setting.name}`, onchange: () => change(select.value) },
        ...setting.options.map(([each, label]) => h('option', { value: each }, label)),
      )
      const show = (now: Value): void => void (select.value = String(now))
      show(value)
      return { element: row(setting, select), show }
    }
    case 'switch': {
      const box = h('input', { id: `set-${setting.name}`, type: 'checkbox', onchange: () => change(box.checked) })
      const show = (now: Value): void => void (box.checked = now === true)
      show(value)
      return { element: row(setting, box), show }
    }
  }
}

function slider(setting: NumberSetting, value: number, change: (value: Value) => void): Control {
  const { min, max, step } = sliderRange(setting)
  const id = `set-${setting.name}`
  const input = h('input', { id, type: 'range', min, max, step })
  const output = h('output', { for: id })
  const tell = (number: number): void => {
    const isWhole = setting.step === 1
    const text = isWhole ? number.toLocaleString('en').replaceAll(',', '\u202f') : shown(number)
    output.textContent = [text, setting.unit].filter(Boolean).join(' ')
    input.setAttribute('aria-valuetext', output.textContent)
  }
  const show = (now: Value): void => {
    input.value = String(toSlider(setting, now as number))
    tell(now as number)
  }
  input.addEventListener('input', () => {
    const admitted = admit(setting, fromSlider(setting, Number(input.value))) as number
    // The slider stays where it is: put back to the mark of a whole number, an arrow key would never leave it.
    tell(admitted)
    change(admitted)
  })
  show(value)
  return { element: row(setting, input, output), show }
}

function row({ name, label, kind }: Setting, input: HTMLElement, output?: HTMLElement): HTMLElement {
  return h('div', { class: `setting ${kind}` }, h('label', { for: `set-${name}` }, label), output, input)
}
