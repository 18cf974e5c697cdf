/** The gallery in a real browser: what a visitor sees and does, on the built page. */

import { close } from './gallery/browser.js'
import { dragging } from './gallery/dragging.js'
import { editor } from './gallery/editor.js'
import { links } from './gallery/links.js'
import { people } from './gallery/people.js'
import { speed } from './gallery/speed.js'
import { start } from './gallery/start.js'
import { runs, wholePages } from './gallery/visits.js'
import type { Report } from './report.js'

export const gallery: Report = {
  name: 'gallery',
  title: 'The gallery: every scene in headless Chromium',
  rows: [...runs, ...wholePages, ...dragging, ...editor, ...links, ...speed, ...people, ...start].sort(
    (r, s) => Number(r.id) - Number(s.id),
  ),
  close,
}
