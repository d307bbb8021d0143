import { setTimeout as pause } from 'node:timers/promises'
import { guardOf } from './guard.ts'
import type { Listener, ServeFiles } from './listener.ts'
import { pageFolder, servePage } from './page.ts'

const LONGEST_MS = 100

/** The page comes before the hub: its files need nothing but themselves. Everything else waits, refusals too. */
export function serveEarlyPage(listener: Listener): ServeFiles {
  const page = servePage(pageFolder())
  const guard = guardOf(listener.host)
  listener.serveFirst((request, response, later) => {
    try {
      guard(request)
    } catch {
      // Why not is for the hub to say.
      return later()
    }
    page(request, response, later)
  })
  return page
}

/** Nobody who looks already waits for more to be loaded, and no client can hold that up. */
export async function pageFirst({ answered }: Listener): Promise<void> {
  await Promise.race([answered(), pause(LONGEST_MS)])
}
