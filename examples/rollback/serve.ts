/**
 * Serves the game of two: `npm run rollback`. Prints an address for each player; Ctrl-C ends it.
 *
 *   --port N     the first port to try
 *   --host H     for other machines: 0.0.0.0
 *   --delay D    of every packet, one way [ms]
 *   --jitter J   on top, evenly spread from 0 to this [ms]
 *   --loss L     share of packets that never come [%]
 */

import { networkInterfaces } from 'node:os'
import { parseArgs } from 'node:util'
import { endWithParent, fail, freePort, readPort } from '../lib/serving.js'
import { startServer } from './server.js'

const PORT = '4180'

function readArguments(): Record<'port' | 'delay' | 'jitter' | 'loss', number> & { host: string } {
  const text = (value: string): { type: 'string'; default: string } => ({ type: 'string', default: value })
  try {
    const { values } = parseArgs({
      options: { port: text(PORT), host: text('localhost'), delay: text('0'), jitter: text('0'), loss: text('0') },
    })
    const number = (name: 'delay' | 'jitter' | 'loss', least: number, most: number): number => {
      const value = Number(values[name])
      if (!(value >= least && value <= most)) fail(`--${name} must be in [${least}, ${most}], got ${values[name]}`)
      return value
    }
    return {
      host: values.host,
      port: readPort(values.port),
      delay: number('delay', 0, 5000),
      jitter: number('jitter', 0, 5000),
      loss: number('loss', 0, 100) / 100,
    }
  } catch (error) {
    fail(error instanceof Error ? error.message : String(error))
  }
}

/** The name that another machine on this network knows this one by. */
function reachable(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? 'localhost'
}

const options = readArguments()
endWithParent()
const { port } = await startServer({ ...options, port: await freePort(options.port, options.host) })
const home = `http://${reachable(options.host)}:${port}/`
console.log(`Wrecking hockey for two. Blue: ${home}?player=1  Orange: ${home}?player=2`)
console.log(
  `${options.delay} to ${options.delay + options.jitter} ms one way, ${100 * options.loss} % lost. Ctrl-C ends it.`,
)
