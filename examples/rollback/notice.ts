/** What the server says to a player, as JSON; packets between players are binary, and it does not look into them. */

import type { Player } from './packet.js'

export type Notice =
  /** A seat, and what brings one back to it. */
  | { readonly type: 'joined'; readonly player: Player; readonly token: string }
  /** Both are there: a match begins. */
  | { readonly type: 'start'; readonly match: number }
  /** One's own seat again: the match goes on. */
  | { readonly type: 'resumed' }
  /** The other one's connection is lost; it is here again; its seat is given up. */
  | { readonly type: 'away' | 'back' | 'left' }
  /** There is no seat. */
  | { readonly type: 'full' }

/** The notice in a text of the server; throws `TypeError` where it is none. */
export function noticeOf(text: string): Notice {
  const notice = JSON.parse(text) as Notice
  if (typeof notice?.type !== 'string') throw new TypeError(`notice: type must be a text, got ${text}`)
  return notice
}
