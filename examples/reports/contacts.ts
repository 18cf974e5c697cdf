/** Contacts: stacks, overlap, friction, restitution, mass ratios, packing, rest, conservation, speed. */

import { conservation } from './contacts/conservation.js'
import { friction } from './contacts/friction.js'
import { narrow } from './contacts/narrow.js'
import { overlap } from './contacts/overlap.js'
import { packing } from './contacts/packing.js'
import { ratios } from './contacts/ratios.js'
import { rest } from './contacts/rest.js'
import { restitution } from './contacts/restitution.js'
import { speeds } from './contacts/speed.js'
import { stacks } from './contacts/stacks.js'
import type { Report } from './report.js'

const rows = [
  ...stacks,
  ...overlap,
  ...friction,
  ...restitution,
  ...ratios,
  ...packing,
  ...rest,
  ...narrow,
  ...conservation,
  ...speeds,
]

export const contacts: Report = {
  name: 'contacts',
  title: 'Contacts: what stands, parts, sticks, rolls, bounces and rests, and how fast',
  rows: rows.sort((r, s) => Number(r.id) - Number(s.id)),
}
