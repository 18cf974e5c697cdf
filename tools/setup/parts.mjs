/** Parts of the workspace that can be installed alone: how pnpm selects their members, their folders, size [MB], and what they are for. */
export const PARTS = {
  packages: {
    members: ['tautline', '@tautline/examples...', '@tautline/bench'],
    folders: ['.', 'examples', 'bench'],
    size: 190,
    what: 'packages and examples',
  },
  engines: part('@tautline/bench-engines', 'bench/engines', 70, 'engines that run beside this one'),
  opponents: part('@tautline/bench-opponents', 'bench/opponents', 25, 'further engines of the bench'),
  tools: part('@tautline/tools', 'tools', 45, 'linters and bundlers'),
  site: part('@tautline/site', 'site', 85, 'what the site is built with'),
  kernels: part('@tautline/kernels', 'tools/kernels', 105, 'the compiler of the kernels'),
  mutation: part('@tautline/mutation', 'tools/mutation', 65, 'Stryker, which tests the tests'),
  hands: part('@tautline/hands', 'examples/hands', 100, 'models of hands'),
}

/** A part that is one member. */
function part(member, folder, size, what) {
  return { members: [member], folders: [folder], size, what }
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
