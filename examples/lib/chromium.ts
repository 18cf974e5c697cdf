/** A headless Chromium for pages of this repository: where it is, and how it is started. */

import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Pictures are drawn by the processor, the same on every machine; nothing is fetched but what a page asks for. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The file of the browser: `CHROMIUM`, or the first of the usual names on the path. */
export function findChromium(): string | undefined {
  const { CHROMIUM, PATH = '' } = process.env
  if (CHROMIUM !== undefined && CHROMIUM !== '') return existsSync(CHROMIUM) ? CHROMIUM : undefined
  const files = ['/usr/bin', ...PATH.split(delimiter)].flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return files.find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Why there is none, in a line. */
export function whyNoChromium(): string {
  const { CHROMIUM } = process.env
  return CHROMIUM !== undefined && CHROMIUM !== ''
    ? `no Chromium (CHROMIUM=${CHROMIUM} is not there)`
    : `no Chromium (none of ${NAMES.join(', ')} on the path; CHROMIUM=/path/to/it says where it is)`
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: FLAGS })
}
