/**
 * What one player's machine sends to the other's, some sixty times a second: every input that the other is not known to have, so that a lost packet
 * needs no second one. 31 bytes and 2 an input, little-endian.
 */

import { integer } from '@tautline/core/kernel'

/** One of two. */
export type Player = 0 | 1

/** A packet as numbers. */
export interface Packet {
  /** Who sends. */
  readonly player: Player
  /** Which match it belongs to; packets of another one are refused. */
  readonly match: number
  /** Of the sender when it was sent. */
  readonly tick: number
  /** First tick whose input the sender lacks: it has all before. */
  readonly wanted: number
  /** By how much the sender's tick is above that in packets that it gets [ticks], rounded to 1/16. */
  readonly lead: number
  /** The latest tick of which the sender knows the state's hash for good, and that hash: 16 hexadecimal digits; none yet: ''. */
  readonly hashTick: number
  readonly hash: string
  /** Tick of the first of `inputs`; the others follow. */
  readonly first: number
  /** Integers in [0, 65535]. */
  readonly inputs: readonly number[]
}

/** Most inputs that a packet holds. */
export const MOST_INPUTS = 128
/** First byte; another layout gets another one. */
const VERSION = 0xa1
const HEAD = 31
const LEAD_UNIT = 1 / 16
const NO_HASH = 0xffffffff

/** Bytes of a packet. */
export function encodePacket(packet: Packet): Uint8Array<ArrayBuffer> {
  const { inputs, hash } = packet
  integer('encodePacket: number of inputs', inputs.length, 0, MOST_INPUTS)
  const view = new DataView(new ArrayBuffer(HEAD + 2 * inputs.length))
  view.setUint8(0, VERSION)
  view.setUint8(1, packet.player)
  view.setUint16(2, packet.match, true)
  view.setUint32(4, packet.tick, true)
  view.setUint32(8, packet.wanted, true)
  view.setInt16(12, Math.max(-32768, Math.min(32767, Math.round(packet.lead / LEAD_UNIT))), true)
  view.setUint32(14, hash === '' ? NO_HASH : packet.hashTick, true)
  view.setUint32(18, hash === '' ? 0 : parseInt(hash.slice(0, 8), 16), true)
  view.setUint32(22, hash === '' ? 0 : parseInt(hash.slice(8), 16), true)
  view.setUint32(26, packet.first, true)
  view.setUint8(30, inputs.length)
  inputs.forEach((input, k) => view.setUint16(HEAD + 2 * k, input, true))
  return new Uint8Array(view.buffer)
}

/** The packet in some bytes; throws `RangeError` where they are none. */
export function decodePacket(bytes: Uint8Array): Packet {
  if (bytes.length < HEAD) throw new RangeError(`packet: length must be >= ${HEAD} bytes, got ${bytes.length}`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = view.getUint8(0)
  if (version !== VERSION) throw new RangeError(`packet: version must be ${VERSION}, got ${version}`)
  const player = view.getUint8(1)
  if (player !== 0 && player !== 1) throw new RangeError(`packet: player must be 0 or 1, got ${player}`)
  const count = view.getUint8(30)
  if (count > MOST_INPUTS) throw new RangeError(`packet: number of inputs must be <= ${MOST_INPUTS}, got ${count}`)
  if (bytes.length !== HEAD + 2 * count) {
    throw new RangeError(`packet: length must be ${HEAD + 2 * count} bytes with ${count} inputs, got ${bytes.length}`)
  }
  const hashTick = view.getUint32(14, true)
  const hasHash = hashTick !== NO_HASH
  return {
    player,
    match: view.getUint16(2, true),
    tick: view.getUint32(4, true),
    wanted: view.getUint32(8, true),
    lead: view.getInt16(12, true) * LEAD_UNIT,
    hashTick: hasHash ? hashTick : 0,
    hash: hasHash ? digits(view.getUint32(18, true)) + digits(view.getUint32(22, true)) : '',
    first: view.getUint32(26, true),
    inputs: Array.from({ length: count }, (_, k) => view.getUint16(HEAD + 2 * k, true)),
  }
}

/** 32 bits as eight hexadecimal digits. */
function digits(word: number): string {
  return word.toString(16).padStart(8, '0')
}
