/** All exhibits, in the order of the first page. */

import type { Exhibit } from '../exhibit.js'
import { arch } from './arch.js'
import { arm } from './arm.js'
import { balance } from './balance.js'
import { bridge } from './bridge.js'
import { bunnyCloth } from './bunny-cloth.js'
import { cape } from './cape.js'
import { cards } from './cards.js'
import { character } from './character.js'
import { cradle } from './cradle.js'
import { curtain } from './curtain.js'
import { drive } from './drive.js'
import { fallingCloth } from './falling-cloth.js'
import { flag } from './flag.js'
import { gameCar } from './game-car.js'
import { gameDoors } from './game-doors.js'
import { gameGrapple } from './game-grapple.js'
import { gameTriggers } from './game-triggers.js'
import { gameWalk } from './game-walk.js'
import { hammock } from './hammock.js'
import { hangingCloth } from './hanging-cloth.js'
import { heavyRope } from './heavy-rope.js'
import { ikChain } from './ik-chain.js'
import { ikHand } from './ik-hand.js'
import { ikHumanoid } from './ik-humanoid.js'
import { joints } from './joints.js'
import { net } from './net.js'
import { overlap } from './overlap.js'
import { ownMesh } from './own-mesh.js'
import { wave } from './pendulum-wave.js'
import { pile } from './pile.js'
import { pyramid } from './pyramid.js'
import { ragdoll } from './ragdoll.js'
import { ramp } from './ramp.js'
import { seat } from './seat.js'
import { softBody } from './soft-body.js'
import { stack } from './stack.js'
import { tumbling } from './tumbling.js'
import { twoSolvers } from './two-solvers.js'
import { winch } from './winch.js'
import { writeYourOwn } from './write-your-own.js'
import { yarn } from './yarn.js'

export const EXHIBITS: readonly Exhibit[] = [
  heavyRope,
  hangingCloth,
  fallingCloth,
  bunnyCloth,
  cape,
  curtain,
  flag,
  winch,
  yarn,
  softBody,
  hammock,
  ragdoll,
  character,
  balance,
  seat,
  drive,
  joints,
  bridge,
  net,
  wave,
  tumbling,
  stack,
  pyramid,
  arch,
  ramp,
  overlap,
  cradle,
  cards,
  pile,
  gameCar,
  gameGrapple,
  gameDoors,
  gameTriggers,
  gameWalk,
  ikChain,
  ikHand,
  ikHumanoid,
  arm,
  twoSolvers,
  writeYourOwn,
  ownMesh,
]

/** The exhibit of an id. */
export function exhibitOf(id: string): Exhibit | undefined {
  return EXHIBITS.find((exhibit) => exhibit.id === id)
}
