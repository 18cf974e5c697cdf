/** Opens an address in the browser of whoever sits at this machine. */

import { spawn } from 'node:child_process'

/** How a system opens an address. */
const COMMANDS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
}

/** Whether there is somebody to show a page to: a screen, at this machine, and no CI. */
export function hasScreen(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  const isSet = (name: string): boolean => (env[name] ?? '') !== ''
  if (isSet('CI') || isSet('SSH_CONNECTION') || env.BROWSER === 'none') return false
  return platform in COMMANDS || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY')
}

/** Opens an address where there is a screen; a browser that cannot be started is no error: the address is printed. */
export function openBrowser(address: string): void {
  const { env, platform } = process
  if (!hasScreen(env, platform)) return
  const [command, ...args] = COMMANDS[platform] ?? ['xdg-open']
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
