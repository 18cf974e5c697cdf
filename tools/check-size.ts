// Holds the built packages to their promises: small, shakeable, free of side effects. A few lines over esbuild rather
// than size-limit, whose figures come from the same esbuild, because the side effects need a look of their own.
import { existsSync } from 'node:fs'
import { builtEntry, gzipped, leftovers } from './bundle.js'

const kB = 1000
// What is there now, and 0.2 kB for what gzip makes of it in another version of Node (0.08 was seen): nothing may grow unseen. What is wanted is row 4 of the report `house`.
const limits = [
  {
    name: 'a world with every constraint type',
    limit: 137.4 * kB,
    code: `export { World } from '@tautline/core'; export * from '@tautline/constraints'`,
  },
  {
    name: 'a world with distance',
    limit: 81.6 * kB,
    code: `export { World } from '@tautline/core'; export { distance } from '@tautline/constraints'`,
  },
  {
    name: 'a world with collisions, all of them',
    limit: 183.5 * kB,
    code: `export { World } from '@tautline/core'; export * from '@tautline/collision'`,
  },
  {
    name: 'a world with collisions of box, sphere and plane',
    limit: 106.8 * kB,
    code: `export { World } from '@tautline/core'; export { box, Collisions, plane, sphere } from '@tautline/collision'`,
  },
  {
    // It brings contacts of particles along, which a page of rigid bodies does not carry.
    name: 'cloth in a world, without collisions',
    limit: 151 * kB,
    code: `export { World } from '@tautline/core'; export { cloth } from '@tautline/assemblies'`,
  },
  {
    name: 'the impulse solver by itself: with a world',
    limit: 61.9 * kB,
    code: `export { World } from '@tautline/core'; export { ImpulseSolver } from '@tautline/impulse-compat'`,
  },
  {
    name: 'an IK rig by itself: bones, joints, poses',
    limit: 6 * kB,
    code: `export { Pose, Rig, WorldPose } from '@tautline/ik'`,
  },
  {
    name: 'an IK solver by itself, with every kind of goal',
    limit: 28.5 * kB,
    code: `import { AimGoal, CentreGoal, IkSolver, OrientationGoal, PinGoal, PoleGoal, Pose, PositionGoal, Rig } from '@tautline/ik'
      export { AimGoal, CentreGoal, IkSolver, OrientationGoal, PinGoal, PoleGoal, Pose, PositionGoal, Rig }`,
  },
  {
    name: 'a hull by itself: predicates, volume, and how it meets other shapes',
    limit: 26.5 * kB,
    code: `export { convexHull } from '@tautline/collision'`,
  },
  {
    name: 'bindings to three.js, without it, with a world: bodies, instances, fixed step',
    limit: 55.2 * kB,
    code: `export { World } from '@tautline/core'; export { Bindings, FixedStep } from '@tautline/three'`,
  },
  {
    name: 'all of the binding to three.js, without it, with a world',
    limit: 103.3 * kB,
    code: `export { World } from '@tautline/core'; export * from '@tautline/three'`,
  },
  {
    name: 'a page with a world in a worker: without a world of its own',
    limit: 10.4 * kB,
    code: `export { connect } from '@tautline/worker'`,
  },
  {
    name: 'a worker that serves a world with collisions, and no types',
    limit: 183.7 * kB,
    code: `export { serve } from '@tautline/worker/host'`,
  },
  {
    name: 'kernels by themselves, without a world',
    limit: 30.7 * kB,
    code: `export { simd } from '@tautline/simd'`,
  },
]
const packages = ['core', 'constraints', 'collision', 'assemblies', 'impulse-compat', 'ik', 'three', 'worker', 'simd']

const missing = packages.filter((name) => !existsSync(builtEntry(name)))
if (missing.length > 0) {
  console.error(`Nothing built for ${missing.join(', ')}: npm run build first.`)
  process.exit(1)
}

let failed = 0
const report = (holds: boolean, text: string) => {
  if (!holds) failed++
  console.log(`${holds ? 'ok  ' : 'FAIL'}  ${text}`)
}

for (const { name, limit, code } of limits) {
  const bytes = await gzipped(code, 'dist')
  report(bytes <= limit, `${name}: ${(bytes / kB).toFixed(2)} kB of ${limit / kB} kB gzipped`)
}

// Scratch arrays need `/* @__PURE__ */` before `new Float64Array(…)`.
for (const name of packages) {
  const left = await leftovers(`@tautline/${name}`, 'dist')
  report(left === '', `import '@tautline/${name}' leaves ${left === '' ? 'nothing' : `\n${left}`}`)
}
process.exitCode = failed === 0 ? 0 : 1
