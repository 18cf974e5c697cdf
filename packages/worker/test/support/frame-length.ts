/** Numbers of a frame of the thread that writes as fast as it can. */
export const FRAME = 4096
