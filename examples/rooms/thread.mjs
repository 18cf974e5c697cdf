// Runs the room from its TypeScript: Node hands no loader on to threads. What is built and published needs no such file.
import { register } from 'tsx/esm/api'

register()
export default (await import('./room.ts')).default
