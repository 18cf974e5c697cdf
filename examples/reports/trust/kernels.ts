/**
 * Public functions that do not check what they are given, by name, and why. They are for those who write constraint types, solvers and
 * stages, and called for each row, body or evaluation; what users call is not among them. `rotateVector` with its seven arguments checked
 * takes eight times as long. A function that is added is asked until somebody names it here.
 */

/** What the stage of assemblies calls on each kind, in a step, for a snapshot and for JSON. */
const TURNS = 'beforeStep beforeSubstep afterStep bodyRemoved leadLod restore write writeLod takeLod'.split(' ')
const KINDS = 'Assembly Cloth Rope Rod Pulleys Vehicle SoftBody Ragdoll'.split(' ')
const ofKinds = KINDS.flatMap((kind) => TURNS.map((turn) => `${kind}.${turn}`)).join(' ')

const REASONS: Readonly<Record<string, string>> = {
  'arithmetic of the step':
    'acos asin atan2 atan2At cos sin sinCos wrapAngle compose frameX frameY frameZ angleAboutA angleAboutB swingAngles twistAngle ' +
    'ellipseAngle rotate rotateBy normalizeQuaternion rotationBetween quaternionFromRotationVector rotationVectorFromQuaternion ' +
    'rotateVector rotateVectorAt rotateVectorInverse rotateVectorInverseAt rotateSymmetric solveDisc collide closest',
  'passes of a step over its tables':
    'sweepRows beginStep beginSubstep endStep accelerate checkVelocities drift freeze isFinitePose steerKinematic advanceSpin ' +
    'carrySpin predictSpin Backing.clear Backing.find Backing.add refreshInertia worldInertia breakOverloaded constraintError measureReaction rotationSinceStart dropFaults',
  'read and written within a step by constraints and forces':
    'Rows.isExact Rows.rotationsApart Rows.group Rows.row Rows.points Rows.rowAt Rows.rotations Rows.parts Rows.linear Rows.angular Rows.point Curvature.point ' +
    'Curvature.pair Curvature.ray Curvature.couple Curvature.length CustomBody.point CustomBody.direction ForceBody.point ' +
    'ForceBody.direction ForceBody.velocityAt',
  'hooks that a step or a solve calls':
    'Collisions.beforeStep Collisions.beforeSubstep Collisions.advance Collisions.afterStep Collisions.bodyRemoved ' +
    'Collisions.restore Collisions.toJSON runVelocityHook Goal.begin Goal.write Goal.isBeyondReach PositionGoal.begin ' +
    'PositionGoal.write PositionGoal.isBeyondReach PositionGoal.stretchChain OrientationGoal.begin OrientationGoal.write ' +
    'OrientationGoal.isBeyondReach AimGoal.begin AimGoal.write AimGoal.isBeyondReach PoleGoal.begin PoleGoal.write ' +
    'PoleGoal.isBeyondReach CentreGoal.begin CentreGoal.write CentreGoal.isBeyondReach PinGoal.begin PinGoal.write WorldGoal.place ' +
    'Assemblies.beforeStep Assemblies.beforeSubstep Assemblies.afterStep Assemblies.bodyRemoved Assemblies.restore ' +
    `Assemblies.toJSON ${ofKinds} ` +
    'PinGoal.isBeyondReach ImpulseSolver.gatherRows ImpulseSolver.solveFor RowSystem.openEntry RowSystem.aim RowSystem.relaxOpen',
  'tables behind the handles, by row or slot':
    'Bodies.add Bodies.addMany Bodies.remove Bodies.isAlive Bodies.assertAlive Bodies.handle Bodies.setPosition ' +
    'Bodies.setOrientation Bodies.putToSleep Bodies.disturb Bodies.wake Bodies.wakeAll Bodies.setVelocity Bodies.setAngularVelocity ' +
    'Bodies.setTarget Bodies.setMass Bodies.addAngularImpulse Bodies.refreshHandles Batch.push Batch.slotOn Batch.remove ' +
    'setRows Batch.setDef pushMany shareDefinitions repeatRow Batch.definition Batch.definitionField World.handle Bodies.setType World.markOrderStale ' +
    'WorldState.markOrderStale WorldState.putInOrder WorldState.isOrderedAs WorldState.wakeAround ' +
    'World.putInOrder World.isOrderedAs World.wakeAround Collisions.handle Contact.of Assemblies.add Assemblies.has Assemblies.drop ' +
    'Table.reserve Table.place Table.copyRow Table.permute Table.save Table.load',
  'made by tables and by functions that check, not by users':
    'Table#new WorldState#new Bodies#new Body#new Constraint#new Batch#new Rows#new Collider#new Contact#new Shape#new Pull#new ' +
    'ParticleSet#new WorldGoal#new WorldGoals#new Cloth#new Rope#new Rod#new Pulleys#new Vehicle#new SoftBody#new Ragdoll#new Balance#new',
  'levels of detail of kinds that have none: they refuse all': 'Pulleys.setLod Vehicle.setLod Ragdoll.setLod',
  'checks themselves':
    'finite positive nonNegative finiteVector unitVector unitQuaternion oneOf outVector flag integer count object callable knownFields ' +
    'array axisFlags inContext instance checkAmount resolveSoftness springGains',
}

/** The reason by name. */
export const EXEMPT: ReadonlyMap<string, string> = new Map(
  Object.entries(REASONS).flatMap(([reason, names]) =>
    names.split(' ').map((name) => [name.replace(/(.*)#new/, 'new $1'), reason] as const),
  ),
)
