/** The page with a world in a worker, built by Vite and served, isolated or not, in a headless Chromium. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build, defaultClientConditions, preview, type PreviewServer } from 'vite'
import { findChromium, launchChromium } from './chromium.js'

const root = fileURLToPath(new URL('../worker-page/', import.meta.url))
/** A page that says so may share memory with its workers. */
const ISOLATING = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }
const PORT = 4373

/** A browser with the page, ready. */
export interface OpenPage {
  page: Page
  close(): Promise<void>
}

/** Builds, serves and opens it. There must be a Chromium. */
export async function openWorkerPage(isolated: boolean): Promise<OpenPage> {
  const outDir = mkdtempSync(join(tmpdir(), 'worker-page-'))
  let browser: Browser | undefined
  let server: PreviewServer | undefined
  const close = async (): Promise<void> => {
    await browser?.close()
    await server?.close()
    rmSync(outDir, { recursive: true, force: true })
  }
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      root,
      resolve: { conditions: ['@tautline/source', ...defaultClientConditions] },
      worker: { format: 'es' },
      build: { outDir, target: 'es2022', rolldownOptions: { checks: { invalidAnnotation: false } } },
    })
    server = await preview({
      configFile: false,
      logLevel: 'error',
      root,
      build: { outDir },
      preview: { port: PORT, host: 'localhost', ...(isolated && { headers: ISOLATING }) },
    })
    browser = await launchChromium(findChromium() as string)
    const page = await browser.newPage()
    await page.goto(server.resolvedUrls?.local[0] as string)
    await page.waitForFunction('window.workerPage !== undefined')
    return { page, close }
  } catch (error) {
    await close()
    throw error
  }
}
