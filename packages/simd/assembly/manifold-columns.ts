// Where the columns of contact manifolds and of their bodies lie (collision: contact/manifold-columns.ts), and the scratch of their loops.

/** Columns of bodies. */
export let POSITION: usize = 0
export let ORIENTATION: usize = 0
export let VELOCITY: usize = 0
export let ANGULAR_VELOCITY: usize = 0
export let INVERSE_INERTIA: usize = 0
export let START_POSITION: usize = 0
export let START_ORIENTATION: usize = 0
/** Columns of rows. */
export let BODY: usize = 0
export let POINTS: usize = 0
export let CARRIER: usize = 0
export let TANGENT: usize = 0
export let ROUND: usize = 0
export let ANCHOR_B: usize = 0
export let FRICTION: usize = 0
export let TORSIONAL: usize = 0
export let ROLLING: usize = 0
export let RESTITUTION: usize = 0
export let MAX_PUSH: usize = 0
export let FALL: usize = 0
export let SLENDER: usize = 0
export let SLIDING: usize = 0
export let IMPULSE: usize = 0
export let TOUCHING: usize = 0
export let STILL: usize = 0
export let FRESH: usize = 0
export let ISLAND: usize = 0
export let SEEN: usize = 0
export let RECORD: usize = 0
export let LAMBDA: usize = 0
/** What is kept with the batch within a substep (collision: contact/apply-impulses.ts). */
export let PREPARED_POSITION: usize = 0
export let PREPARED_ORIENTATION: usize = 0
export let PUSHED: usize = 0
export let JOINED: usize = 0
/** Accelerations of the heavier of two bodies by gravity and forces. */
export let HEFT: usize = 0
export let HAS_JOINED: bool = false

/** Fixed addresses below those that tables get (src/room.ts): the list of columns, then the manifold in hand. */
const COLUMNS: usize = 64
/** c_i or speeds, in the order of the multipliers, and what a pass adds to λ. */
export const RESIDUAL: usize = 256
export const CHANGE: usize = 336
/** Force and moment about the origin of the lever arms. */
export const WRENCH: usize = 416
/** λ of friction in its disc; load Σ λ_i; right-hand sides of the normal rows. */
export const DISC: usize = 464
export const SUM: usize = 480
export const RHS: usize = 496
/** Lever arms of the points [m]. */
export const ARMS: usize = 528
/** Angular parts of the gradients for a and b, and I⁻¹ times them: 27 numbers each. */
export const ANGULAR_A: usize = 624
export const ANGULAR_B: usize = 840
export const MOVED_A: usize = 1056
export const MOVED_B: usize = 1272

/** Takes the addresses of the columns from the list, in the order above. */
export function openManifolds(hasJoined: bool): void {
  POSITION = load<u32>(COLUMNS)
  ORIENTATION = load<u32>(COLUMNS, 4)
  VELOCITY = load<u32>(COLUMNS, 8)
  ANGULAR_VELOCITY = load<u32>(COLUMNS, 12)
  INVERSE_INERTIA = load<u32>(COLUMNS, 16)
  START_POSITION = load<u32>(COLUMNS, 20)
  START_ORIENTATION = load<u32>(COLUMNS, 24)
  BODY = load<u32>(COLUMNS, 28)
  POINTS = load<u32>(COLUMNS, 32)
  CARRIER = load<u32>(COLUMNS, 36)
  TANGENT = load<u32>(COLUMNS, 40)
  ROUND = load<u32>(COLUMNS, 44)
  ANCHOR_B = load<u32>(COLUMNS, 48)
  FRICTION = load<u32>(COLUMNS, 52)
  TORSIONAL = load<u32>(COLUMNS, 56)
  ROLLING = load<u32>(COLUMNS, 60)
  RESTITUTION = load<u32>(COLUMNS, 64)
  MAX_PUSH = load<u32>(COLUMNS, 68)
  FALL = load<u32>(COLUMNS, 72)
  SLENDER = load<u32>(COLUMNS, 76)
  SLIDING = load<u32>(COLUMNS, 80)
  IMPULSE = load<u32>(COLUMNS, 84)
  TOUCHING = load<u32>(COLUMNS, 88)
  STILL = load<u32>(COLUMNS, 92)
  FRESH = load<u32>(COLUMNS, 96)
  ISLAND = load<u32>(COLUMNS, 100)
  SEEN = load<u32>(COLUMNS, 104)
  RECORD = load<u32>(COLUMNS, 108)
  LAMBDA = load<u32>(COLUMNS, 112)
  PREPARED_POSITION = load<u32>(COLUMNS, 116)
  PREPARED_ORIENTATION = load<u32>(COLUMNS, 120)
  PUSHED = load<u32>(COLUMNS, 124)
  JOINED = load<u32>(COLUMNS, 128)
  HEFT = load<u32>(COLUMNS, 132)
  HAS_JOINED = hasJoined
}

/** Bytes of a row's record, and what is where in it. */
export const RECORD_BYTES: usize = 8 * 114
export const FRAME: usize = 0
export const ORIGIN: usize = 8 * 9
export const ARM_N: usize = 8 * 12
export const ARM_T: usize = 8 * 24
export const LOCAL_N: usize = 8 * 30
export const SHARE: usize = 8 * 33
export const POINT: usize = 8 * 37
export const GOAL: usize = 8 * 49
export const BOUNCE: usize = 8 * 53
export const SPREAD: usize = 8 * 57
export const SOFT_FACTOR: usize = 8 * 61
export const RIGID_FACTOR: usize = 8 * 71
export const G_NORMAL: usize = 8 * 81
export const G_CROSS: usize = 8 * 91
export const G_PLANE: usize = 8 * 103
export const G_ROLL: usize = 8 * 109
export const DEEP: usize = 8 * 112
export const FIRST: usize = 8 * 113
