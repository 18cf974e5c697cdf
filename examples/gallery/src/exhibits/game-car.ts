import { makeCar } from '../../../scenes/games/car.js'
import type { Exhibit } from '../exhibit.js'
import { playable } from '../playable.js'
import { collidersOf } from '../collider-parts.js'
import { numberOf } from '../settings.js'
import { standard, worldOptions } from '../standard.js'

/** A car of hinges and sliders. */
export const gameCar: Exhibit = {
  id: 'car',
  title: 'Car',
  blurb: 'Drive it over the ramp: four wheels on springs, steering, motor, brakes.',
  tries: [
    'Drive: arrow keys or WASD, the stick on a phone.',
    'Space is the handbrake: turn while you hold it.',
    'Take the ramp at full speed; F sets the car on its wheels again.',
    'Turn the grip down to 0.3 for ice.',
  ],
  text: [
    'Until you touch a key it drives by itself. You can pull at the car with the pointer as well.',
    'The car is one call, vehicle(world, { chassis, wheels }). Each wheel is a cylinder on a hinge, on a hub that slides on a spring; the front ones steer on a second hinge.',
  ],
  group: 'Games',
  settings: [
    { kind: 'number', name: 'torque', label: 'Motor', unit: 'N m', min: 200, max: 6000, step: 100, value: 1500 },
    { kind: 'number', name: 'grip', label: 'Grip of the tyres', min: 0.1, max: 2, step: 0.1, value: 1 },
    { kind: 'number', name: 'springs', label: 'Springs', unit: 'Hz', min: 0.8, max: 5, step: 0.1, value: 1.8 },
    ...standard({ solver: null, compliance: null }),
  ],
  view: { centre: [0, 1, -13], radius: 5.5, turn: 2.5, tilt: 0.32, floor: 0 },
  pose: 190,
  build(values) {
    const [torque, grip, springs] = ['torque', 'grip', 'springs'].map((name) => numberOf(values, name))
    const game = makeCar(worldOptions(values), { torque, grip, springs })
    const { world, car } = game
    const wheels = new Set(car.wheels.map(({ body }) => body))
    const parts = collidersOf(world, (body) => (wheels.has(body) ? 'heavy' : body === car.chassis ? 'body' : 'second'))
    return playable(game, values, parts, {
      figures: () => ({ Speed: { value: 3.6 * car.speed, unit: 'km/h' } }),
      plots: [
        {
          title: 'Springs',
          unit: 'm',
          curves: ['front left', 'front right', 'rear left', 'rear right'].map((name, k) => ({
            name,
            value: () => car.wheels[k]?.compression ?? 0,
          })),
        },
      ],
    })
  },
}
