/** A text of the playground as a project of one's own: an archive with all but the packages. No DOM. */

import { strToU8, zipSync } from 'fflate'

const INDEX = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>A scene</title>
    <style>
      body { margin: 0; overflow: hidden }
      canvas { display: block }
    </style>
  </head>
  <body>
    <script type="module" src="/src/main.ts"></script>
  </body>
</html>
`

const MAIN = `import { World } from '@tautline/core'
import { DebugLines, FixedStep } from '@tautline/three'
import { Box3, Color, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three'
import * as exported from './scene'

const world = Object.values(exported).find((value) => value instanceof World)
if (world === undefined) throw new TypeError('src/scene.ts must export a World')

const scene = new Scene()
scene.background = new Color('#eceae5')
const lines = new DebugLines(world)
scene.add(lines)

const bounds = new Box3()
for (const { position: [x, y, z] } of world.bodies.all()) bounds.expandByPoint(new Vector3(x, y, z))
const centre = bounds.getCenter(new Vector3())
const radius = 0.75 * bounds.getSize(new Vector3()).length() + 1
const camera = new PerspectiveCamera(40, 1, 0.01, 100 * radius)
camera.position.copy(centre).add(new Vector3(0.4, 0.25, 1).multiplyScalar(2.6 * radius))
camera.lookAt(centre)

const renderer = new WebGLRenderer({ antialias: true })
document.body.append(renderer.domElement)
const resize = () => {
  renderer.setSize(innerWidth, innerHeight)
  camera.aspect = innerWidth / innerHeight
  camera.updateProjectionMatrix()
}
addEventListener('resize', resize)
resize()

const stepper = new FixedStep(world)
let last = performance.now()
renderer.setAnimationLoop((now) => {
  stepper.advance((now - last) / 1000)
  last = now
  lines.update()
  renderer.render(scene, camera)
})
`

const READ_ME = `# A scene of Tautline

The packages are not on a registry yet. In a clone of the repository, \`npm run archives\` packs them into the folder \`archives\`;
take its path in place of \`~/tautline\` below.

    npm install
    npm install ~/tautline/archives/*.tgz
    npm start

The scene is \`src/scene.ts\`; \`src/main.ts\` draws its bodies as lines.
`

/** The project of a text as a zip archive. */
export function projectOf(text: string, three: string): Uint8Array<ArrayBuffer> {
  const manifest = {
    name: 'tautline-scene',
    private: true,
    type: 'module',
    scripts: { start: 'vite --open', build: 'vite build' },
    dependencies: { three },
    devDependencies: { '@types/three': three, typescript: '^5.9.0', vite: '^7.0.0' },
  }
  const files: Record<string, string> = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'index.html': INDEX,
    'README.md': READ_ME,
    'src/main.ts': MAIN,
    'src/scene.ts': text,
  }
  const entries = Object.entries(files).map(([name, content]) => [`tautline-scene/${name}`, strToU8(content)] as const)
  return zipSync(Object.fromEntries(entries)) as Uint8Array<ArrayBuffer>
}
