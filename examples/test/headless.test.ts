import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { PoseResult, SkippedScene } from '../scenes/ik/index.js'
import { sample } from '../lib/thorough.js'

const PROGRAM = fileURLToPath(new URL('../headless.ts', import.meta.url))
const FOLDER = mkdtempSync(join(tmpdir(), 'tautline-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

/** Where a range has no width, a joint in it is off by this [rad]. */
const ROUND_OFF = 1e-14
/** A goal is met within 1e-4 of the rig's reach, which is below 2 m. */
const ONE_MILLIMETRE = 1e-3

interface Run {
  status: number | null
  stdout: string
  stderr: string
}

function headless(...args: string[]): Run {
  return run(args, process.env)
}

/** The same where the data folder has nothing. */
function headlessWithout(...args: string[]): Run {
  return run(args, { ...process.env, TAUTLINE_DATA: FOLDER })
}

function run(args: readonly string[], env: NodeJS.ProcessEnv): Run {
  const node = ['--import', 'tsx', '--conditions=@tautline/source', PROGRAM]
  return spawnSync(process.execPath, [...node, ...args], { encoding: 'utf8', env })
}

function file(name: string, text: string): string {
  const path = join(FOLDER, name)
  writeFileSync(path, text)
  return path
}

const TETRAHEDRON = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n'

test('prints a table, progress beside it', () => {
  const { status, stdout, stderr } = headless('--scene', 'rope', '--steps', '8')
  expect(status).toBe(0)
  expect(stdout).toMatch(/^scene +bodies +constraints.*\n-.*\nrope +21 /)
  expect(stderr).toMatch(/rope 100 %/)
})

test('prints JSON alone with --json', () => {
  const { status, stdout } = headless('--scene', 'rope', '--steps', '3', '--json')
  expect(status).toBe(0)
  const [result] = JSON.parse(stdout)
  expect(result).toMatchObject({ scene: 'rope', steps: 3, nonFinite: [] })
})

test('poses an arm, and says what is skipped where files are not there', () => {
  const { status, stdout } = headlessWithout('--scene', 'arm', '--scene', 'reach', '--scene', 'pinch', '--steps', '30')
  expect(status).toBe(0)
  expect(stdout).toMatch(/^poses +bones +goals.*\n-.*\narm +6 +2 +30 +0 /)
  expect(stdout).toMatch(/\nreach: skipped, as mocap\/01_01\.bvh is not in/)
  expect(stdout).toMatch(/\npinch: skipped, as hands\/right\.glb is not in/)
})

test('poses the hand of an npm package where the data folder has nothing', ({ skip }) => {
  const { status, stdout } = headlessWithout('--scene', 'pinch-npm', '--json')
  expect(status).toBe(0)
  const [result]: (PoseResult | SkippedScene)[] = JSON.parse(stdout)
  if ('skipped' in result) return skip(result.skipped)
  expect(result).toMatchObject({ scene: 'pinch-npm', bones: 25, frames: 120, unmet: 0 })
  expect(result.worstError.linear).toBeLessThan(ONE_MILLIMETRE)
})

test('poses real files, inside limits and without a goal unmet (skipped without ../shared/data)', ({ skip }) => {
  const { status, stdout } = headless('--scene', 'reach', '--scene', 'pinch', '--json')
  expect(status).toBe(0)
  const results: (PoseResult | SkippedScene)[] = JSON.parse(stdout)
  const poses = results.filter((result): result is PoseResult => !('skipped' in result))
  if (poses.length === 0) skip('no ../shared/data')
  for (const { scene, unmet, violation, worstError } of poses) {
    expect([scene, unmet]).toEqual([scene, 0])
    expect(violation).toBeLessThan(ROUND_OFF)
    expect(worstError.linear).toBeLessThan(ONE_MILLIMETRE)
  }
})

test('takes a mesh of your own', () => {
  const { status, stdout } = headless('--mesh', file('tetrahedron.obj', TETRAHEDRON), '--steps', '5', '--json')
  expect(status).toBe(0)
  expect(JSON.parse(stdout).map(({ scene }: { scene: string }) => scene)).toEqual(['cloth', 'soft-body'])
})

test.each<[string, string[], RegExp]>(
  sample<[string, string[], RegExp]>(
    [
      [
        'a scene that there is not',
        ['--scene', 'ropes'],
        /--scene must be one of rope, cloth, soft-body, ragdoll, pile, cards, arm, reach, pinch, pinch-npm, got ropes/,
      ],
      ['an option that there is not', ['--scenes'], /--scenes/],
      ['half a step', ['--steps', '0.5'], /--steps must be an integer >= 1, got 0.5/],
      ['a file that there is not', ['--mesh', join(FOLDER, 'none.obj')], /ENOENT.*none\.obj/],
      ['a file that is no OBJ', ['--mesh', file('bad.obj', 'v 0 0 x')], /bad\.obj: line 1: a coordinate must be/],
      [
        'a mesh that is open',
        ['--mesh', file('open.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3'), '--scene', 'soft-body'],
        /closed/,
      ],
      [
        'a mesh for a rope',
        ['--mesh', file('ok.obj', TETRAHEDRON), '--scene', 'rope'],
        /--mesh goes with the scenes cloth/,
      ],
    ],
    4,
  ),
)('refuses %s with status 2 and one line', (_, args, message) => {
  const { status, stdout, stderr } = headless(...args)
  expect(stderr).toMatch(message)
  expect(stderr.trim().split('\n').length).toBe(1)
  expect([status, stdout]).toEqual([2, ''])
})
