/** Calls that go well, for every public function: what junk is then put into, an argument or field at a time. */

import * as assemblies from '@tautline/assemblies'
import * as collision from '@tautline/collision'
import * as constraints from '@tautline/constraints'
import * as core from '@tautline/core'
import * as kernel from '@tautline/core/kernel'
import * as ik from '@tautline/ik'
import * as bvh from '@tautline/ik/bvh'
import * as gltf from '@tautline/ik/gltf'
import * as mjcf from '@tautline/ik/mjcf'
import * as poses from '@tautline/ik/poses'
import * as ragdoll from '@tautline/ik/ragdoll'
import * as roles from '@tautline/ik/roles'
import * as urdf from '@tautline/ik/urdf'
import * as vrm from '@tautline/ik/vrm'
import * as impulses from '@tautline/impulse-compat'
import { ASSEMBLY_ARGUMENTS, ASSEMBLY_VALUES } from './assembly-calls.js'
import { FIGURE } from './figure.js'

export const MODULES = {
  core,
  'core/kernel': kernel,
  constraints,
  collision,
  ik,
  'ik/poses': poses,
  'ik/ragdoll': ragdoll,
  'ik/bvh': bvh,
  'ik/gltf': gltf,
  'ik/mjcf': mjcf,
  'ik/roles': roles,
  'ik/urdf': urdf,
  'ik/vrm': vrm,
  'impulse-compat': impulses,
  assemblies,
} as const

const CUBE = [-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1, -1, -1, 1, 1, -1, 1, -1, 1, 1, 1, 1, 1]
const CUBE_FACES = [
  0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
]
const TENSOR = [2, 0, 0, 0, 2, 0, 0, 0, 2]

/** A world with everything that a call may need, by the names of the classes. */
export class Fixture {
  readonly world = new core.World()
  readonly collisions = new collision.Collisions(this.world)
  readonly box = collision.box([0.5, 0.5, 0.5])
  readonly ball = this.collisions.addBody({ name: 'ball', shape: collision.sphere(1), position: [9, 0, 0] })
  readonly other = this.world.addBody({ name: 'other', inertia: 1, position: [1, 0, 0] })
  readonly particles = [0, 1, 2, 3].map((k) => this.world.addBody({ position: [k % 2, k >> 1, k === 3 ? 1 : 0] }))
  readonly joint = this.world.add(constraints.hinge, { a: this.other, point: [1, 0, 0], axis: [0, 0, 1] })
  readonly lift = this.world.addBody({ name: 'lift', type: 'kinematic', inertia: 1, position: [20, 0, 0] })
  readonly slide = this.world.add(constraints.slider, { a: this.other, b: this.lift, axis: [0, 0, 1] })
  readonly rig = ik.Rig.from(FIGURE)
  readonly pose = new ik.Pose(this.rig)
  readonly solver = new ik.IkSolver(this.rig)
  readonly goal = this.solver.add(new ik.PositionGoal(this.rig, 'leftHand', [0.3, 1, 0]))
  private readonly made = new Map<string, unknown>()

  /** A value of a type by its name, or by `class.function.parameter`. */
  readonly known = (name: string): unknown => {
    return (VALUES[name] ?? ASSEMBLY_VALUES[name])?.(this)
  }

  /** The object whose methods are called. */
  instance(name: string, method: string): object | undefined {
    if (method === 'setTarget' && name === 'Body') return this.lift
    const kinds = [`${name}.${method}`, `class ${name}`, name]
    if (!this.made.has(name))
      this.made.set(
        name,
        kinds.map((kind) => this.known(kind)).find((made) => made !== undefined),
      )
    return this.made.get(name) as object | undefined
  }

  /** A block solver that the world has. */
  addedSolver(): kernel.BlockSolver {
    const solver = VALUES.BlockSolver(this) as kernel.BlockSolver
    this.world.addSolver(solver)
    return solver
  }

