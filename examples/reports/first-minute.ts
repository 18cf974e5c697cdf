/** The first minute, and every day after: gallery and docs as they are built, on a plain static server under a sub-path. */

import { commands } from './first-minute/commands.js'
import { docs } from './first-minute/docs.js'
import { firefox } from './first-minute/firefox.js'
import { firstScreen } from './first-minute/first-screen.js'
import { guideRows } from './first-minute/guide.js'
import { light } from './first-minute/light.js'
import { pictures } from './first-minute/pictures.js'
import { playground } from './first-minute/playground.js'
import { scenePage } from './first-minute/scene-page.js'
import { sideBySide } from './first-minute/side-by-side.js'
import { close } from './first-minute/site.js'
import type { Report } from './report.js'

export const firstMinute: Report = {
  name: 'first-minute',
  title: 'The first minute: gallery and docs, as built, in headless Chromium',
  rows: [
    ...firstScreen,
    ...scenePage,
    ...sideBySide,
    ...playground,
    ...pictures,
    ...commands,
    ...light,
    ...docs,
    ...guideRows,
    ...firefox,
  ],
  close,
}
