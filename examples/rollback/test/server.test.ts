/** Rooms for two: who sits where, what goes from one to the other, and who comes back. */

import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Notice } from '../notice.js'
import { type RunningServer, startServer } from '../server.js'

let server: RunningServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** A socket that keeps what it heard. */
class Client {
  readonly socket: WebSocket
  readonly notices: Notice[] = []
  readonly packets: string[] = []

  constructor(query: string) {
    this.socket = new WebSocket(`ws://localhost:${server.port}/play?${query}`)
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.packets.push(data.toString('hex'))
      else this.notices.push(JSON.parse(data.toString()) as Notice)
    })
  }

  /** The first notice of a type that has not been asked for. */
  async hear<Type extends Notice['type']>(type: Type): Promise<Notice & { type: Type }> {
    for (;;) {
      const at = this.notices.findIndex((notice) => notice.type === type)
      if (at >= 0) return this.notices.splice(0, at + 1)[at] as Notice & { type: Type }
      await once(this.socket, 'message')
    }
  }

  async packet(): Promise<string> {
    while (this.packets.length === 0) await once(this.socket, 'message')
    return this.packets.shift() as string
  }

  async closed(): Promise<number> {
    const [code] = (await once(this.socket, 'close')) as [number]
    return code
  }
}

async function twoIn(room: string): Promise<[Client, Client, string]> {
  const first = new Client(`room=${room}`)
  const { token } = await first.hear('joined')
  const second = new Client(`room=${room}`)
  await second.hear('joined')
  return [first, second, token]
}

describe('a room', () => {
  test('seats two, and begins a match for both', async () => {
    const first = new Client('room=two&player=2')
    expect((await first.hear('joined')).player).toBe(1)
    const second = new Client('room=two&player=2')
    expect((await second.hear('joined')).player).toBe(0)
    expect(await first.hear('start')).toEqual(await second.hear('start'))
    const third = new Client('room=two')
    await third.hear('full')
    expect(await third.closed()).toBe(4000)
  })

  test('passes packets on to the other one alone, and no texts', async () => {
    const [first, second] = await twoIn('relay')
    await second.hear('start')
    first.socket.send('{"type":"left"}')
    first.socket.send(Buffer.from('0102', 'hex'))
    expect(await second.packet()).toBe('0102')
    second.socket.send(Buffer.from('03', 'hex'))
    expect(await first.packet()).toBe('03')
    expect(second.notices).toEqual([])
  })

  test('keeps a seat for who comes back, in the same match', async () => {
    const [first, second, token] = await twoIn('back')
    await second.hear('start')
    first.socket.terminate()
    await second.hear('away')
    const again = new Client(`room=back&token=${token}`)
    await again.hear('resumed')
    await second.hear('back')
    again.socket.send(Buffer.from('07', 'hex'))
    expect(await second.packet()).toBe('07')
    expect(again.notices.concat(second.notices)).toEqual([])
  })

  test('gives the seat of who is away to who comes anew, and begins another match', async () => {
    const [first, second, token] = await twoIn('anew')
    const { match } = await second.hear('start')
    first.socket.terminate()
    await second.hear('away')
    const other = new Client('room=anew')
    const joined = await other.hear('joined')
    expect(joined).toMatchObject({ player: 0 })
    expect(joined.token).not.toBe(token)
    expect((await second.hear('start')).match).toBe((match + 1) % 0x10000)
    const late = new Client(`room=anew&token=${token}`)
    await late.hear('full')
  })

  test('does not take what is too long, or a name that is none', async () => {
    const [first] = await twoIn('long')
    first.socket.send(Buffer.alloc(513))
    expect(await first.closed()).toBe(1009)
    expect(await new Client('room=a/b').closed()).toBe(4002)
  })
})

test('serves the page, and nothing else', async () => {
  const home = `http://localhost:${server.port}`
  const page = await fetch(home)
  expect(await page.text()).toContain('main.js')
  expect((await fetch(`${home}/main.js`)).headers.get('content-type')).toMatch(/javascript/)
  for (const path of ['/server.ts', '/../package.json', '//', '/%00'])
    expect((await fetch(home + path)).status).toBe(404)
})
