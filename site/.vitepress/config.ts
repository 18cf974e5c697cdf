/** How the site looks and what leads where. Its pages are written to `.pages` by `build.ts`. */

import { katex } from '@mdit/plugin-katex'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type DefaultTheme } from 'vitepress'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const GUIDE: DefaultTheme.SidebarItem[] = [
  { text: 'The first scene', link: '/first-scene' },
  { text: 'Which package', link: '/which-package' },
  { text: 'Cheat sheet', link: '/cheat-sheet' },
  { text: 'Worlds and bodies', link: '/hello' },
  { text: 'Joints and rows', link: '/constraints' },
  { text: 'Contacts and shapes', link: '/collisions' },
  { text: 'Queries', link: '/queries' },
  { text: 'Cloth', link: '/cloth' },
  { text: 'Ropes, rods, pulleys', link: '/rope' },
  { text: 'Soft bodies', link: '/soft-bodies' },
  { text: 'Ragdolls', link: '/ragdolls' },
  { text: 'Inverse kinematics', link: '/ik' },
  { text: 'IK and dynamics together', link: '/ik-and-dynamics' },
  { text: 'A ball hits a figure', link: '/ball-hits-figure' },
  { text: 'Characters', link: '/character' },
  { text: 'Games', link: '/games' },
  { text: 'With three.js', link: '/three' },
  { text: 'In a worker', link: '/workers' },
  { text: 'SIMD kernels', link: '/simd' },
  { text: 'Recipes', link: '/recipes' },
]
const MORE: DefaultTheme.SidebarItem[] = [
  { text: 'A constraint of your own', link: '/adding-a-constraint' },
  { text: 'A kernel of your own', link: '/kernels' },
  { text: 'Testing yours', link: '/testing' },
  { text: 'Networks and rollback', link: '/networking' },
  { text: 'Tuning', link: '/tuning' },
  { text: 'Troubleshooting', link: '/troubleshooting' },
  { text: 'What can I afford', link: '/budget' },
  { text: 'Performance', link: '/performance' },
  { text: 'Sizes', link: '/sizes' },
  { text: 'Browsers and runtimes', link: '/runtime-support' },
  { text: 'Coming from another engine', link: '/coming-from' },
]
const CONCEPTS: DefaultTheme.SidebarItem[] = [
  { text: 'Glossary', link: '/glossary' },
  { text: 'Architecture', link: '/architecture' },
  { text: 'Conventions', link: '/conventions' },
  { text: 'The method', link: '/method' },
  { text: 'Experiments', link: '/experiments' },
  { text: 'The velocity-level solver', link: '/impulses' },
  { text: 'Beside other engines', link: '/comparison' },
  { text: 'The gallery', link: '/gallery' },
  { text: 'The mannequin', link: '/mannequin' },
]
const PACKAGES = [
  'core',
  'constraints',
  'collision',
  'assemblies',
  'ik',
  'impulse-compat',
  'three',
  'worker',
  'simd',
  'fast-check',
]

/** Entries whose pages there are. */
function written(items: readonly DefaultTheme.SidebarItem[]): DefaultTheme.SidebarItem[] {
  return items.filter(({ link }) => existsSync(here(`../.pages${link}.md`)))
}

/** The reference's own list of what it holds. */
function exportsOf(): DefaultTheme.SidebarItem[] {
  const path = here('../.pages/api/index.md')
  if (!existsSync(path)) return []
  return [...readFileSync(path, 'utf8').matchAll(/^- \[([^\]]+)\]\(([^)]+)\.md\)/gm)].map(([, text, link]) => ({
    text,
    link: `/api/${link}`,
  }))
}

/** That of the gallery. A page without one has browsers ask the host for it. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 2l9 9' stroke='%232f6f8f' stroke-width='2'/%3E%3Ccircle cx='11.5' cy='11.5' r='3.5' fill='%23c9703f'/%3E%3C/svg%3E"

export default defineConfig({
  title: 'Tautline',
  description:
    'Mechanical constraints solved by displacement: joints, cloth, ropes, soft bodies, ragdolls and IK in TypeScript',
  lang: 'en',
  srcDir: '.pages',
  outDir: 'dist',
  cleanUrls: false,
  // Pages that the gallery's build makes are no pages of this one.
  ignoreDeadLinks: [/^\.?\/gallery\//],
  head: [
    ['meta', { name: 'theme-color', content: '#0f766e' }],
    ['link', { rel: 'icon', href: ICON }],
  ],
  markdown: {
    // Text is text: `a < b` in a sentence is no tag.
    html: false,
    // Nor are braces attributes.
    attrs: { disable: true },
    config: (md) => {
      // Declarations of two versions of one thing.
      katex(md as unknown as Parameters<typeof katex>[0])
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Guide', link: '/first-scene' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'Reference', link: '/api/' },
      { text: 'Gallery', link: '/gallery/index.html', target: '_self' },
    ],
    sidebar: [
      { text: 'Guide', items: written(GUIDE) },
      { text: 'Going on', items: written(MORE) },
      { text: 'Concepts', items: written(CONCEPTS) },
      {
        text: 'Packages',
        collapsed: true,
        items: written(PACKAGES.map((name) => ({ text: `@tautline/${name}`, link: `/packages/${name}` }))),
      },
      {
        text: 'Tables of fields',
        collapsed: true,
        items: written(PACKAGES.map((name) => ({ text: name, link: `/reference/${name}` }))),
      },
      { text: 'Reference of exports', collapsed: true, items: exportsOf() },
      {
        text: 'Project',
        collapsed: true,
        items: written([
          { text: 'Changes', link: '/changelog' },
          { text: 'Contributing', link: '/contributing' },
        ]),
      },
    ],
  },
})
