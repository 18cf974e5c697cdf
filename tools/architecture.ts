// Draws the pictures of docs/architecture.md from the sources: `npm run docs:architecture`. With --check nothing is written, and a picture
// that would change fails: a part of `npm run docs:check`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { architecturePictures } from './docs/architecture.js'

for (const [file, picture] of await architecturePictures()) {
  const isStale = !existsSync(file) || readFileSync(file, 'utf8') !== picture
  if (!process.argv.includes('--check')) writeFileSync(file, picture)
  else if (isStale) {
    console.error(`${file} is stale: npm run docs:architecture`)
    process.exitCode = 1
  }
  console.log(`${file}: ${isStale ? 'drawn anew' : 'as the sources have it'}`)
}
