/** Writes frames of one number each as fast as it can, until it is told to stop by a word of shared memory. */

import { parentPort } from 'node:worker_threads'
import { SharedWriter } from '../../src/frames/exchange.js'
import { FRAME } from './frame-length.js'

const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
parentPort?.postMessage({ stop })
const writer = new SharedWriter((buffer) => parentPort?.postMessage({ buffer }))
for (let n = 1; Atomics.load(stop, 0) === 0; n++) {
  writer.open(FRAME).fill(n, 0, FRAME)
  writer.publish()
}
