import { clearInterval, setInterval } from 'node:timers'

/** Between two updates of the line on a terminal, and between two lines elsewhere [ms]. */
const TERMINAL_PAUSE = 100
const PLAIN_PAUSE = 5000

/** Counts packages: one line that is updated on a terminal, a line every few seconds elsewhere. */
export function progress(out) {
  const begun = Date.now()
  const seconds = () => (Date.now() - begun) / 1000
  let [added, expected] = [0, 0]
  const tell = () => {
    const text = expected === 0 ? 'set-up: looks up packages' : `set-up: ${added} of ${expected} packages`
    const line = `${text}, ${seconds().toFixed(0)} s`
    out.write(out.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
  }
  const timer = setInterval(tell, out.isTTY ? TERMINAL_PAUSE : PLAIN_PAUSE)
  return {
    seconds,
    expect: (count) => (expected += count),
    count: () => added++,
    close() {
      clearInterval(timer)
      if (out.isTTY) out.write('\r\x1b[K')
    },
  }
}
