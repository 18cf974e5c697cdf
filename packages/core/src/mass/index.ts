/**
 * Mass properties: what a rigid body needs besides its shape.
 *
 *   mass             m = ∫ ρ dV                            [kg]
 *   centre of mass   c = 1/m ∫ ρ x dV                      [m]
 *   inertia tensor   I = ∫ ρ (|r|² 1 - r rᵀ) dV, r = x - c [kg m²], symmetric
 *   principal axes   I = R diag(moments) Rᵀ; in the frame R the tensor is just three moments
 *
 * A body takes its three moments, or a full tensor, as `inertia`; its position is its centre of mass:
 *
 *   world.addBody({ mass: 5, inertia: solidSphere(5, 0.2) })
 *   const { mass, centerOfMass, inertia } = closedMesh(vertices, triangles, { density: 700 })
 *   world.addBody({ mass, inertia, position: centerOfMass })
 */

export { boxVolume, capsuleVolume, cylinderVolume, sphereVolume } from './shapes.js'
export { hollowSphere, solidBox, solidCapsule, solidCylinder, solidSphere } from './shapes.js'
export type { Axis, Moments } from './shapes.js'
export { combine, parallelAxis, rotateInertia } from './tensor.js'
export type { InertiaTensor, MassProperties } from './tensor.js'
export { checkAmount, closedMesh, tetraMesh } from './meshes.js'
export type { MassOrDensity, MeshMassProperties } from './meshes.js'
export { principalAxes } from './principal-axes.js'
export type { PrincipalAxes } from './principal-axes.js'
