import type { Shape } from '../shape.js'
import type { ManifoldList } from './manifold.js'

export function collideApart(_a: Shape, _b: Shape, _T: Float64Array, _margin: number, _list: ManifoldList): void {}
