/** A canvas with a picture in it: light, shadow, floor and a camera that fits what there is to see. */

import {
  CircleGeometry,
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  Mesh,
  MeshStandardMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Vector3,
  WebGLRenderer,
} from 'three'
import type { Live, Triple, View } from '../exhibit.js'
import { Picture } from './picture.js'
import { type Level, SHARPEST, Sharpness } from './sharpness.js'
import { cssColour, Palette } from './theme.js'

/** Vertical angle of view [°]. */
const FIELD = 32
/** Sharper than this is not seen. */
const MOST_PIXELS = 2

export class Viewer {
  readonly canvas: HTMLCanvasElement
  readonly camera: PerspectiveCamera = new PerspectiveCamera(FIELD, 1, 0.01, 1000)
  /** What the camera looks at. */
  readonly centre: Vector3 = new Vector3()
  picture: Picture | undefined
  /** How far it has gone along with a player [m]. */
  private readonly carried = new Vector3()
  private readonly renderer: WebGLRenderer
  private readonly scene = new Scene()
  private readonly palette = new Palette()
  private readonly sky = new HemisphereLight(0xffffff, 0x888888, 1)
  private readonly sun = new DirectionalLight(0xffffff, 1)
  private readonly floor: Mesh<CircleGeometry, MeshStandardMaterial>
  private view: View | undefined
  private width = 0
  private height = 0
  /** Of the screen [px/css px]. */
  private screen = 1
  private readonly sharpness = new Sharpness()
  /** Of the map of shadows, at most [px]. */
  private readonly shadowSize: number

  /** Throws where there is no WebGL 2. */
  constructor(canvas: HTMLCanvasElement, { shadowSize = Infinity }: { shadowSize?: number } = {}) {
    this.canvas = canvas
    this.shadowSize = shadowSize
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance' })
    this.renderer.shadowMap.enabled = true
    this.renderer.shadowMap.type = PCFShadowMap
    const { sun, scene } = this
    sun.castShadow = true
    sun.shadow.radius = 3
    this.setShadow(this.sharpness.shadow)
    this.floor = new Mesh(new CircleGeometry(1, 64), new MeshStandardMaterial({ roughness: 1 }))
    this.floor.rotation.x = -0.5 * Math.PI
    this.floor.receiveShadow = true
    scene.add(this.sky, sun, sun.target, this.floor)
    this.readTheme()
  }

  /** Takes the theme's colours over. */
  readTheme(): void {
    this.palette.read()
    const backdrop = cssColour('--backdrop')
    this.scene.background = backdrop
    this.scene.fog = new Fog(backdrop.getHex(), 1, 2)
    this.floor.material.color.copy(cssColour('--floor'))
    this.sky.color.copy(cssColour('--sky'))
    this.sky.groundColor.copy(cssColour('--bounce'))
    const number = (name: string): number =>
      Number(getComputedStyle(document.documentElement).getPropertyValue(name)) || 1
    this.sky.intensity = number('--sky-light')
    this.sun.intensity = number('--sun-light')
    this.sun.color = new Color(0xfffaf2)
    if (this.view !== undefined) this.light(this.view)
  }

  /** Shows something else. With `keepCamera` one goes on looking from where one was. */
  show(live: Live, view: View, keepCamera = false): void {
    this.picture?.dispose()
    this.picture = new Picture(live, this.palette)
    this.scene.add(this.picture.group)
    this.carry([-this.carried.x, -this.carried.y, -this.carried.z])
    this.view = view
    this.sharpness.begin()
    this.light(view)
    if (!keepCamera) this.lookFrom(view)
  }

  clear(): void {
    this.picture?.dispose()
    this.picture = undefined
  }

  /** Puts the camera where a view wants it. */
  lookFrom({ centre, radius, half, turn = 0.5, tilt = 0.25 }: View): void {
    const { camera } = this
    const vertical = (0.5 * FIELD * Math.PI) / 180
    const horizontal = Math.atan(Math.tan(vertical) * camera.aspect)
    // The ball of the view fits into the narrower of both angles; wide pictures may cut a little of it above and below.
    const distance =
      half === undefined
        ? radius / Math.sin(Math.min(vertical * 1.12, horizontal))
        : Math.max(half[0] / Math.tan(horizontal), half[1] / Math.tan(vertical))
    this.centre.set(...centre).add(this.carried)
    const { x, y, z } = this.centre
    camera.position.set(
      x + distance * Math.sin(turn) * Math.cos(tilt),
      y + distance * Math.sin(tilt),
      z + distance * Math.cos(turn) * Math.cos(tilt),
    )
    camera.lookAt(this.centre)
    camera.near = 0.02 * distance
    camera.far = 40 * distance
    camera.updateProjectionMatrix()
  }

