/** One scene in a process of its own, so that what one teaches the compiler does not slow the next: `child.mjs SCENE NUDGE`. */

import { runScene } from './run-scene.js'
import { SCENES } from './scenes/index.js'

const [name, nudge] = process.argv.slice(2)
const scene = SCENES.find((other) => other.name === name)
if (scene === undefined) throw new RangeError(`accept: scene must be one of the gate's, got ${name}`)
process.send?.(await runScene(scene, Number(nudge)))
process.disconnect()
