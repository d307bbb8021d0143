import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../../test/support/chat.ts'
import { temporaryFolder } from '../../../test/support/hub.ts'
import { STATUS, startPeer } from '../../../test/support/hub-peer.ts'
import { startParley } from '../../../test/support/process.ts'

async function parley() {
  const data = await temporaryFolder()
  const env = { PARLEY_DATA: data }
  return { data, env, token: (...words: string[]) => startParley(['token', ...words], env).ended }
}

const callWith = (url: string, token: string) =>
  fetch(`${url}/nowhere`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status)

test('[C12] create prints the token alone on stdout and the rest on stderr, and stores no token', async () => {
  const { data, token } = await parley()
  const first = await token('create', 'ada', '--role', 'human')
  expect(first.stdout).toMatch(/^parley_[\w-]{43}\n$/)
  expect(first.stderr).toBe(
    'This is the token of ada, human; it is not shown again\nFrom now on the hub asks everyone for a token\n',
  )
  const second = await token('create', 'codex', '--role', 'agent', '--session', 'web', '--expires', '30d')
  expect(second.stderr).toBe('This is the token of codex, agent in web only; it is not shown again\n')
  const stored = await readFile(join(data, 'tokens.json'), 'utf8')
  for (const { stdout } of [first, second]) expect(stored).not.toContain(stdout.trim().slice(7))
})

test('[S52] create without a role is an error, also for a name that has a token, and changes nothing', async () => {
  const { data, token } = await parley()
  const refused = {
    code: 2,
    stdout: '',
    stderr: 'A token needs a role: one of human, agent, orchestrator, admin; see parley token create --help\n',
  }
  expect(await token('create', 'ada')).toEqual(refused)
  expect(await token('create', 'ada', '--session', 'web', '--expires', '30d')).toEqual(refused)
  expect(await readdir(data)).toEqual([])
  await token('create', 'ada', '--role', 'agent')
  const before = await readFile(join(data, 'tokens.json'), 'utf8')
  expect(await token('create', 'ada')).toEqual(refused)
  expect(await readFile(join(data, 'tokens.json'), 'utf8')).toBe(before)
})