  /** Moves camera, sun and floor along [m], until something else is shown. */
  carry([x, y, z]: Triple): void {
    const by = MOVED.set(x, y, z)
    this.carried.add(by)
    this.camera.position.add(by)
    this.camera.updateMatrixWorld()
    this.centre.add(by)
    this.sun.position.add(by)
    this.sun.target.position.add(by)
    this.floor.position.x += x
    this.floor.position.z += z
  }

  private light({ centre, radius, floor }: View): void {
    const { sun, scene } = this
    sun.target.position.set(...centre)
    sun.position.set(centre[0] + 1.4 * radius, centre[1] + 3 * radius, centre[2] + 1.9 * radius)
    const { camera } = sun.shadow
    const reach = 1.7 * radius
    Object.assign(camera, {
      left: -reach,
      right: reach,
      top: reach,
      bottom: -reach,
      near: 0.1 * radius,
      far: 9 * radius,
    })
    camera.updateProjectionMatrix()
    sun.position.add(this.carried)
    sun.target.position.add(this.carried)
    sun.shadow.normalBias = 0.006 * radius
    sun.shadow.bias = -0.0004
    this.floor.visible = floor !== undefined
    const { x, z } = this.carried
    this.floor.position.set(centre[0] + x, (floor ?? 0) - 0.001 * radius, centre[2] + z)
    this.floor.scale.setScalar(30 * radius)
    const distance = radius / Math.sin((0.5 * FIELD * Math.PI) / 180)
    if (scene.fog instanceof Fog) {
      scene.fog.near = distance * 1.3
      scene.fog.far = distance * 3.2
      // Without a floor there is nothing that has to fade, and chains may hang far down.
      if (floor === undefined) scene.fog.near = scene.fog.far = distance * 1000
    }
  }

  /** Size of the picture [css px]. Says whether it has changed. */
  resize(width: number, height: number, ratio: number = window.devicePixelRatio): boolean {
    if (width === this.width && height === this.height) return false
    this.width = width
    this.height = height
    this.screen = Math.min(ratio, MOST_PIXELS)
    this.setPixels(this.sharpness.ratio)
    const before = this.camera.aspect
    this.camera.aspect = width / Math.max(1, height)
    this.camera.updateProjectionMatrix()
    if (this.view !== undefined && Math.abs(before / this.camera.aspect - 1) > 0.02) this.lookFrom(this.view)
    return true
  }

  draw(alpha = 1): void {
    this.picture?.update(alpha)
    this.renderer.render(this.scene, this.camera)
  }

  /** Draws a frame of many, at a time [ms]: less sharp where they come late. */
  drawFrame(now: number, alpha = 1): void {
    if (this.sharpness.note(now)) this.setSharpness(this.sharpness)
    this.draw(alpha)
  }

  /** The picture as a data URL, as sharp as can be. */
  read(alpha: number): string {
    this.setSharpness(SHARPEST)
    this.draw(alpha)
    const url = this.canvas.toDataURL('image/png')
    this.setSharpness(this.sharpness)
    this.draw(alpha)
    return url
  }

  private setSharpness({ ratio, shadow }: Level): void {
    this.setPixels(ratio)
    this.setShadow(shadow)
  }

  /** Pixels of the picture, as a share of those that the screen has, by each side. */
  private setPixels(share: number): void {
    this.renderer.setPixelRatio(share * this.screen)
    this.renderer.setSize(this.width, this.height, false)
  }

  private setShadow(wanted: number): void {
    const { shadow } = this.sun
    const size = Math.min(wanted, this.shadowSize)
    if (shadow.mapSize.width === size) return
    shadow.mapSize.set(size, size)
    // It is made anew when it is drawn next.
    shadow.map?.dispose()
    shadow.map = null
  }

  /** Where a point is on the canvas [css px], and whether it is in front of the camera. */
  project(point: Triple): { x: number; y: number; isInFront: boolean } {
    const v = PROJECTED.set(...point).project(this.camera)
    return { x: 0.5 * (v.x + 1) * this.width, y: 0.5 * (1 - v.y) * this.height, isInFront: v.z < 1 }
  }

  dispose(): void {
    this.clear()
    this.renderer.dispose()
  }
}

const PROJECTED = new Vector3()
const MOVED = new Vector3()
