// Draws the picture of docs/architecture.md from the sources: `npm run docs:architecture`. With --check nothing is written, and a picture
// that would change fails: a part of `npm run docs:check`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { architecturePicture, PICTURE } from './docs/architecture.js'

const picture = await architecturePicture()
const isStale = !existsSync(PICTURE) || readFileSync(PICTURE, 'utf8') !== picture
if (!process.argv.includes('--check')) writeFileSync(PICTURE, picture)
else if (isStale) {
  console.error(`${PICTURE} is stale: npm run docs:architecture`)
  process.exitCode = 1
}
console.log(`${PICTURE}: ${isStale ? 'drawn anew' : 'as the sources have it'}`)
