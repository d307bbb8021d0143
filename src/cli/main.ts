import { makeConsoleSafe } from '../ops/safe-console.ts'
import { ParleyError } from '../protocol/errors.ts'
import { lastSentence } from '../protocol/last-sentence.ts'
import { type Run, runProgram } from './program.ts'

makeConsoleSafe()

// Node itself would print where in the code it happened.
process.on('uncaughtException', fail)

/** Each is fetched when it is needed. */
const run: Run = {
  open: async (line) => (await import('./open.ts')).open(line),
  demo: async (line) => (await import('./demo.ts')).demo(line),
  run: async (line) => (await import('./run.ts')).run(line),
  serve: async (line) => (await import('./serve.ts')).serve(line),
  status: async (line) => (await import('./status.ts')).status(line),
  stop: async (line) => (await import('./stop.ts')).stop(line),
  protect: async (line) => (await import('./protect.ts')).protect(line),
  'token create': async (line) => (await import('./token.ts')).createToken(line),
  'token list': async (line) => (await import('./token.ts')).listTokens(line),
  'token revoke': async (line) => (await import('./token.ts')).revokeToken(line),
  'token link': async (line) => (await import('./token.ts')).linkToken(line),
  'policy check': async (line) => (await import('./policy.ts')).checkPolicy(line),
  'policy test': async (line) => (await import('./policy.ts')).testPolicy(line),
  'policy suggest': async (line) => (await import('./policy-suggest.ts')).suggestPolicy(line),
  'mount add': async (line) => (await import('./mount.ts')).addMount(line),
  'mount remove': async (line) => (await import('./mount.ts')).removeMount(line),
  'mount pause': async (line) => (await import('./mount.ts')).pauseMount(line),
  'mount resume': async (line) => (await import('./mount.ts')).resumeMount(line),
  'mount list': async (line) => (await import('./mount.ts')).listMounts(line),
  'mount login': async (line) => (await import('./mount-sign-in.ts')).login(line),
  'mount logout': async (line) => (await import('./mount-sign-in.ts')).logout(line),
  'mount logs': async (line) => (await import('./mount.ts')).showLogs(line),
  audit: async (line) => (await import('./audit.ts')).listCalls(line),
  'audit verify': async (line) => (await import('./audit-verify.ts')).verifyChain(line),
  forget: async (line) => (await import('./forget.ts')).forget(line),
  gc: async (line) => (await import('./gc.ts')).gc(line),
  export: async (line) => (await import('./export.ts')).exportConversation(line),
}

try {
  await runProgram(process.argv.slice(2), {
    env: process.env,
    cwd: process.cwd(),
    run,
    print: (text) => process.stdout.write(text),
  })
} catch (error) {
  fail(error)
}

function fail(error: unknown) {
  console.error(lastSentence(error))
  process.exit(error instanceof ParleyError && error.code === 'usage' ? 2 : 1)
}
