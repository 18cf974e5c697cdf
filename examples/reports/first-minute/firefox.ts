/** Rows 10: Firefox, where it is installed: it takes pictures by itself, without a driver. */

import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { findChromium, whyNoChromium } from '../../lib/chromium.js'
import { DESKTOP } from '../gallery/browser.js'
import { comparePictures, isBlank } from '../gallery/pictures.js'
import { type Measured, type ReportRow, skipped } from '../report.js'
import { siteAddress, visit } from './site.js'

const NAMES = ['firefox', 'firefox-esr']
/** [s] */
const PATIENCE = 60

function findFirefox(): string | undefined {
  const { FIREFOX, PATH = '' } = process.env
  const files =
    FIREFOX === undefined
      ? PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)))
      : [FIREFOX]
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Runs a program to its end, while this process serves the pages that it asks for. Says how it ended. */
function ended(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(file, args, { timeout: 1000 * PATIENCE, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => (said += String(chunk)))
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(`${signal ?? `status ${code ?? 'none'}`} ${said.trim().slice(-100)}`))
  })
}

/** A picture of a page as Firefox draws it, decoded by Chromium. */
async function look(path: string): Promise<Measured> {
  const firefox = findFirefox()
  if (firefox === undefined)
    return skipped(`no Firefox (none of ${NAMES.join(', ')} on the path; FIREFOX says where it is)`)
  if (findChromium() === undefined) return skipped(whyNoChromium())
  const folder = mkdtempSync(join(tmpdir(), 'tautline-firefox-'))
  try {
    const file = join(folder, 'page.png')
    const address = (await siteAddress()) + path
    const profile = join(folder, 'profile')
    mkdirSync(profile)
    const said = await ended(firefox, [
      '--headless',
      '--profile',
      profile,
      '--window-size=1280,800',
      '--screenshot',
      file,
      address,
    ])
    if (!existsSync(file)) return { figures: `Firefox wrote no picture: ${said}`, holds: false }
    const url = `data:image/png;base64,${readFileSync(file).toString('base64')}`
    const compared = await visit('', DESKTOP, ({ page }) => comparePictures(page, url, url))
    const blank = isBlank(compared)
    return {
      figures: `${compared.colours} colours${blank === undefined ? '' : `: ${blank}`}`,
      holds: blank === undefined,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const PAGES: readonly (readonly [path: string, what: string])[] = [
  ['', 'The site’s first page'],
  ['gallery/', 'The gallery'],
  ['gallery/#/rope', 'A scene'],
  ['method.html', 'The method with its equations'],
]

export const firefox: readonly ReportRow[] = PAGES.map(([path, what], k) => ({
  id: `10.${k + 1}`,
  claim: `${what} shows in Firefox`,
  asked: 'a picture that is not blank',
  scene: `1280×800, headless, /${path}`,
  measure: () => look(path),
}))
