/** The game's server: the page, and rooms for two over WebSocket. It passes inputs on, and knows nothing of the game. */

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type WebSocket, WebSocketServer } from 'ws'
import type { LinkOptions } from './lossy-link.js'
import { Room } from './room.js'

export interface ServerOptions extends LinkOptions {
  /** A free port; 0 is any. @defaultValue 0 */
  port?: number
  /** For other machines: '0.0.0.0'. @defaultValue 'localhost' */
  host?: string
}

export interface RunningServer {
  readonly port: number
  close(): Promise<void>
}

/** Longest packet [B], and most rooms at once. */
const [MOST_BYTES, MOST_ROOMS] = [512, 100]
const NAME = /^[\w-]{1,32}$/
/** How often sockets are asked whether they live [ms]: one of a machine that went to sleep says no goodbye. */
const HEARTBEAT = 5000

const PAGE = fileURLToPath(new URL('page/', import.meta.url))

/** The page's script, in one file. */
export async function buildPage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [`${PAGE}main.ts`],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['@tautline/source'],
    minify: true,
    write: false,
    logLevel: 'warning',
  })
  return outputFiles[0].text
}

/** Builds the page, and serves until it is closed. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { port = 0, host = 'localhost', ...link } = options
  const files = new Map([
    ['/', { type: 'text/html; charset=utf-8', text: await readFile(`${PAGE}index.html`, 'utf8') }],
    ['/style.css', { type: 'text/css; charset=utf-8', text: await readFile(`${PAGE}style.css`, 'utf8') }],
    ['/main.js', { type: 'text/javascript; charset=utf-8', text: await buildPage() }],
  ])
  const server = createServer((request, response) => {
    const file = files.get(addressOf(request).pathname)
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': file?.type ?? 'text/plain' })
    response.end(file?.text ?? 'not found')
  })
  const rooms = new Map<string, Room>()
  const sockets = new WebSocketServer({ server, path: '/play', maxPayload: MOST_BYTES, perMessageDeflate: false })
  sockets.on('connection', (socket, request) => seat(socket, request))
  const heart = setInterval(() => sockets.clients.forEach(beat), HEARTBEAT)

  function seat(socket: WebSocket, request: IncomingMessage): void {
    const { searchParams } = addressOf(request)
    const name = searchParams.get('room') ?? 'rink'
    if (!NAME.test(name) || (rooms.size >= MOST_ROOMS && !rooms.has(name))) return socket.close(4002, 'no such room')
    const room = rooms.get(name) ?? new Room(link, () => rooms.delete(name))
    rooms.set(name, room)
    room.join(socket, searchParams.get('token'), Number(searchParams.get('player') ?? NaN) - 1)
  }

  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        clearInterval(heart)
        for (const socket of sockets.clients) socket.terminate()
        sockets.close()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const silent = new WeakSet<WebSocket>()

/** Ends a socket that did not answer the last time. */
function beat(socket: WebSocket): void {
  if (silent.has(socket)) return socket.terminate()
  silent.add(socket)
  socket.once('pong', () => silent.delete(socket))
  socket.ping()
}

/** What was asked for; whatever is no address is asked for in vain. */
function addressOf({ url = '/' }: IncomingMessage): URL {
  const home = 'http://localhost'
  return new URL(URL.canParse(url, home) ? url : '/none', home)
}
