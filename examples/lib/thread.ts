/** Threads that run TypeScript: Node hands no loader on to them. */

import { Worker } from 'node:worker_threads'

/** A thread of a module, by its URL. */
export function threadOf(module: string): Worker {
  const code = `import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}
register()
await import(${JSON.stringify(module)})`
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
}
