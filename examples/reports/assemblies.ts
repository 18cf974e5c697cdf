/** Cloth, ropes, rods and soft bodies in one call. */

import type { Report } from './report.js'
import { balls } from './assemblies/ball.js'
import { cape } from './assemblies/cape.js'
import { clothRows } from './assemblies/cloth.js'
import { draped } from './assemblies/draped.js'
import { drapeRows } from './assemblies/drape.js'
import { loads } from './assemblies/loads.js'
import { memoryRows } from './assemblies/memory.js'
import { rest } from './assemblies/passive.js'
import { pins } from './assemblies/pins.js'
import { rods } from './assemblies/rod.js'
import { ropes } from './assemblies/rope.js'
import { self } from './assemblies/self.js'
import { softRows } from './assemblies/soft.js'
import { softSpeed } from './assemblies/soft-speed.js'
import { speed } from './assemblies/speed.js'

export const assemblies: Report = {
  name: 'assemblies',
  title: 'Assemblies: cloth, ropes, rods and soft bodies, and particles that collide',
  rows: [
    ...speed,
    ...softSpeed,
    ...self,
    ...cape,
    ...pins.slice(0, 1),
    ...clothRows.slice(0, 2),
    ...ropes,
    ...rods,
    ...softRows.slice(0, 4),
    ...loads.slice(0, 3),
    ...drapeRows,
    ...clothRows.slice(2),
    ...softRows.slice(4),
    ...memoryRows,
    ...rest,
    ...draped,
    ...balls,
    ...loads.slice(3),
    ...pins.slice(1),
  ],
}
