import { expect, test } from 'vitest'
import { parseObj } from '../lib/obj.js'

test('reads vertices and faces, and skips the rest', () => {
  const text = `
# a comment
mtllib a.mtl
o thing
v 0 0 0
v 1.5e0 0 -0.25 1.0  # with a weight
vt 0.5 0.5
vn 0 0 1
v 0 +1 0
usemtl red
f 1/1/1 2//1 3
`
  expect(parseObj(text)).toEqual({ positions: [0, 0, 0, 1.5, 0, -0.25, 0, 1, 0], triangles: [0, 1, 2] })
})

test('negative indices count back from the face, polygons become fans, lines may be continued', () => {
  const text = 'v 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nf -4 -3 \\\r\n-2 -1\r\nv 9 9 9\r\nf -1 1 2\r\n'
  expect(parseObj(text).triangles).toEqual([0, 1, 2, 0, 2, 3, 4, 0, 1])
})

test.each<[string, string, RegExp]>([
  ['an empty file', '', /^house: file must have vertices/],
  ['no faces', 'v 0 0 0', /^house: file must have faces/],
  ['a word for a number', 'v 0 zero 0\nf 1 1 1', /line 1: a coordinate must be a finite number, got "zero"/],
  ['two coordinates', '\nv 0 0', /line 2: a vertex must have three coordinates, got 2/],
  ['two corners', 'v 0 0 0\nf 1 1', /line 2: a face must have three corners or more, got 2/],
  ['an index of 0', 'v 0 0 0\nf 0 1 1', /line 2: a face index must be one of the 1 vertices above it, got "0"/],
  ['an index beyond', 'v 0 0 0\nf 1 2 1', /got "2"/],
  ['an index before', 'v 0 0 0\nf 1 -2 1', /got "-2"/],
  ['an index that is none', 'v 0 0 0\nf 1 /1 1', /got "\/1"/],
])('refuses %s', (_, text, message) => {
  expect(() => parseObj(text, 'house')).toThrow(message)
})
