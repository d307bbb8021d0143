import { attempt } from '../io/attempt.ts'
import { ifSystemError, ignoring } from '../io/system-error.ts'
import { makeConsoleSafe } from '../ops/safe-console.ts'
import { ParleyError } from '../protocol/errors.ts'
import { lastSentence } from '../protocol/last-sentence.ts'
import { type Run, runProgram } from './program.ts'

makeConsoleSafe()

// Node itself would print where in the code it happened.
process.on('uncaughtException', fail)
// Whoever reads no further, as `head` does, has what they wanted.
process.stdout.on('error', ignoring('EPIPE'))

/** Each is fetched when it is needed. */
const run: Run = {
  open: async (line) => (await import('./hub/open.ts')).open(line),
  demo: async (line) => (await import('./demo/demo.ts')).demo(line),
  doctor: async (line) => (await import('./connect/doctor.ts')).doctor(line),
  connect: async (line) => (await import('./connect/connect.ts')).connect(line),
  agents: async (line) => (await import('./run/agents.ts')).listAgents(line),
  run: async (line) => (await import('./run/run.ts')).run(line),
  serve: async (line) => (await import('./hub/serve.ts')).serve(line),
  status: async (line) => (await import('./hub/status.ts')).status(line),
  stop: async (line) => (await import('./hub/stop.ts')).stop(line),
  protect: async (line) => (await import('./hub/protect.ts')).protect(line),
  'service install': async (line) => (await import('./service/service.ts')).installService(line),
  'service remove': async () => (await import('./service/service.ts')).removeService(),
  'service status': async () => (await import('./service/service.ts')).showService(),
  'token create': async (line) => (await import('./hub/token.ts')).createToken(line),
  'token list': async (line) => (await import('./hub/token.ts')).listTokens(line),
  'token revoke': async (line) => (await import('./hub/token.ts')).revokeToken(line),
  'token link': async (line) => (await import('./hub/token.ts')).linkToken(line),
  'policy check': async (line) => (await import('./governance/policy.ts')).checkPolicy(line),
  'policy test': async (line) => (await import('./governance/policy.ts')).testPolicy(line),
  'policy suggest': async (line) => (await import('./governance/policy-suggest.ts')).suggestPolicy(line),
  'mount add': async (line) => (await import('./governance/mount.ts')).addMount(line),
  'mount remove': async (line) => (await import('./governance/mount.ts')).removeMount(line),
  'mount pause': async (line) => (await import('./governance/mount.ts')).pauseMount(line),
  'mount resume': async (line) => (await import('./governance/mount.ts')).resumeMount(line),
  'mount list': async (line) => (await import('./governance/mount.ts')).listMounts(line),
  'mount login': async (line) => (await import('./governance/mount-sign-in.ts')).login(line),
  'mount logout': async (line) => (await import('./governance/mount-sign-in.ts')).logout(line),
  'mount logs': async (line) => (await import('./governance/mount.ts')).showLogs(line),
  audit: async (line) => (await import('./governance/audit.ts')).listCalls(line),
  'audit verify': async (line) => (await import('./governance/audit-verify.ts')).verifyChain(line),
  list: async (line) => (await import('./folder/list.ts')).listConversations(line),
  forget: async (line) => (await import('./folder/forget.ts')).forget(line),
  gc: async (line) => (await import('./folder/gc.ts')).gc(line),
  export: async (line) => (await import('./folder/export.ts')).exportConversation(line),
}

try {
  await runProgram(process.argv.slice(2), {
    env: process.env,
    cwd: currentFolder(),
    run,
    print: (text) => process.stdout.write(text),
  })
} catch (error) {
  const isFromNpx = error instanceof ParleyError && error.code === 'npx_cache'
  const status = isFromNpx ? await (await import('./leaving-npx.ts')).leaveNpx(error.message) : undefined
  if (status === undefined) fail(error)
  process.exit(status)
}

function currentFolder(): string {
  return attempt(
    () => process.cwd(),
    ifSystemError(() => {
      throw new ParleyError('removed_folder')
    }, 'ENOENT'),
  )
}

function fail(error: unknown) {
  console.error(lastSentence(error))
  process.exit(error instanceof ParleyError && error.code === 'usage' ? 2 : 1)
}
