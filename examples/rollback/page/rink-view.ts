/** The rink, drawn: ice, boards and goals, what moves, and ropes. */

import {
  BoxGeometry,
  type BufferGeometry,
  CapsuleGeometry,
  CircleGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  ExtrudeGeometry,
  Group,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  PlaneGeometry,
  RingGeometry,
  Scene,
  Shape,
  SphereGeometry,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three'
import { type Form, type Match, RINK } from '../match.js'
import type { Player } from '../packet.js'
import type { ShownPoses } from './shown-poses.js'

/** Vertical angle of view [°], and how far above the ice the camera looks down from [rad]. */
const [FIELD, TILT] = [30, 0.95]
/** Sharper than this is not seen. */
const MOST_PIXELS = 2
/** Of a rope, and of the boards' width [m]. */
const [ROPE_RADIUS, BOARD] = [0.035, 0.25]
/** Share of the picture that the rink may take, across and up: what is above is for the score, below for thumbs. */
const [FIT_X, FIT_TOP, FIT_BOTTOM] = [0.97, 0.78, 0.93]
/** By how much a tall picture is moved up, as a share of its height. */
const LIFT = 0.06
const COLOURS = ['first', 'second', 'ball', 'crate', 'gate', 'iron', 'ice', 'mark', 'board'] as const
type Colour = (typeof COLOURS)[number]

interface Hero {
  readonly visor: Group
  readonly rope: Mesh
}

export class RinkView {
  private readonly renderer: WebGLRenderer
  private readonly camera = new PerspectiveCamera(FIELD, 1, 1, 100)
  private readonly scene = new Scene()
  private readonly sky = new HemisphereLight(0xffffff, 0x888888, 1)
  private readonly sun = new DirectionalLight(0xfffaf2, 1)
  private readonly materials = Object.fromEntries(
    COLOURS.map((name) => [name, new MeshStandardMaterial({ roughness: name === 'iron' ? 0.35 : 0.7 })]),
  ) as Record<Colour, MeshStandardMaterial>
  private readonly match: Match
  private readonly meshes: readonly Mesh[]
  private readonly heroes: readonly Hero[]
  private readonly marker: Mesh
  private readonly pose = new Float64Array(7)
  private player: Player = 0
  private width = 0
  private height = 0

  /** Throws where there is no WebGL 2. */
  constructor(canvas: HTMLCanvasElement, match: Match, options: { ratio?: number } = {}) {
    this.match = match
    const ratio = options.ratio ?? Math.min(devicePixelRatio, MOST_PIXELS)
    // Who asks for less than a pixel a pixel has no time to spare.
    const isFine = ratio >= 1
    this.renderer = new WebGLRenderer({ canvas, antialias: isFine, powerPreference: 'high-performance' })
    this.renderer.setPixelRatio(ratio)
    this.sun.shadow.mapSize.setScalar(isFine ? 2048 : 256)
    this.renderer.shadowMap.enabled = true
    this.renderer.shadowMap.type = PCFShadowMap
    this.addLight()
    this.addRink()
    this.meshes = match.parts.map(({ form, tone }) => this.add(geometryOf(form), tone, true))
    this.heroes = match.heroes.map(() => ({ visor: this.addVisor(), rope: this.addRope() }))
    this.marker = this.flat(new RingGeometry(0.5, 0.6, 40), 'first', 0, 0, 0.02)
    this.readTheme()
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.readTheme())
  }

  /** Looks from a player's side. */
  lookFor(player: Player): void {
    this.player = player
    this.marker.material = this.materials[player === 0 ? 'first' : 'second']
    this.aim()
  }

  /** Which way on the ice is up on the screen: x and z. */
  get forward(): readonly [number, number] {
    const side = this.player === 0 ? 1 : -1
    return this.camera.aspect >= 1 ? [0, -side] : [side, 0]
  }

  /** Draws the match at `alpha` from the last tick but one to the last. */
  draw(shown: ShownPoses, alpha: number): void {
    this.resize()
    const { pose, match } = this
    this.meshes.forEach((mesh, k) => {
      shown.pose(k, alpha, pose)
      mesh.position.set(pose[0], pose[1], pose[2])
      mesh.quaternion.set(pose[3], pose[4], pose[5], pose[6])
    })
    match.heroes.forEach(({ body, iron }, k) => {
      const from = this.meshOf(body).position
      const { visor, rope } = this.heroes[k]
      visor.position.copy(from)
      const [vx, , vz] = body.velocity
      if (vx * vx + vz * vz > 0.2) visor.rotation.y = Math.atan2(vx, vz)
      stretch(rope, from, this.meshOf(iron).position)
      if (k === this.player) this.marker.position.set(from.x, 0.02, from.z)
    })
    this.renderer.render(this.scene, this.camera)
  }

  private meshOf(body: unknown): Mesh {
    return this.meshes[this.match.parts.findIndex((part) => part.body === body)]
  }

  private resize(): void {
    const { innerWidth: width, innerHeight: height } = window
    if (width === this.width && height === this.height) return
    this.width = width
    this.height = height
    this.renderer.setSize(width, height, false)
    this.camera.aspect = width / height
    this.aim()
  }

  /** Puts the camera as near as the whole rink allows. */
  private aim(): void {
    const { camera } = this
    const [fx, fz] = this.forward
    const back = new Vector3(-fx * Math.cos(TILT), Math.sin(TILT), -fz * Math.cos(TILT))
    const isTall = camera.aspect < 1
    // Thumbs are below.
    const { width, height } = this
    if (isTall) camera.setViewOffset(width, height, 0, LIFT * height, width, height)
    else camera.clearViewOffset()
    let [near, far] = [5, 80]
    while (far - near > 0.02) {
      const distance = 0.5 * (near + far)
      camera.position.copy(back).multiplyScalar(distance)
      camera.lookAt(0, 0, 0)
      camera.updateProjectionMatrix()
      camera.updateMatrixWorld()
      if (this.isWhole(isTall)) far = distance
      else near = distance
    }
  }

  private isWhole(isTall: boolean): boolean {
    const [x, z] = [RINK.x + (isTall ? RINK.depth : RINK.depth + 0.2), RINK.z + BOARD]
    for (const end of [-1, 1]) {
      for (const side of [-1, 1]) {
        const corner = new Vector3(end * x, RINK.board, side * z).project(this.camera)
        if (Math.abs(corner.x) > FIT_X || corner.y > FIT_TOP || corner.y < -(isTall ? FIT_TOP : FIT_BOTTOM))
          return false
      }
    }
    return true
  }

  private addLight(): void {
    const { sun, scene } = this
    sun.position.set(5, 14, 7)
    sun.castShadow = true
    sun.shadow.radius = 3
    sun.shadow.normalBias = 0.03
    Object.assign(sun.shadow.camera, { left: -10, right: 10, top: 10, bottom: -10, near: 2, far: 30 })
    scene.add(this.sky, sun, sun.target)
  }

  private addRink(): void {
    const { x, z, goal, depth, board } = RINK
    this.flat(new PlaneGeometry(2 * (x + depth), 2 * z), 'ice', 0, 0, 0)
    this.flat(new PlaneGeometry(0.08, 2 * z), 'mark', 0, 0, 0.005)
    this.flat(new RingGeometry(1.15, 1.23, 64), 'mark', 0, 0, 0.006)
    this.flat(new CircleGeometry(0.12, 24), 'mark', 0, 0, 0.007)
    const wall = (half: readonly [number, number, number], at: readonly [number, number], colour: Colour): Mesh => {
      const mesh = this.add(new BoxGeometry(2 * half[0], 2 * half[1], 2 * half[2]), colour, true)
      mesh.position.set(at[0], half[1], at[1])
      return mesh
    }
    const high = 0.5 * board
    for (const side of [-1, 1]) {
      const colour: Colour = side < 0 ? 'first' : 'second'
      wall([x + depth + BOARD, high, 0.5 * BOARD], [0, side * (z + 0.5 * BOARD)], 'board')
      for (const end of [-1, 1]) {
        wall([0.5 * depth, high, 0.5 * (z - goal)], [side * (x + 0.5 * depth), end * 0.5 * (z + goal)], 'board')
        const cut = this.add(cutGeometry(), 'board', true)
        cut.position.set(side * x, 0, end * z)
        cut.rotation.y = 0.5 * Math.PI * (end > 0 ? (side < 0 ? 0 : 1) : side > 0 ? 2 : 3)
        wall([0.07, 1.6 * high, 0.07], [side * x, end * goal], colour)
      }
      wall([0.5 * BOARD, high, z + BOARD], [side * (x + depth + 0.5 * BOARD), 0], 'board')
      this.flat(new PlaneGeometry(depth, 2 * goal), colour, side * (x + 0.5 * depth), 0, 0.004)
      const crease = this.flat(new RingGeometry(goal, goal + 0.08, 48, 1, 0, Math.PI), colour, side * x, 0, 0.005)
      crease.rotation.z = side * 0.5 * Math.PI
    }
  }

  private add(geometry: BufferGeometry, colour: Colour, isCasting: boolean): Mesh {
    const mesh = new Mesh(geometry, this.materials[colour])
    mesh.castShadow = isCasting
    mesh.receiveShadow = true
    this.scene.add(mesh)
    return mesh
  }

  /** Something painted on the ice. */
  private flat(geometry: BufferGeometry, colour: Colour, x: number, z: number, height: number): Mesh {
    const mesh = this.add(geometry, colour, false)
    mesh.rotation.x = -0.5 * Math.PI
    mesh.position.set(x, height, z)
    return mesh
  }

  /** Two eyes that look where one runs. */
  private addVisor(): Group {
    const visor = new Group()
    for (const side of [-1, 1]) {
      const eye = new Mesh(
        new SphereGeometry(0.11, 16, 12),
        new MeshStandardMaterial({ color: 0xffffff, roughness: 0.4 }),
      )
      eye.position.set(0.15 * side, 0.32, 0.33)
      const pupil = new Mesh(
        new SphereGeometry(0.06, 12, 8),
        new MeshStandardMaterial({ color: 0x1f2a33, roughness: 0.3 }),
      )
      pupil.position.set(0.15 * side, 0.34, 0.41)
      visor.add(eye, pupil)
    }
    this.scene.add(visor)
    return visor
  }

  private addRope(): Mesh {
    return this.add(new CylinderGeometry(ROPE_RADIUS, ROPE_RADIUS, 1, 10), 'iron', true)
  }

  /** Takes the page's colours over. */
  private readTheme(): void {
    const style = getComputedStyle(document.documentElement)
    const colour = (name: string): Color => new Color(style.getPropertyValue(`--${name}`).trim())
    for (const name of COLOURS) this.materials[name].color.copy(colour(name))
    this.scene.background = colour('backdrop')
    this.sky.color.copy(colour('sky'))
    this.sky.groundColor.copy(colour('bounce'))
    this.sky.intensity = Number(style.getPropertyValue('--sky-light'))
    this.sun.intensity = Number(style.getPropertyValue('--sun-light'))
  }
}

function geometryOf(form: Form): BufferGeometry {
  switch (form.kind) {
    case 'box':
      return new BoxGeometry(2 * form.half[0], 2 * form.half[1], 2 * form.half[2])
    case 'sphere':
      return new SphereGeometry(form.radius, 28, 18)
    case 'capsule':
      return new CapsuleGeometry(form.radius, 2 * form.half, 8, 20)
  }
}

/** A cut corner: legs along x and −z. */
function cutGeometry(): BufferGeometry {
  const { corner, board } = RINK
  const shape = new Shape([new Vector2(0, 0), new Vector2(corner, 0), new Vector2(0, corner)])
  return new ExtrudeGeometry(shape, { depth: board, bevelEnabled: false }).rotateX(-0.5 * Math.PI)
}

const UP = new Vector3(0, 1, 0)
const way = new Vector3()

/** Puts a rod of length 1 along y between two points. */
function stretch(rod: Mesh, from: Vector3, to: Vector3): void {
  way.subVectors(to, from)
  const length = Math.max(1e-6, way.length())
  rod.scale.y = length
  rod.position.addVectors(from, to).multiplyScalar(0.5)
  rod.quaternion.setFromUnitVectors(UP, way.divideScalar(length))
}
