/** Scenes have the state hashes of the list on this engine; report `engines` runs them on others. */

import { expect, test } from 'vitest'
import { type EngineScene, runScene, type SceneRun } from '../engines/entry.js'
import { differences, scenesOf, SHORT } from '../engines/recorded.js'

test('every scene has the hash of the list; npm run hashes writes the list anew', () => {
  const runs = scenesOf(SHORT).map((scene) => runScene(scene, SHORT))
  expect(differences(runs, SHORT)).toEqual([])
})

test('a hash that differs is told by scene, first step and largest difference in pose', () => {
  const scene = scenesOf(SHORT).find(({ name }) => name === 'attack-2') as EngineScene
  // One body is a millimetre higher from the start.
  const def = JSON.parse(scene.json) as { bodies: { type: string; position: number[] }[] }
  def.bodies.find(({ type }) => type === 'dynamic')!.position[1] += 1e-3
  const messages = differences([runScene({ ...scene, json: JSON.stringify(def) }, SHORT)], SHORT, listOf('attack-2'))
  expect(messages).toHaveLength(1)
  expect(messages[0]).toMatch(
    /^attack-2: differs first after step 1; after step 60 poses differ by up to \S+ m \(body \d\)/,
  )
})

test('a scene that did not run, and one that is not in the list, are told', () => {
  const run: SceneRun = { name: 'new', hashes: { [SHORT]: 'a' }, trail: '', poses: { [SHORT]: [] } }
  expect(differences([run], SHORT, listOf('stack'))).toEqual(['stack: did not run', 'new: is not in the list'])
})

/** A list of one scene, with a hash that no state has. */
function listOf(name: string): Record<string, Record<string, string>> {
  return { [SHORT]: { [name]: 'none' } }
}
