import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ParleyError } from '../protocol/errors.ts'

const LOOK_MS = 2000
/** An update takes the old files away some time before the new ones are there. */
const MOST_LOOKS = 15

/** Tells when the build that this hub is loaded from is gone and another one is there: nothing more of it can be loaded. */
export function watchBuild(folder: string) {
  const gone = Promise.withResolvers<ParleyError>()
  let missed = 0
  const timer = setInterval(look, LOOK_MS).unref()
  return { gone: gone.promise, close }

  function look() {
    missed = existsSync(folder) ? 0 : missed + 1
    const isReplaced = missed > 0 && existsSync(join(folder, '../../current'))
    if (!isReplaced && missed < MOST_LOOKS) return
    close()
    gone.resolve(new ParleyError('build_gone'))
  }

  function close() {
    clearInterval(timer)
  }
}
