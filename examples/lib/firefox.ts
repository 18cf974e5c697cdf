/**
 * A Firefox for pages of this repository that nobody sees: where it is, and how it is driven, by WebDriver BiDi over a socket of its own.
 * Headless, it has no WebGL where there is no graphics card; on the display of Xvfb it draws by the processor.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { WebSocket } from 'ws'

export const FIREFOX_NAMES = ['firefox', 'firefox-esr'] as const
/** Until it listens [ms]. */
const PATIENCE = 60_000

/** The file of the browser: `FIREFOX`, or the first of the usual names on the path. */
export function findFirefox(): string | undefined {
  const { FIREFOX } = process.env
  return FIREFOX === undefined ? onPath(FIREFOX_NAMES) : runnable([FIREFOX])
}

function onPath(names: readonly string[]): string | undefined {
  const { PATH = '' } = process.env
  return runnable(PATH.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name))))
}

/** The first of the files that can be run. */
function runnable(files: readonly string[]): string | undefined {
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** A display that nobody sees, and its name; none where there is no Xvfb. */
async function hiddenDisplay(): Promise<{ server: ChildProcess; name: string } | undefined> {
  const file = onPath(['Xvfb'])
  if (file === undefined) return undefined
  // It takes a number that is free, and prints it when it is ready.
  const server = spawn(file, ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const number = await new Promise<string>((resolve) => {
    server.stdout.once('data', (chunk) => resolve(String(chunk).trim()))
    server.once('error', () => resolve(''))
    server.once('close', () => resolve(''))
  })
  return number === '' ? undefined : { server, name: `:${number}` }
}

interface Answer {
  readonly id?: number
  readonly type: string
  readonly result?: Readonly<Record<string, unknown>>
  readonly message?: string
}

export class Firefox {
  private readonly child: ChildProcess
  private readonly socket: WebSocket
  private readonly profile: string
  private readonly waiting = new Map<number, (answer: Answer) => void>()
  private count = 0
  private context = ''

  private constructor(child: ChildProcess, socket: WebSocket, profile: string) {
    this.child = child
    this.socket = socket
    this.profile = profile
    socket.on('message', (data: Buffer) => {
      const answer = JSON.parse(String(data)) as Answer
      this.waiting.get(answer.id ?? -1)?.(answer)
      this.waiting.delete(answer.id ?? -1)
    })
  }

  /** Starts it, with a page of a size [px]. */
  static async launch(file: string, width: number, height: number): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), 'tautline-firefox-'))
    const display = await hiddenDisplay()
    const how = display === undefined ? ['--headless'] : []
    const child = spawn(file, [...how, '--profile', profile, '--remote-debugging-port', '0'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, ...(display && { DISPLAY: display.name }) },
    })
    child.once('close', () => display?.server.kill())
    const address = await new Promise<string>((resolve, reject) => {
      let said = ''
      child.stderr.on('data', (chunk) => {
        said += String(chunk)
        const found = /WebDriver BiDi listening on (\S+)/.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.on('error', reject)
      child.on('close', () => reject(new Error(`firefox: ended, ${said.slice(-200)}`)))
      setTimeout(() => reject(new Error(`firefox: does not listen, ${said.slice(-200)}`)), PATIENCE).unref()
    })
    const socket = new WebSocket(`${address}/session`)
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    const made = new Firefox(child, socket, profile)
    await made.send('session.new', { capabilities: {} })
    const { contexts } = (await made.send('browsingContext.getTree', {})) as { contexts: { context: string }[] }
    made.context = contexts[0].context
    await made.send('browsingContext.setViewport', { context: made.context, viewport: { width, height } })
    return made
  }

  /** Opens an address; resolves when it has loaded. */
  async open(url: string): Promise<void> {
    await this.send('browsingContext.navigate', { context: this.context, url: 'about:blank', wait: 'complete' })
    await this.send('browsingContext.navigate', { context: this.context, url, wait: 'complete' })
  }

  /** What an expression is in the page, a promise awaited: text or a number. */
  async evaluate(expression: string): Promise<unknown> {
    const target = { context: this.context }
    const answer = await this.send('script.evaluate', { expression, target, awaitPromise: true })
    if (answer.type === 'exception') {
      const { text } = answer.exceptionDetails as { text: string }
      throw new Error(`firefox: ${text}`)
    }
    return (answer.result as { value?: unknown }).value
  }

  /** What is in view, as PNG in base64. */
  async picture(): Promise<string> {
    const { data } = await this.send('browsingContext.captureScreenshot', { context: this.context })
    return data as string
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('close', resolve))
    this.socket.close()
    this.child.kill()
    await ended
    rmSync(this.profile, { recursive: true, force: true })
  }

  private send(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.count
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ({ type, result, message }) => {
        if (type === 'success' && result !== undefined) resolve(result)
        else reject(new Error(`firefox: ${method}: ${message ?? type}`))
      })
      this.socket.send(JSON.stringify({ id, method, params }))
    })
  }
}
