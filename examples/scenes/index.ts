/** All scenes, by name. */

export { CLOTH, clothScene, type ClothParameters } from './cloth.js'
export { RAGDOLL, ragdollScene, type RagdollParameters } from './ragdoll.js'
export { ROPE, ropeScene, type RopeParameters } from './rope.js'
export type { Figure, Measures, Picture, Scene, Shape, Surface, Timing } from './scene.js'
export { SOFT_BODY, softBodyScene, type SoftBodyParameters } from './soft-body.js'
