/** Settings of an exhibit: what can be set, and how a link carries it. No DOM. */

/** A slider. */
export interface NumberSetting {
  readonly kind: 'number'
  readonly name: string
  readonly label: string
  readonly unit?: string
  readonly min: number
  readonly max: number
  /** Of the slider; a logarithmic one has steps of its own. */
  readonly step?: number
  /** `log`: equal ways are equal factors, and `min` must be above 0. @defaultValue 'linear' */
  readonly scale?: 'linear' | 'log'
  /** Left of the lowest mark of a logarithmic slider is 0. @defaultValue false */
  readonly zero?: boolean
  readonly value: number
  /** Whether it acts while the scene runs; else a change begins the scene anew. @defaultValue false */
  readonly live?: boolean
}

/** One of a few. */
export interface ChoiceSetting {
  readonly kind: 'choice'
  readonly name: string
  readonly label: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly value: string
  readonly live?: boolean
}

/** On or off. */
export interface SwitchSetting {
  readonly kind: 'switch'
  readonly name: string
  readonly label: string
  readonly value: boolean
  readonly live?: boolean
}

export type Setting = NumberSetting | ChoiceSetting | SwitchSetting
export type Value = number | string | boolean
export type Values = Readonly<Record<string, Value>>

/** Every setting as it is when nobody has touched it. */
export function defaultsOf(settings: readonly Setting[]): Values {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]))
}

/** The nearest value that a setting allows, or `undefined` where the given one is none at all. */
export function admit(setting: Setting, given: unknown): Value | undefined {
  switch (setting.kind) {
    case 'number': {
      const value = typeof given === 'string' && given.trim() === '' ? NaN : Number(given)
      if (!Number.isFinite(value)) return undefined
      if (setting.zero === true && value <= 0) return 0
      const held = Math.min(setting.max, Math.max(setting.min, value))
      // A link does not tell −0 from 0.
      return (Number.isInteger(setting.step) && Number.isInteger(setting.min) ? Math.round(held) : held) + 0
    }
    case 'choice':
      return setting.options.some(([value]) => value === given) ? (given as string) : undefined
    case 'switch':
      if (given === true || given === '1') return true
      return given === false || given === '0' ? false : undefined
  }
}

/** Values that are not the defaults, as the query of a link: `ratio=1000&direct=0`; empty where there are none. */
export function toQuery(settings: readonly Setting[], values: Values): string {
  const query = new URLSearchParams()
  for (const { name, value: usual } of settings) {
    const value = values[name]
    if (value === undefined || Object.is(value, usual)) continue
    query.set(name, typeof value === 'boolean' ? (value ? '1' : '0') : String(value))
  }
  return query.toString()
}

/** Values of a link over the defaults. What is not known or not allowed is left at its default. */
export function fromQuery(settings: readonly Setting[], query: string): Values {
  const given = new URLSearchParams(query)
  const values: Record<string, Value> = { ...defaultsOf(settings) }
  for (const setting of settings) {
    const text = given.get(setting.name)
    const value = text === null ? undefined : admit(setting, text)
    if (value !== undefined) values[setting.name] = value
  }
  return values
}

/** Marks of a logarithmic slider. */
const LOG_STEPS = 200

/** Bounds and step of the slider itself. */
export function sliderRange(setting: NumberSetting): { min: number; max: number; step: number } {
  if (setting.scale !== 'log') return { min: setting.min, max: setting.max, step: setting.step ?? 0.01 }
  return { min: setting.zero === true ? -1 : 0, max: LOG_STEPS, step: 1 }
}

/** Where the slider stands for a value. */
export function toSlider(setting: NumberSetting, value: number): number {
  if (setting.scale !== 'log') return value
  if (value < setting.min) return setting.zero === true ? -1 : 0
  return Math.round((LOG_STEPS * Math.log(value / setting.min)) / Math.log(setting.max / setting.min))
}

/** The value where the slider stands, to three digits. */
export function fromSlider(setting: NumberSetting, at: number): number {
  if (setting.scale !== 'log') return at
  if (at < 0) return 0
  const value = setting.min * (setting.max / setting.min) ** (at / LOG_STEPS)
  const rounded = Number(value.toPrecision(3))
  return Math.min(setting.max, Math.max(setting.min, setting.step === 1 ? Math.round(rounded) : rounded))
}

/** A number setting's value. */
export function numberOf(values: Values, name: string): number {
  return values[name] as number
}

/** A choice's value. */
export function choiceOf(values: Values, name: string): string {
  return values[name] as string
}
