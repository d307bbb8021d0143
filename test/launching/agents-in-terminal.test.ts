import { expect, test } from 'vitest'
import { homeWith } from '../support/driven/launching.ts'
import { ACP } from '../support/driven/programs.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { startParley } from '../support/process.ts'

const MACHINE = { claude: '', npx: 'exit 1', gemini: ACP, 'codex-acp': ACP, qwen: 'echo no; exit 3' }

/** Programs of a machine that has these. */
async function machine() {
  await homeWith(MACHINE)
  const { HOME = '', PATH = '', ACP_AGENT_FOLDER = '' } = process.env
  return { HOME, PATH, ACP_AGENT_FOLDER }
}

test('[O179] the known agents are listed: whether they are there, what starts them, and how to sign in', async () => {
  const env = await machine()
  const { code, stdout } = await startParley(['agents', '--json'], env).ended
  const all = JSON.parse(stdout) as { id: string; state: string; start: string }[]
  expect([code, all.map(({ id, state }) => `${id} ${state}`).slice(0, 5)]).toEqual([
    0,
    ['claude needs_adapter', 'codex ready', 'gemini ready', 'opencode not_installed', 'qwen ready'],
  ])
  expect(all[0]).toMatchObject({ start: 'npx @agentclientprotocol/claude-agent-acp@0.99.0', login: 'claude /login' })
  const { stdout: shown } = await startParley(['agents'], env).ended
  expect(shown).toMatch(/^Claude Code +needs its adapter +npx @agentclientprotocol.* +claude \/login$/m)
})

test('[O179] a run that names no agent offers all that are installed, and says of the others why not', async () => {
  const env = await machine()
  const data = await temporaryFolder()
  const { view } = await startHubWithSocket(data)
  const run = startParley(['run', '--data', data, '--cwd', data], env)
  await run.said(/^Qwen Code .*(ACP|ended)/m)
  const names = view.driving.runners()?.flatMap(({ agent, problem }) => (problem === undefined ? agent : []))
  expect(names?.toSorted()).toEqual(['Codex', 'Gemini CLI'])
  run.child.kill('SIGTERM')
  const { stderr } = await run.ended
  expect(stderr).toContain('Claude Code needs its adapter: npm install -g @agentclientprotocol/claude-agent-acp@0.99.0')
})
