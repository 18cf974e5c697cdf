/** What can be shown of a world besides its bodies: the setting that all exhibits with a world have. No DOM. */

import type { Exhibit } from './exhibit.js'
import type { ChoiceSetting, Setting } from './settings.js'

/** A choice, and the categories of lines that it shows. */
export const SHOWN = {
  nothing: [],
  joints: ['joints', 'limits', 'links'],
  contacts: ['contacts'],
  forces: ['forces'],
  all: ['joints', 'limits', 'links', 'contacts', 'forces'],
} as const

const SHOW: ChoiceSetting = {
  kind: 'choice',
  name: 'show',
  label: 'Show',
  options: [
    ['nothing', 'Bodies alone'],
    ['joints', 'Joints and links'],
    ['contacts', 'Contacts'],
    ['forces', 'Forces'],
    ['all', 'All of it'],
  ],
  value: 'nothing',
  live: true,
}

/** The settings of an exhibit, with what its page adds: poses have no joints or forces to show. */
export function settingsOf({ settings, group }: Exhibit): readonly Setting[] {
  return group === 'Inverse kinematics' ? settings : [...settings, SHOW]
}