  /** A definition of a constraint type that goes well. */
  definition(name: string): object | undefined {
    const [a, b] = [this.ball, this.other]
    const [p, q, r, s] = this.particles
    const axis = [0, 0, 1]
    const joint = { a, b, point: [5, 0, 0], axis }
    const definitions: Record<string, object> = {
      angularDrive: { a, b, stiffness: 1 },
      bendTwist: { a, b, bendStiffness: 1, twistStiffness: 1 },
      attachment: { bodies: [p, q] },
      axle: { a, b, axis },
      ballSocket: { a, b, point: [5, 0, 0] },
      cone: { a, b, axis, limit: 1 },
      pointContact: { a, b, normal: [0, 1, 0], pointA: [0, 0, 0], pointB: [0, 0, 0] },
      dihedralBend: { bodies: [p, q, r, s] },
      distance: { a: p, b: q },
      lineDistance: { a: p, b: q },
      enclosedVolume: { bodies: [p, q, r, s], triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] },
      fixed: { a, b },
      hinge: joint,
      isometricBend: { bodies: [p, q, r, s] },
      lineBend: { bodies: [p, q, r] },
      pulley: { bodies: [p, q, r] },
      neoHookean: { bodies: [p, q, r, s], youngsModulus: 1e4 },
      shapeMatching: { bodies: [p, q, r, s] },
      pin: { a: p, b: this.other },
      tether: { a: p, b: q },
      longRange: { a: p, b: q },
      pointDrive: { bodies: [p], stiffness: 10, damping: 1 },
      ropeLength: { bodies: [p, q, r] },
      slider: { a, b, axis },
      spring: { a, b, stiffness: 1 },
      swingTwist: joint,
      tetraVolume: { bodies: [p, q, r, s] },
      universal: { a, b, point: [5, 0, 0], axisA: [1, 0, 0], axisB: [0, 1, 0] },
    }
    return definitions[name]
  }

  /** What a refused call must leave as it was. */
  state(): string {
    const { world, rig, pose, collisions, solver } = this
    const { names, revision, rootMode } = rig
    const { settings } = solver
    const own = { names, revision, rootMode, settings, pose: Array.from(pose.rotations), goals: solver.goals.length }
    const counts = [world.bodies.count, world.constraints().length, collisions.colliders.records.length]
    const kept = world.stages.filter((stage) => stage instanceof assemblies.Assemblies).map(({ all }) => all.length)
    return JSON.stringify([world.hash(), counts, world.settings, collisions.options, own, ...kept])
  }
}

/** The contact of a box on a plane, as `onContact` is handed it. */
function aContact({ collisions }: Fixture): collision.Contact | undefined {
  collisions.addCollider(null, { shape: collision.plane([0, 1, 0], -9) })
  collisions.addBody({ shape: collision.box([1, 1, 1]), position: [0, -8, 20] })
  let found: collision.Contact | undefined
  collisions.onContact((contact) => {
    found = contact
  })
  collisions.world.step()
  return found
}

/** A collider that only looks. */
function aSensor({ collisions }: Fixture): collision.Collider {
  return collisions.addCollider(null, { shape: collision.sphere(1), position: [0, -50, 0], sensor: true })
}

/** One of the goals that `WorldGoals.remove` is called on. */
function aGoal(f: Fixture): ragdoll.WorldGoal {
  const goals = f.instance('WorldGoals', 'remove') as ragdoll.WorldGoals
  return goals.position(f.other, [0, 0, 0], [1, 0, 0])
}

