/** What is going on, on the line of a terminal that is written over; on no terminal a line a change of scene. */

export interface Progress {
  say(text: string): void
  clear(): void
}

export function progressBar(): Progress {
  const { stderr } = process
  const began = performance.now()
  let scene = ''
  return {
    say(text) {
      const line = `${Math.round((performance.now() - began) / 1000)} s: ${text}`
      if (stderr.isTTY) {
        stderr.write(`\r\x1b[K${line.slice(0, stderr.columns - 1)}`)
        return
      }
      const now = text.split(':')[0]
      if (now !== scene) stderr.write(`${line}\n`)
      scene = now
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\x1b[K')
    },
  }
}
