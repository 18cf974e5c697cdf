/** Trust: nothing corrupts a world, and users can test their own. */

import type { Report } from './report.js'
import { files } from './trust/files.js'
import { fuzzing } from './trust/fuzzing.js'
import { input } from './trust/input.js'
import { mutation } from './trust/mutation.js'
import { room } from './trust/room.js'
import { soaking } from './trust/soaking.js'
import { state } from './trust/state.js'
import { testing } from './trust/testing.js'

export const trust: Report = {
  name: 'trust',
  title: 'Trust: what corrupts a world, what is taken that should not be, and how users test their own',
  rows: [...state, ...room, ...fuzzing, ...input, ...files, ...soaking, ...testing, ...mutation].sort((r, s) =>
    r.id.localeCompare(s.id, 'en', { numeric: true }),
  ),
}