const VALUES: Readonly<Record<string, (f: Fixture) => unknown>> = {
  World: (f) => f.world,
  Bodies: (f) => f.world.bodies,
  Body: (f) => f.ball,
  Batch: (f) => f.joint.batch,
  Constraint: (f) => f.joint,
  Collisions: (f) => f.collisions,
  Collider: (f) => f.collisions.collidersOf(f.ball)[0],
  Shape: (f) => f.box,
  Rig: (f) => f.rig,
  Pose: (f) => f.pose,
  WorldPose: (f) => new ik.WorldPose(f.rig).update(f.rig, f.pose),
  Contact: aContact,
  Ragdoll: (f) => ragdoll.toRagdoll(f.rig, f.pose, new core.World()),
  RagdollOptions: () => ({}),
  Goal: (f) => f.goal,
  PositionGoal: (f) => f.goal,
  IkSolver: (f) => f.solver,
  ImpulseSolver: (f) => new impulses.ImpulseSolver(f.world),
  TwoBone: (f) => new ik.TwoBone(f.rig, LEG as never),
  FullBody: (f) => new ik.FullBody(f.rig, f.solver, BODY_BONES, 5),
  FootPlacement: (f) => new ik.FootPlacement(f.rig.root('free'), f.solver, LEGS),
  Retarget: (f) => new ik.Retarget(f.rig, f.rig.root('free'), MAPPING, { feet: ['leftFoot'] }),
  Pull: (f) => ragdoll.pullTo(f.world, f.other, [0, 0, 0], [0, 0, 1]),
  CustomBody: () => new core.CustomBody(),
  ForceBody: () => new constraints.ForceBody(),
  ParticleSet: (f) => collision.addParticles(f.collisions, f.particles, { radius: 0.1 }),
  WorldGoals: (f) => ragdoll.worldGoals(f.world),
  'IsometricBendDef.weights': () => [1, 1, 1, 1],
  'AttachmentDef.weights': () => [1, -1],
  'AttachmentDef.target': () => [0, 0, 0],
  'AttachmentDef.anchors': () => [0, 0, 0, 0, 0, 0],
  'LineBendDef.lengths': () => [1, 1],
  'PulleyDef.anchors': () => [0, 0, 0, 0, 0, 0, 0, 0, 0],
  'NeoHookeanDef.edges': () => [1, 0, 0, 0, 1, 0, 0, 0, 1],
  'ShapeMatchingDef.shape': () => [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
  'ShapeMatchingDef.weights': () => [1, 1, 1, 1],
  '__type.restPosition': () => [0, 0, 0],
  '__type.restRotation': () => [0, 0, 0, 1],
  '__type.positions': () => [0, 0, 0],
  '__type.rotations': () => [0, 0, 0, 1],
  '__type.unit': () => [1, 1, 1],
  '__type.mirror': () => [1, 1, 1],
  'ParticlesDef.triangles': () => [0, 1, 2],
  'ParticlesDef.edges': () => [0, 1],
  'ParticlesDef.restPositions': () => [0, 0, 0, 1, 0, 0, 0, 1, 0],
  'BodiesDef.orientations': () => [0, 0, 0, 1, 0, 0, 0, 1],
  'BodiesDef.velocities': () => [0, 0, 0, 0, 0, 0],
  'BodiesDef.angularVelocities': () => [0, 0, 0, 0, 0, 0],
  'BodiesDef.mass': () => [1, 1],
  'BodiesDef.inertia': () => [1, 1, 1],
  'AngularDriveDef.target': () => [0, 0, 0, 1],
  'UniversalDef.axisA': () => [1, 0, 0],
  'UniversalJointDef.axisA': () => [1, 0, 0],
  'BoneDef.inertia': () => [1, 1, 1],
  '__type.support': () => [
    [0, 0],
    [1, 0],
    [0, 1],
  ],
  'IterateOptions.start': () => [0, 0, 0],
  Float64Array: () => new Float64Array(23),
  PrincipalAxes: () => ({ moments: [1, 1, 1], orientation: [0, 0, 0, 1] }),
  ReadonlyVec3: () => [0, 1, 0],
  vec3: () => [0, 0, 0],
  ReadonlyQuat: () => [0, 0, 0, 1],
  quat: () => [0, 0, 0, 1],
  MassOrDensity: () => ({ mass: 1 }),
  Axis: () => 'y',
  Snapshot: (f) => f.world.snapshot(),
  Stage: () => ({ name: 'own' }),
  BlockSolver: () => ({ name: 'own', gather: () => undefined, solve: () => undefined }),
  ConstraintType: () => constraints.ballSocket,
  AnyType: () => constraints.ballSocket,
  Mlcp: () => impulses.mlcp(TENSOR, [1, 1, 1]),
  JointDef: () => ({ kind: 'hinge', axis: [1, 0, 0] }),
  BoneDef: () => ({ name: 'bone', parent: null, position: [0, 0, 0], tip: [0, 1, 0] }),
  ShapeJson: (f) => f.box.toJSON(),
}

const LEG = { start: 'leftUpperLeg', middle: 'leftLowerLeg', end: 'leftFoot' }
const LEGS = [{ hip: 'leftUpperLeg', foot: 'leftFoot' }]
const MAPPING = { hips: 'hips', head: 'head', leftUpperLeg: 'leftUpperLeg', leftFoot: 'leftFoot' }
const BODY_BONES = {
  head: 'head',
  leftHand: 'leftHand',
  rightHand: 'rightHand',
  leftFoot: 'leftFoot',
  rightFoot: 'rightFoot',
}

const POSE_OF_SHAPE = { position: [50, 0, 0] }
const THREE_POINTS = { vertices: CUBE, triangles: CUBE_FACES }
const TETRAHEDRON = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tetrahedra: [0, 1, 2, 3] }
const SCENE = { build: () => ({ world: new core.World(), error: () => 0 }), read: 'last', seconds: 0.02 }
const baked = (f: Fixture): ik.Baked => ik.bake(f.rig, [0, 1], () => undefined)

