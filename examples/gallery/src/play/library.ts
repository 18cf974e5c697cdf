/** What a text in the playground may import: packages by name, and by path what exhibits are made of. */

import * as assemblies from '@tautline/assemblies'
import * as collision from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import * as core from '@tautline/core'
import * as kernel from '@tautline/core/kernel'
import * as ik from '@tautline/ik'
import * as poses from '@tautline/ik/poses'
import * as impulses from '@tautline/impulse-compat'
import * as kernels from '@tautline/simd'
import * as binding from '@tautline/three'
import * as bindingAssemblies from '@tautline/three/assemblies'
import * as matrix from 'gl-matrix'
import * as three from 'three'
import { Recording } from './recording.js'

type Module = Readonly<Record<string, unknown>>

/** Worlds in the order in which the text has made them. */
export const worlds: core.World[] = []

/** A world that the text has made: what it does there is recorded. */
export class WatchedWorld extends core.World {
  readonly recording: Recording

  constructor(...options: ConstructorParameters<typeof core.World>) {
    super(...options)
    this.recording = new Recording(this)
    worlds.push(this)
  }

  override step(...dt: Parameters<core.World['step']>): void {
    this.recording.add()
    super.step(...dt)
  }

  override advance(frameTime: number): number {
    this.recording.add()
    return super.advance(frameTime)
  }
}

const PACKAGES: Readonly<Record<string, Module>> = {
  '@tautline/assemblies': assemblies,
  '@tautline/collision': collision,
  '@tautline/constraints': constraints,
  '@tautline/core': { ...core, World: WatchedWorld },
  '@tautline/core/kernel': kernel,
  '@tautline/ik': ik,
  '@tautline/ik/poses': poses,
  '@tautline/impulse-compat': impulses,
  '@tautline/simd': kernels,
  '@tautline/three': binding,
  '@tautline/three/assemblies': bindingAssemblies,
  'gl-matrix': matrix,
  three,
}

/** By path, as a file in `exhibits` has it. */
const FILES: Readonly<Record<string, Module>> = {
  ...import.meta.glob<Module>(
    [
      '../*.ts',
      '!../{main,gallery,handle,exhibit-page,page-handle,load,catalogue,trial,draggables}.ts',
      '!../{ten-lines,globals.d}.ts',
    ],
    { eager: true },
  ),
  ...import.meta.glob<Module>(['../exhibits/*.ts', '!../exhibits/index.ts'], { eager: true }),
  ...import.meta.glob<Module>(
    '../../../scenes/{cloth,cradle,every-type,joint-zoo,loaded-bridge,paper,ragdoll,soft-body}.ts',
    {
      eager: true,
    },
  ),
  ...import.meta.glob<Module>('../../../scenes/{assemblies,games}/*.ts', { eager: true }),
  ...import.meta.glob<Module>('../../../scenes/contacts/{friction,overlap,piles,stacks}.ts', { eager: true }),
  ...import.meta.glob<Module>('../../../scenes/ik/{arm,figure-10,hand,humanoid}.ts', { eager: true }),
  ...import.meta.glob<Module>('../../../scenes/impulse/{chains,comparison,friction-ramp,pendulum-wave}.ts', {
    eager: true,
  }),
  ...import.meta.glob<Module>('../../../scenes/trees/{adult-ragdoll,cloth}.ts', { eager: true }),
  ...import.meta.glob<Module>('../../../lib/{bunny,grid,length,mesh,pad,random}.ts', { eager: true }),
  ...import.meta.glob<Module>('../../../mannequin/{skeleton,clips}.ts', { eager: true }),
}

/** The module of a name. Throws `RangeError` for what there is not. */
export function moduleOf(name: string): Module {
  const path = name.replace(/\.js$/, '.ts')
  const found = PACKAGES[name] ?? FILES[path] ?? FILES[path.replace(/^\.\//, '../exhibits/')]
  if (found !== undefined) return found
  throw new RangeError(`import must be one of ${Object.keys(PACKAGES).join(', ')}, got ${name}`)
}
