import { describe, expect, test } from 'vitest'
import { parseGlb } from '../lib/glb.js'
import { packageFile } from '../scenes/ik/data.js'

/** A .glb of a JSON part and bytes behind it. */
function glb(json: object, binary: ArrayBuffer = new ArrayBuffer(0)): ArrayBuffer {
  const text = new TextEncoder().encode(JSON.stringify(json).padEnd(4 * Math.ceil(JSON.stringify(json).length / 4)))
  const bytes = new Uint8Array(12 + 8 + text.length + 8 + binary.byteLength)
  const view = new DataView(bytes.buffer)
  ;[0x46546c67, 2, bytes.length, text.length, 0x4e4f534a].forEach((x, k) => view.setUint32(4 * k, x, true))
  bytes.set(text, 20)
  view.setUint32(20 + text.length, binary.byteLength, true)
  view.setUint32(24 + text.length, 0x004e4942, true)
  bytes.set(new Uint8Array(binary), 28 + text.length)
  return bytes.buffer
}

/** One triangle: three corners, then three indices. */
const BINARY = new ArrayBuffer(44)
new Float32Array(BINARY, 0, 9).set([0, 0, 0, 1, 0, 0, 0, 1, 0])
new Uint16Array(BINARY, 36, 3).set([0, 1, 2])
const TRIANGLE = {
  asset: { version: '2.0' },
  scenes: [{ nodes: [0] }],
  nodes: [
    { children: [1], translation: [0, 0, 5], scale: [2, 2, 2] },
    { mesh: 0, rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
  ],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' },
    { bufferView: 1, componentType: 5123, count: 3, type: 'SCALAR' },
  ],
  bufferViews: [{ buffer: 0 }, { buffer: 0, byteOffset: 36 }],
}

describe('binary glTF', () => {
  test('is read where its nodes put it', () => {
    const { positions, triangles } = parseGlb(glb(TRIANGLE, BINARY))
    const expected = [0, 0, 5, 0, 2, 5, -2, 0, 5]
    expect(positions.length).toBe(9)
    expected.forEach((x, k) => expect(positions[k]).toBeCloseTo(x, 12))
    expect([...Array.from(triangles)]).toEqual([0, 1, 2])
  })

  test('of a real file has its triangles, all of them within it', ({ skip }) => {
    const file = packageFile('@webxr-input-profiles/assets', 'dist/profiles/generic-hand/left.glb')
    if ('missing' in file) return skip(file.missing)
    const { positions, triangles } = parseGlb(new Uint8Array(file.bytes).buffer, 'left.glb')
    expect(triangles.length % 3).toBe(0)
    expect(triangles.length).toBeGreaterThan(1000)
    expect(Array.from(positions).every((x) => Number.isFinite(x) && Math.abs(x) < 1)).toBe(true)
  })

  test('says what is wrong', () => {
    expect(() => parseGlb(new ArrayBuffer(40), 'x.glb')).toThrow(/^x\.glb: file must be a binary glTF/)
    expect(() => parseGlb(glb({ ...TRIANGLE, extensionsRequired: ['KHR_draco_mesh_compression'] }))).toThrow(
      /KHR_draco/,
    )
    expect(() => parseGlb(glb(TRIANGLE))).toThrow(/accessor 0 must lie in the file/)
    expect(() => parseGlb(glb({ nodes: [{ children: [0] }] }))).toThrow(/triangles, got none/)
    expect(() => parseGlb(glb({ scenes: [{ nodes: [0] }], nodes: [{ children: [0] }] }))).toThrow(/must be a tree/)
  })
})
