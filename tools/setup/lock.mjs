import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Between two looks at a lock that another process holds [ms]. */
const PAUSE = 500

/** Waits until no other process holds the file, takes it, and returns what releases it. */
export async function lock(file) {
  mkdirSync(dirname(file), { recursive: true })
  for (let told = false; !take(file); told = true) {
    if (!told) console.error('set-up: waits for another command that installs')
    await wait(PAUSE)
  }
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  return release
}

/** Takes the file unless a living process holds it. */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (!isHeld(file)) rmSync(file, { force: true })
    return false
  }
}

/** Whether the process that wrote the file is alive; one that is just being written counts as held. */
function isHeld(file) {
  try {
    const holder = readFileSync(file, 'utf8')
    if (holder !== '') process.kill(Number(holder), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
