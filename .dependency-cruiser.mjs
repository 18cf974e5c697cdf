// Which way imports may point: examples, bench -> fast-check, worker, three -> assemblies -> constraints, collision, impulse-compat, ik -> core; those four do not
// know each other, but for ragdolls of ik, which are made of constraints. Names of constraint types inside core, which no import betrays, are tools/check-core-names.ts.

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'resolvable',
      comment:
        'Everything imported must resolve, or the other rules would not see it; what the build makes is no file.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:' },
    },
    {
      name: 'no-cycle',
      comment: 'No cycles between modules; type-only imports do not count, they are gone at run time.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'core-imports-nothing',
      comment: 'core is at the bottom: it imports itself and gl-matrix.',
      severity: 'error',
      from: { path: '^packages/core/src/' },
      to: { couldNotResolve: false, pathNot: ['^packages/core/src/', 'node_modules/gl-matrix/'] },
    },
    {
      name: 'constraints-import-core',
      comment: 'constraints imports itself, the public entries of core, and gl-matrix.',
      severity: 'error',
      from: { path: '^packages/constraints/src/' },
      to: {
        couldNotResolve: false,
        pathNot: ['^packages/constraints/src/', '^packages/core/src/(index|kernel)\\.ts$', 'node_modules/gl-matrix/'],
      },
    },
    {
      name: 'constraint-files-are-independent',
      comment: 'A constraint is one file; what several share lives in parts/. Only index.ts imports them all.',
      severity: 'error',
      from: { path: '^packages/constraints/src/', pathNot: '^packages/constraints/src/index\\.ts$' },
      to: { path: '^packages/constraints/src/', pathNot: '^packages/constraints/src/parts/' },
    },
    {
      name: 'collision-imports-core',
      comment: 'collision imports itself, the public entries of core, and gl-matrix; of predicates the next rule.',
      severity: 'error',
      from: { path: '^packages/collision/src/' },
      to: {
        couldNotResolve: false,
        pathNot: [
          '^packages/collision/src/',
          '^packages/core/src/(index|kernel)\\.ts$',
          'node_modules/gl-matrix/',
          'node_modules/robust-predicates/',
        ],
      },
    },
    {
      name: 'predicates-are-for-hulls',
      comment:
        'Exact predicates are for building hulls and filling meshes: what steps and queries has no use for them. A test and a report count crossings by them.',
      severity: 'error',
      from: {
        pathNot:
          '^(examples/lib/crossings\\.ts$|packages/(collision/(src/shapes/quickhull|test/support/crossings)\\.ts$|assemblies/src/tetrahedralize/))',
      },
      to: { path: 'node_modules/robust-predicates/' },
    },
    {
      name: 'collision-tests-look-down',
      comment: 'Tests of collision use their own package, constraints and core as a user does, and support files.',
      severity: 'error',
      from: { path: '^packages/collision/test/' },
      to: {
        path: '^packages/',
        pathNot: [
          '^packages/collision/',
          '^packages/(core|constraints)/src/index\\.ts$',
          '^packages/core/src/kernel\\.ts$',
          '^packages/(core|constraints)/test/support/',
        ],
      },
    },
    {
      name: 'nothing-below-knows-collision',
      comment: 'core and constraints, tests included, stand without collision.',
      severity: 'error',
      from: { path: '^packages/(core|constraints)/' },
      to: { path: '^packages/collision/' },
    },
    {
      name: 'impulse-compat-imports-core',
      comment: 'The velocity-level solver knows constraints and contacts by their evaluate alone.',
      severity: 'error',
      from: { path: '^packages/impulse-compat/src/' },
      to: {
        couldNotResolve: false,
        pathNot: [
          '^packages/impulse-compat/src/',
          '^packages/core/src/(index|kernel)\\.ts$',
          'node_modules/gl-matrix/',
        ],
      },
    },
    {
      name: 'nothing-below-knows-impulses',
      comment: 'core, constraints and collision, tests included, stand without impulse-compat.',
      severity: 'error',
      from: { path: '^packages/(core|constraints|collision)/' },
      to: { path: '^packages/impulse-compat/' },
    },
    {
      name: 'ik-imports-core',
      comment:
        'ik imports itself, the public entries of core, and gl-matrix; of the parser of XML the rule after the next.',
      severity: 'error',
      from: { path: '^packages/ik/src/', pathNot: '^packages/ik/src/ragdoll/' },
      to: {
        couldNotResolve: false,
        pathNot: [
          '^packages/ik/src/',
          '^packages/core/src/(index|kernel)\\.ts$',
          'node_modules/gl-matrix/',
          'node_modules/@rgrove/parse-xml/',
        ],
      },
    },
    {
      name: 'ragdolls-import-constraints',
      comment:
        'Ragdolls, an entry of their own, are joints of constraints: handed in, their types and definitions stood twice. Who imports ik alone carries none.',
      severity: 'error',
      from: { path: '^packages/ik/src/ragdoll/' },
      to: {
        couldNotResolve: false,
        pathNot: [
          '^packages/ik/src/',
          '^packages/(core|constraints)/src/index\\.ts$',
          '^packages/core/src/kernel\\.ts$',
          'node_modules/gl-matrix/',
        ],
      },
    },
    {
      name: 'ik-does-not-know-adapters',
      comment:
        'The solver and its layers stand without readers of files and ragdolls, which are entry points of their own.',
      severity: 'error',
      from: { path: '^packages/ik/src/(goals/)?[^/]+$' },
      to: { path: '^packages/ik/src/(rigs|ragdoll)/' },
    },
    {
      name: 'xml-is-for-robots',
      comment: 'Only MJCF and URDF are XML: who reads neither needs no parser.',
      severity: 'error',
      from: { pathNot: '^packages/ik/src/rigs/(xml|mjcf(-rotation)?|urdf)\\.ts$' },
      to: { path: 'node_modules/@rgrove/parse-xml/' },
    },
    {
      name: 'nothing-below-knows-ik',
      comment: 'core, constraints, collision and impulse-compat, tests included, stand without ik.',
      severity: 'error',
      from: { path: '^packages/(core|constraints|collision|impulse-compat)/' },
      to: { path: '^packages/ik/' },
    },
    {
      name: 'assemblies-look-down',
      comment:
        'assemblies imports itself, the public entries of collision, constraints and core, the names of humanoids and the functions of poses of ik, and gl-matrix; of predicates the rule above.',
      severity: 'error',
      from: { path: '^packages/assemblies/src/' },
      to: {
        couldNotResolve: false,
        pathNot: [
          '^packages/assemblies/src/',
          '^packages/(core|constraints|collision|ik)/src/index\\.ts$',
          '^packages/core/src/kernel\\.ts$',
          '^packages/ik/src/(rigs/roles|poses/index)\\.ts$',
          'node_modules/gl-matrix/',
          'node_modules/robust-predicates/',
        ],
      },
    },
    {
      name: 'ik-is-for-types-of-ragdolls',
      comment: 'A ragdoll reads rigs and their joints; no solver comes along.',
      severity: 'error',
      from: { path: '^packages/assemblies/src/' },
      to: { path: '^packages/ik/src/index\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-below-knows-assemblies',
      comment: 'core, constraints, collision, impulse-compat and ik, tests included, stand without assemblies.',
      severity: 'error',
      from: { path: '^packages/(core|constraints|collision|impulse-compat|ik)/' },
      to: { path: '^packages/assemblies/' },
    },
    {
      name: 'three-looks-down',
      comment:
        'three imports itself, the public entries of ik, assemblies, collision, constraints and core, three.js, and gl-matrix.',
      severity: 'error',
      from: { path: '^packages/three/src/' },
      to: {
        couldNotResolve: false,
        pathNot: [
          '^packages/three/src/',
          '^packages/(core|constraints|collision|assemblies|ik)/src/index\\.ts$',
          '^packages/core/src/kernel\\.ts$',
          '^packages/ik/src/(rigs/three|ragdoll/index)\\.ts$',
          'node_modules/(@types/)?three/',
          'node_modules/gl-matrix/',
        ],
      },
    },
    {
      name: 'collision-is-for-types',
      comment: 'A page without collisions carries none of them: three knows their types alone.',
      severity: 'error',
      from: { path: '^packages/three/src/' },
      to: { path: '^packages/collision/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'debug-draws-without-three',
      comment: 'Debug lines are plain arrays, for any renderer; debug-lines.ts shows them by three.js.',
      severity: 'error',
      from: { path: '^packages/three/src/(debug-draw|debug/[^/]+)\\.ts$' },
      to: { path: 'node_modules/(@types/)?three/', reachable: true },
    },
    {
      name: 'simd-imports-core',
      comment: 'simd imports itself and the public entries of core: it knows types by their names alone.',
      severity: 'error',
      from: { path: '^packages/simd/src/' },
      to: { couldNotResolve: false, pathNot: ['^packages/simd/src/', '^packages/core/src/(index|kernel)\\.ts$'] },
    },
    {
      name: 'nothing-below-knows-kernels',
      comment: 'All other packages, tests included, stand without simd.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/simd/' },
      to: { path: '^packages/simd/' },
    },
    {
      name: 'worker-looks-down',
      comment: 'worker imports itself, the public entries of collision, constraints and core, and gl-matrix.',
      severity: 'error',
      from: { path: '^packages/worker/src/' },
      to: {
        couldNotResolve: false,
        pathNot: [
          '^packages/worker/src/',
          '^packages/(core|constraints|collision)/src/index\\.ts$',
          '^packages/core/src/kernel\\.ts$',
          'node_modules/gl-matrix/',
        ],
      },
    },
    {
      name: 'page-carries-no-host',
      comment: 'What a page imports to talk to a worker carries nothing of what serves one, nor types of constraints.',
      severity: 'error',
      from: { path: '^packages/worker/src/(index|mirror|platform|(client|frames|wire)/[^/]+)(\\.ts)?$' },
      to: { path: ['^packages/worker/src/host', '^packages/constraints/'] },
    },
    {
      name: 'nothing-below-knows-workers',
      comment: 'All other packages, tests included, stand without worker.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/worker/' },
      to: { path: '^packages/worker/' },
    },
    {
      name: 'fast-check-looks-down',
      comment: 'fast-check imports itself, the public entries of collision, constraints and core, and fast-check.',
      severity: 'error',
      from: { path: '^packages/fast-check/src/' },
      to: {
        couldNotResolve: false,
        pathNot: [
          '^packages/fast-check/src/',
          '^packages/(core|constraints|collision)/src/index\\.ts$',
          '^packages/core/src/kernel\\.ts$',
          'node_modules/fast-check/',
        ],
      },
    },
    {
      name: 'fast-check-is-for-tests',
      comment: 'No package needs it to run; tests of constraints run the suite of fast-check over every type.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: '^packages/fast-check/src/' },
      to: { path: ['^packages/fast-check/', 'node_modules/fast-check/'] },
    },
    {
      name: 'nothing-below-knows-three',
      comment: 'All other packages, tests included, stand without three; what reads rigs of three.js is of ik.',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/three/' },
      to: { path: '^packages/three/' },
    },
    {
      name: 'public-entry-only',
      comment: 'examples and bench use packages as a user does: by the entries in their exports.',
      severity: 'error',
      from: { path: '^(examples|bench)/' },
      to: {
        path: '^packages/',
        pathNot: [
          '^packages/[^/]+/src/index\\.ts$',
          '^packages/ik/src/((poses|ragdoll)/index|rigs/(bvh|gltf|mjcf|roles|three|urdf|vrm))\\.ts$',
          '^packages/three/src/(ragdoll|assemblies)\\.ts$',
          '^packages/core/src/kernel\\.ts$',
          '^packages/worker/src/(host|mirror|worker)\\.ts$',
        ],
      },
    },
    {
      name: 'public-entry-by-name',
      comment: 'The entry of a package is imported by its name, not by a path.',
      severity: 'error',
      from: { path: '^(examples|bench)/' },
      to: { path: '^packages/', dependencyTypes: ['local'] },
    },
    {
      name: 'other-packages-by-name',
      comment:
        'The same among packages; their tests share support files. Tests of collision and impulse-compat have others by their ' +
        'paths: the packages do not depend on them.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: {
        path: '^packages/',
        pathNot: [
          '^packages/$1/',
          '^packages/(core|constraints)/test/support/',
          '^packages/(collision|assemblies)/test/support/small-worlds\\.ts$',
          '^packages/(constraints|collision|fast-check)/src/index\\.ts$',
        ],
        dependencyTypes: ['local'],
      },
    },
    {
      name: 'support-is-for-tests',
      severity: 'error',
      from: { pathNot: '^packages/[^/]+/test/' },
      to: { path: '^packages/[^/]+/test/' },
    },
    {
      name: 'packages-stand-alone',
      comment: 'Packages, tests included, do not reach into examples, bench or tools.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(examples|bench|tools)/' },
    },
    {
      name: 'examples-do-not-bench',
      comment:
        'But for the page that shows other engines side by side: it has the scenes and adapters that they are measured by.',
      severity: 'error',
      from: { path: '^examples/', pathNot: '^examples/(gallery/src/beside/|test/gallery-page\\.test\\.ts$)' },
      to: { path: '^bench/' },
    },
    {
      name: 'side-by-side-takes-adapters',
      severity: 'error',
      from: { path: '^examples/(gallery/src/beside/|test/gallery-page\\.test\\.ts$)' },
      to: { path: '^bench/', pathNot: '^bench/rigid/(data\\.ts$|engines/)' },
    },
  ],
  options: {
    // Type-only imports are dependencies too, and are marked as such.
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@tautline/source', 'import', 'node', 'default', 'types'],
    },
    doNotFollow: { path: 'node_modules|/dist/' },
  },
}
