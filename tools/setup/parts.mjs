/** The parts of the workspace that can be installed alone: members that pnpm selects, size [MB], and what they are for. */
export const PARTS = {
  packages: {
    members: ['tautline', '@tautline/examples...', '@tautline/bench'],
    size: 185,
    what: 'packages and examples',
  },
  engines: { members: ['@tautline/bench-engines'], size: 70, what: 'engines that run beside this one' },
  opponents: { members: ['@tautline/bench-opponents'], size: 25, what: 'further engines of the bench' },
  tools: { members: ['@tautline/tools'], size: 45, what: 'linters and bundlers' },
  site: { members: ['@tautline/site'], size: 85, what: 'what the site is built with' },
  kernels: { members: ['@tautline/simd-assembly'], size: 105, what: 'the compiler of the kernels' },
  hands: { members: ['@tautline/hands'], size: 100, what: 'models of hands' },
}

/** Parts that each command needs. The type checker, the linters and reports look at everything. */
export const COMMANDS = {
  all: Object.keys(PARTS),
  test: ['packages'],
  start: ['packages', 'engines'],
  bench: ['packages', 'engines', 'opponents'],
  archives: ['packages', 'tools'],
  site: ['packages', 'engines', 'site'],
  simd: ['packages', 'kernels'],
}

/** Parts of several commands or parts; without any, all. */
export function partsOf(names) {
  const chosen = new Set((names.length === 0 ? ['all'] : names).flatMap((name) => COMMANDS[name] ?? [name]))
  return Object.keys(PARTS).filter((part) => chosen.has(part))
}
