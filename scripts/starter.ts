import { USERS } from './builds.ts'

/** Everything that a hub needs is loaded by then. */
const LOADED_MS = 1000

/**
 * What is loaded first of `cli.js` and `background.js`. It leaves word that a process uses this build, so that no later
 * build removes it, and turns on the compile cache before anything large is loaded. The cache is beside the code and goes
 * with it; where that cannot be written it is in the user's own folder, never in one that is shared. By itself Node would
 * write it only at the end, which a hub that is killed does not have.
 */
export function starter(build: string, main: string): string {
  return `const [fs, os, module] = ['fs', 'os', 'module'].map(process.getBuiltinModule)
const users = import.meta.dirname + '/${USERS}'
try {
  fs.mkdirSync(users, { recursive: true })
  fs.writeFileSync(users + '/' + process.pid, '')
  process.once('exit', () => fs.rmSync(users + '/' + process.pid, { force: true }))
} catch {
  // Nobody builds where nobody can write.
}
if (module.enableCompileCache(import.meta.dirname + '/cache').status === module.constants.compileCacheStatus.FAILED)
  module.enableCompileCache((process.env.XDG_CACHE_HOME || os.homedir() + '/.cache') + '/parley/${build}')
setTimeout(module.flushCompileCache, ${LOADED_MS}).unref()
await import('./${main}')
`
}
