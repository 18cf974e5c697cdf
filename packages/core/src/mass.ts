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

export { boxVolume, capsuleVolume, cylinderVolume, sphereVolume } from './mass/shapes.js'
export { hollowSphere, solidBox, solidCapsule, solidCylinder, solidSphere } from './mass/shapes.js'
export type { Axis, Moments } from './mass/shapes.js'
export { combine, parallelAxis, rotateInertia } from './mass/tensor.js'
export type { InertiaTensor, MassProperties } from './mass/tensor.js'
export { checkAmount, closedMesh, tetraMesh } from './mass/meshes.js'
export type { MassOrDensity, MeshMassProperties } from './mass/meshes.js'
export { principalAxes } from './mass/principal-axes.js'
export type { PrincipalAxes } from './mass/principal-axes.js'