test('[C13] list shows names, roles, conversations and times, and never a hash', async () => {
  const { data, token } = await parley()
  expect(await token('list')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No tokens yet') })
  await token('create', 'ada', '--role', 'human')
  await token('create', 'codex', '--role', 'agent', '--session', 'web', '--expires', '30d')
  await token('create', 'gone', '--role', 'human')
  await token('revoke', 'gone')
  const { stdout } = await token('list')
  const rows = stdout.trimEnd().split('\n')
  expect(rows.map((row) => row.split(/ {2,}/).filter((_, column) => column !== 3))).toEqual([
    ['name', 'role', 'conversation', 'expires'],
    ['ada', 'human', '(all)', 'never'],
    ['codex', 'agent', 'web', expect.stringMatching(/^\d{4}-\d\d-\d\d$/)],
    ['gone', 'human', '(all)', expect.stringMatching(/^revoked \d{4}-\d\d-\d\d$/)],
  ])
  const hashes = (await readFile(join(data, 'tokens.json'), 'utf8')).match(/[0-9a-f]{64}/g) ?? []
  expect(hashes).toHaveLength(3)
  for (const hash of hashes) expect(stdout).not.toContain(hash)
})

test('[C14] a running hub takes notice of create and revoke at once', async () => {
  const { env, token } = await parley()
  const url = await startParley(['serve', '--port', '0'], env).url
  expect(await callWith(url, 'none')).toBe(404)
  const { stdout: first } = await token('create', 'ada', '--role', 'human')
  expect([await callWith(url, 'none'), await callWith(url, first.trim())]).toEqual([401, 404])
  const { stdout: second } = await token('create', 'ada', '--role', 'human')
  expect([await callWith(url, first.trim()), await callWith(url, second.trim())]).toEqual([401, 404])
  const revoked = await token('revoke', 'ada')
  expect(revoked).toEqual({ code: 0, stdout: '', stderr: 'Access for ada revoked, in every browser too\n' })
  expect(await callWith(url, second.trim())).toBe(401)
  const again = await token('revoke', 'ada')
  expect(again).toEqual({ code: 1, stdout: '', stderr: 'Unknown token name ada; see parley token list\n' })
})

test('[C15] link prints a link that signs one browser in, and serve prints one for the first person', async () => {
  const { env, token } = await parley()
  await token('create', 'codex', '--role', 'agent')
  await token('create', 'ada', '--role', 'human')
  const hub = startParley(['serve', '--port', '0'], env)
  const url = await hub.url
  const { stdout: link } = await token('link', 'ada', '--port', new URL(url).port)
  expect(link).toMatch(new RegExp(`^${url}/sign-in/parley_[\\w-]{43}\\n$`))
  expect((await fetch(link.trim(), { method: 'POST', redirect: 'manual' })).status).toBe(200)
  const agent = await token('link', 'codex')
  expect(agent).toMatchObject({ code: 1, stderr: 'This is for human or admin, and codex is agent\n' })
  hub.child.kill('SIGTERM')
  const [address, , printed = ''] = (await hub.ended).stderr.split('\n')
  expect(address).toBe(url)
  expect(printed).toMatch(new RegExp(`^Sign in as ada, once, within 10 minutes: ${url}/sign-in/parley_[\\w-]{43}$`))
})

test('[C89] link is for the hub that runs, unless somebody says where it is reached', async () => {
  const { data, env, token } = await parley()
  await token('create', 'ada', '--role', 'human')
  await startPeer(data, { answer: () => ({ status: { ...STATUS, url: 'http://localhost:5005' } }) })
  const found = await startParley(['token', 'link', 'ada'], { ...env, PORT: '6006' }).ended
  expect(found.stdout).toMatch(/^http:\/\/localhost:5005\/sign-in\//)
  const told = await token('link', 'ada', '--host', 'box.lan', '--port', '80')
  expect(told.stdout).toMatch(/^http:\/\/box\.lan:80\/sign-in\//)
})

test('[R44] a link to port 443 is one of https', async () => {
  const { token } = await parley()
  await token('create', 'ada', '--role', 'human')
  const { stdout } = await token('link', 'ada', '--host', 'parley.example', '--port', '443')
  expect(stdout).toMatch(/^https:\/\/parley\.example\/sign-in\//)
  expect((await token('link', 'ada', '--host', 'box.lan', '--port', '1443')).stdout).toMatch(
    /^http:\/\/box\.lan:1443\//,
  )
})

test('[C16] an agent process prints no link, because its agent could read it', async () => {
  const { env, token } = await parley()
  await token('create', 'ada', '--role', 'human')
  const stdio = startParley(['stdio', '--port', '0'], env)
  await stdio.url
  stdio.child.stdin?.end()
  expect((await stdio.ended).stderr).toMatch(/^http:\/\/localhost:\d+\n$/)
})

test('[C17] wrong tokens from the environment, and a damaged file, end the start in one sentence', async () => {
  const { data, env } = await parley()
  const wrong = await startParley(['serve', '--data', 'memory'], { PARLEY_TOKENS: 'ada:s3cret' }).ended
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/^PARLEY_TOKENS is .+ number 1 is not\n$/) })
  await writeFile(join(data, 'tokens.json'), '[{')
  for (const command of [['serve', '--port', '0'], ['stdio'], ['token', 'create', 'ada', '--role', 'human']]) {
    const { code, stderr } = await startParley(command, env).ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/^\S+tokens\.json is damaged or not a list of tokens \(.+\); it was left as it is\n$/)
  }
  expect(await readFile(join(data, 'tokens.json'), 'utf8')).toBe('[{')
})

test('[C18] the demo agent shows the token it is given, and says so when it needs one', async () => {
  const tokens = { PARLEY_TOKENS: 'ada:human:one,demo:agent:two' }
  const demo = ['demo', '--port', '0', '--data', 'memory']
  const needs = await startParley(demo, tokens).ended
  expect(needs.code).toBe(2)
  expect(needs.stderr).toContain('The hub asks for a token; give the demo agent one in PARLEY_TOKEN')
  const url = await startParley(demo, { ...tokens, PARLEY_TOKEN: 'two' }).url
  const inbox = () =>
    fetch(`${url}/api/mcp/call`, {
      method: 'POST',
      headers: { authorization: 'Bearer one' },
      body: JSON.stringify({ server: 'human', tool: 'chat_read_since', arguments: {} }),
    }).then((response) => response.text())
  await until(async () => (await inbox()).includes('demo agent'))
})
