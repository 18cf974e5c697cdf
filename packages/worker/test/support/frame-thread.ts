/** Writes frames of one number each as fast as it can for 300 ms. */

import { parentPort } from 'node:worker_threads'
import { SharedWriter } from '../../src/frames/exchange.js'
import { FRAME } from './frame-length.js'

const writer = new SharedWriter((buffer) => parentPort?.postMessage(buffer))
const end = performance.now() + 300
for (let n = 1; performance.now() < end; n++) {
  writer.open(FRAME).fill(n, 0, FRAME)
  writer.publish()
}
parentPort?.postMessage('done')