/** Arguments by place, where values of their types alone make no sense together. */
const ARGUMENTS: Readonly<Record<string, (f: Fixture) => Readonly<Record<string, unknown>>>> = {
  'World.addBodies': () => ({ def: { count: 2, positions: [0, 0, 0, 1, 1, 1] } }),
  'World.add': (f) => ({ type: constraints.ballSocket, def: { a: f.ball, b: f.other, point: [5, 0, 0] } }),
  'World.addSaved': (f) => ({ type: constraints.ballSocket, def: { a: f.ball, b: f.other, point: [5, 0, 0] } }),
  'World.batchFor': () => ({ arity: 2 }),
  fromJSON: () => ({ json: new core.World().toJSON(), types: [constraints.hinge] }),
  boxVolume: () => ({ size: [1, 1, 1] }),
  solidBox: () => ({ size: [1, 1, 1] }),
  combine: () => ({ parts: [{ mass: 1, centerOfMass: [0, 0, 0], inertia: TENSOR }] }),
  parallelAxis: () => ({ inertia: TENSOR }),
  rotateInertia: () => ({ inertia: TENSOR }),
  principalAxes: () => ({ inertia: TENSOR, where: undefined }),
  closedMesh: () => THREE_POINTS,
  tetraMesh: () => TETRAHEDRON,
  offsetOf: (f) => ({ constraint: f.slide }),
  'new Collisions': () => ({ world: new core.World() }),
  shapeCast: () => ({ pose: POSE_OF_SHAPE }),
  shapeCastAll: () => ({ pose: POSE_OF_SHAPE }),
  overlapShape: () => ({ pose: POSE_OF_SHAPE }),
  addParticles: (f) => ({ bodies: f.particles.slice(0, 3) }),
  overlapParticles: () => ({ pose: POSE_OF_SHAPE }),
  pairCollides: (f) => ({ a: f.ball, b: f.other }),
  setPairCollision: (f) => ({ a: f.ball, b: f.other }),
  onTrigger: (f) => ({ sensor: aSensor(f) }),
  moveCharacter: () => ({ character: collision.createCharacter({ position: [0, 9, 0] }) }),
  'World.removeSolver': (f) => ({ solver: f.addedSolver() }),
  'WorldGoals.position': (f) => ({ body: f.other }),
  'WorldGoals.pose': (f) => ({ body: f.other }),
  'WorldGoals.remove': (f) => ({ goal: aGoal(f) }),
  box: () => ({ halfExtents: [1, 1, 1] }),
  convexHull: () => ({ points: CUBE }),
  heightfield: () => ({ def: { heights: [0, 0, 0, 0], columns: 2, rows: 2, cellX: 1, cellZ: 1 } }),
  triangleMesh: () => THREE_POINTS,
  collisionsFromJSON: (f) => ({ world: new core.World(), data: f.collisions.toJSON(() => 0) }),
  'Rig.indexOf': () => ({ where: undefined }),
  readJoint: (f) => ({ bone: 'leftFoot', rig: f.rig.joint('leftFoot', { kind: 'hinge', axis: [1, 0, 0] }) }),
  writeJoint: (f) => ({ bone: 'leftFoot', rig: f.rig.joint('leftFoot', { kind: 'hinge', axis: [1, 0, 0] }) }),
  'new PoleGoal': () => ({ bones: LEG }),
  'Collisions.readManifold': () => ({ row: 0 }),
  'IkSolver.add': (f) => ({ goal: new ik.PinGoal(f.rig, 'head') }),
  'IkSolver.remove': (f) => ({ goal: f.goal }),
  twoBone: () => ({ def: { ...LEG, target: [0, 0, 0] } }),
  'new TwoBone': () => ({ def: LEG }),
  fullBody: () => ({ bones: BODY_BONES }),
  'new FullBody': () => ({ bones: BODY_BONES }),
  'FullBody.setTarget': () => ({ point: 'head' }),
  'new FootPlacement': (f) => ({ rig: f.rig.root('free'), legs: LEGS, ground: () => undefined }),
  'new Retarget': () => ({ mapping: MAPPING }),
  'Retarget.apply': (f) => ({ out: new ik.Pose(f.rig) }),
  bake: () => ({ times: [0, 1] }),
  readBaked: (f) => ({ baked: baked(f) }),
  'Pull.limit': () => ({}),
  complementarityResidual: () => ({ lambda: [0, 0, 0] }),
  mlcpSlack: () => ({ lambda: [0, 0, 0] }),
  mlcp: () => ({ A: TENSOR, b: [1, 1, 1], lower: [0, 0, 0], upper: [1, 1, 1] }),
  compare: () => ({ scene: SCENE, solvers: [impulses.displacement], budgets: [{ substeps: 1, iterations: 1 }] }),
  convergence: () => ({ scene: SCENE, contender: impulses.displacement, iterations: [1], settle: 0 }),
}

/** Arguments of a call that go well, by name of the parameter; what is not named here is made from its type. */
export function given(f: Fixture, call: string): Readonly<Record<string, unknown>> {
  return (ARGUMENTS[call] ?? ASSEMBLY_ARGUMENTS[call])?.(f) ?? {}
}
