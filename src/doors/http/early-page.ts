import { setTimeout as pause } from 'node:timers/promises'
import { guardOf } from './guard.ts'
import type { Listener, ServeFiles } from './listener.ts'
import { pageFolder, servePage } from './page.ts'

const LONGEST_MS = 100

/** The page comes before the hub: its files need nothing but themselves. Everything else waits, refusals too. */
export async function serveEarlyPage(listener: Listener): Promise<ServeFiles> {
  const page = servePage(pageFolder())
  const guard = guardOf(listener.host)
  const shown = listener.serveFirst((request, response, later) => {
    try {
      guard(request)
    } catch {
      // Why not is for the hub to say.
      return later()
    }
    page(request, response, later)
  })
  // Nobody who looks already waits for the rest to be loaded, and no client can hold it up.
  await Promise.race([shown, pause(LONGEST_MS)])
  return page
}
