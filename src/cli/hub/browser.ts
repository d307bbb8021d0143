import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Shows an address in the person's browser, where there is one; nothing happens where there is none. */
export async function openInBrowser(url: string) {
  const [program, ...args] = opener()
  if (!program) return
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', windowsHide: true })
  child.unref()
  try {
    await once(child, 'spawn')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    // There is no browser; the address was printed.
  }
}

function opener(): string[] {
  if (process.platform === 'darwin') return ['open']
  // What looks like a title in quotes is one; without it, the address would be.
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '""']
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : []
}
