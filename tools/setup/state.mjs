import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PARTS } from './parts.mjs'

/** The folder of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const file = join(root, 'node_modules/.cache/tautline-setup.json')

/** Folders with a manifest that pnpm reads. */
const folders = [
  ...Object.values(PARTS).flatMap((part) => part.folders),
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`),
]

/** Fields of a manifest that an install depends on. */
const FIELDS = ['engines', 'dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** A hash of all that an install depends on: Node, the lockfile, the workspace file and what manifests ask for. */
function hashInputs() {
  const hash = createHash('sha256').update(process.version)
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, name)))
  for (const folder of folders) {
    const manifest = join(root, folder, 'package.json')
    if (!existsSync(manifest)) continue
    const fields = JSON.parse(readFileSync(manifest, 'utf8'))
    hash.update(JSON.stringify([folder, ...FIELDS.map((field) => fields[field] ?? null)]))
  }
  return hash.digest('hex')
}

/** What the last install left: the parts, and the hash of what they were installed from. */
export function readState() {
  try {
    const { inputs, parts } = JSON.parse(readFileSync(file, 'utf8'))
    return { inputs, parts: parts.filter((part) => part in PARTS) }
  } catch {
    return { inputs: '', parts: [] }
  }
}

export function writeState({ inputs = hashInputs(), parts }) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ inputs, parts }))
}

/** Those of the parts that are not installed, or were installed from other manifests. */
export function missingParts(parts) {
  const state = readState()
  const isCurrent = state.inputs === hashInputs()
  const isThere = (part) => PARTS[part].folders.every((folder) => existsSync(join(root, folder, 'node_modules')))
  return parts.filter((part) => !(isCurrent && state.parts.includes(part) && isThere(part)))
}
