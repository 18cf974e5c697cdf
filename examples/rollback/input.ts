/** What a player does in a tick, in ten bits: a stick of 15 × 15 places, and two buttons. 0 is nothing at all. */

export interface Controls {
  /** Of the rink: x and z, in [−1, 1]. */
  readonly x: number
  readonly z: number
  readonly jump: boolean
  /** Pulls the wrecking ball in. */
  readonly reel: boolean
}

/** Places of the stick from the middle to either side. */
const PLACES = 7
const [JUMP, REEL] = [1 << 8, 1 << 9]

export function encodeInput({ x, z, jump, reel }: Controls): number {
  return place(x) | (place(z) << 4) | (jump ? JUMP : 0) | (reel ? REEL : 0)
}

export function decodeInput(input: number): Controls {
  return {
    x: signed(input) / PLACES,
    z: signed(input >> 4) / PLACES,
    jump: (input & JUMP) !== 0,
    reel: (input & REEL) !== 0,
  }
}

/** Whether `encodeInput` can give it. */
export function isInput(input: number): boolean {
  return (input & ~0x3ff) === 0 && (input & 0xf) !== 8 && ((input >> 4) & 0xf) !== 8
}

/** Four bits, two's complement. */
function place(value: number): number {
  return Math.max(-PLACES, Math.min(PLACES, Math.round(PLACES * value))) & 0xf
}

function signed(bits: number): number {
  return ((bits & 0xf) ^ 8) - 8
}
