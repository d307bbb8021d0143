import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ignoring } from '../../io/system-error.ts'

/** Shows an address in the person's browser, where there is one; nothing happens where there is none. */
export async function openInBrowser(url: string) {
  const [program, ...args] = opener()
  if (!program) return
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', windowsHide: true })
  child.unref()
  // This fails where the opener is not installed; the address was printed.
  await once(child, 'spawn').catch(ignoring())
}

function opener(): string[] {
  if (process.platform === 'darwin') return ['open']
  // What looks like a title in quotes is one; without it, the address would be.
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '""']
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : []
}
