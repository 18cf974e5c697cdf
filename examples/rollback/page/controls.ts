/** Keys and fingers, as a stick and two buttons. */

/** To the right and up on the screen, in [−1, 1]. */
export interface Pressed {
  readonly right: number
  readonly up: number
  readonly jump: boolean
  readonly reel: boolean
}

const KEYS: Readonly<Record<string, 'left' | 'right' | 'up' | 'down' | 'jump' | 'reel'>> = {
  KeyA: 'left',
  ArrowLeft: 'left',
  KeyD: 'right',
  ArrowRight: 'right',
  KeyW: 'up',
  ArrowUp: 'up',
  KeyS: 'down',
  ArrowDown: 'down',
  Space: 'jump',
  ShiftLeft: 'reel',
  ShiftRight: 'reel',
  KeyE: 'reel',
}
/** Way of a finger to the stick's edge [css px]. */
const REACH = 48

export class Controls {
  private readonly held = new Set<string>()
  private stick: { readonly id: number; readonly x: number; readonly y: number } | undefined
  private right = 0
  private up = 0

  constructor(page: HTMLElement) {
    window.addEventListener('keydown', (event) => this.key(event, true))
    window.addEventListener('keyup', (event) => this.key(event, false))
    window.addEventListener('blur', () => this.held.clear())
    if (matchMedia('(pointer: coarse)').matches) page.classList.add('touch')
    page.addEventListener('pointerdown', (event) => {
      if (event.pointerType !== 'touch') return
      page.classList.add('touch')
      if (this.stick === undefined && event.clientX < 0.5 * innerWidth) {
        this.stick = { id: event.pointerId, x: event.clientX, y: event.clientY }
      }
    })
    page.addEventListener('pointermove', (event) => this.move(event))
    for (const type of ['pointerup', 'pointercancel'] as const) {
      page.addEventListener(type, ({ pointerId }) => {
        if (pointerId === this.stick?.id) this.letGo()
      })
    }
    for (const name of ['jump', 'reel']) this.button(name, document.getElementById(name) as HTMLElement)
    page.addEventListener('contextmenu', (event) => event.preventDefault())
  }

  /** What is pressed now. */
  read(): Pressed {
    const has = (name: string): number => (this.held.has(name) ? 1 : 0)
    return {
      right: this.stick === undefined ? has('right') - has('left') : this.right,
      up: this.stick === undefined ? has('up') - has('down') : this.up,
      jump: this.held.has('jump'),
      reel: this.held.has('reel'),
    }
  }

  private key(event: KeyboardEvent, isDown: boolean): void {
    const name = KEYS[event.code]
    if (name === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (isDown) this.held.add(name)
    else this.held.delete(name)
  }

  private button(name: string, element: HTMLElement): void {
    const set = (isHeld: boolean) => (): void => {
      element.classList.toggle('held', isHeld)
      if (isHeld) this.held.add(name)
      else this.held.delete(name)
    }
    element.addEventListener('pointerdown', set(true))
    for (const type of ['pointerup', 'pointercancel', 'lostpointercapture']) element.addEventListener(type, set(false))
  }

  /** The stick is where the finger came down. */
  private move({ pointerId, clientX, clientY }: PointerEvent): void {
    if (pointerId !== this.stick?.id) return
    const [x, y] = [(clientX - this.stick.x) / REACH, (this.stick.y - clientY) / REACH]
    const size = Math.max(1, Math.hypot(x, y))
    this.right = x / size
    this.up = y / size
    this.show()
  }

  private letGo(): void {
    this.stick = undefined
    this.right = this.up = 0
    this.show()
  }

  private show(): void {
    const knob = document.querySelector('#stick i') as HTMLElement
    knob.style.transform = `translate(${36 * this.right}px, ${-36 * this.up}px)`
  }
}
