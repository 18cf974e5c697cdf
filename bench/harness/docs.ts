import type { BenchRun } from './run-data.js'
export function writeDocs(_root: string, _run: BenchRun): void {}
