import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { codeIn, commandsIn, projectFolder, runPasted } from '../support/guide.ts'
import { temporaryFolder } from '../support/hub.ts'
import { freePort, startParley } from '../support/process.ts'

const ON_LINUX = process.platform === 'linux'
const [NGINX = '', OPENSSL = ''] = ['nginx', 'openssl'].map((name) =>
  ['/usr/sbin', '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path)),
)
const POST = '/api/tools/ui_chat_human_post'

test.skipIf(!ON_LINUX)(
  '[R45] the commands for a team’s server make a hub whose tokens may what the guide says',
  async () => {
    const { data, port, tokens, links } = await followGuide('team-server')
    expect(links).toEqual([expect.stringMatching(/^https:\/\/parley\.example\/sign-in\/\S+\n$/)])
    const post = (name: string, session_id: string) =>
      askAs(port, { token: tokens.get(name), path: POST, body: { mime: 'text/plain', content: 'Hello', session_id } })
    expect([await post('ada', 'website'), await post('grace', 'other'), await post('codex', 'website')]).toEqual([
      200, 200, 403,
    ])
    const read = (session_id: string) =>
      askAs(port, { token: tokens.get('codex'), path: '/api/tools/ui_chat_read_since', body: { session_id } })
    expect([await read('website'), await read('other')]).toEqual([200, 404])
    expect(await askAs(port, { path: POST, body: {} })).toBe(401)
    const { stdout } = await startParley(['token', 'list', '--data', data]).ended
    expect(stdout).toMatch(/codex +agent +website/)
  },
)

test.skipIf(!ON_LINUX)('[R46] the commands for a container work by what the image runs', async () => {
  const image = readFileSync('Dockerfile', 'utf8')
  const [, command = ''] = /^CMD (\[.*\])$/m.exec(image) ?? []
  const [data, port] = [await temporaryFolder(), await freePort()]
  const serve = () => startParley((JSON.parse(command) as string[]).with(-1, `${port}`), { PARLEY_DATA: data })
  expect((await serve().ended).stderr).toContain('parley token create')
  const said: string[] = []
  for (const words of commandsIn('container').filter(([program]) => program === 'docker')) {
    const [, verb, ...rest] = words
    if (verb === 'build') continue
    const given = rest.slice(rest.lastIndexOf(verb === 'exec' ? 'parley' : 'parley-hub') + 1)
    if (given.length === 0) await serve().said(/^http:\/\/\S+$/m)
    else said.push((await startParley(given, { PARLEY_DATA: data }).ended).stdout)
  }
  const [token = '', link] = said
  expect(link).toMatch(/^http:\/\/localhost:4117\/sign-in\/\S+\n$/)
  const body = { mime: 'text/plain', content: 'Hello' }
  expect(await askAs(port, { token: token.trim(), path: POST, body, address: '127.0.0.1' })).toBe(200)
})

test.skipIf(!ON_LINUX || !NGINX || !OPENSSL)(
  '[R47] nginx, as the guide sets it up, passes on the page, its socket and what is told, by https',
  async () => {
    const { port, tokens, links } = await followGuide('reverse-proxy')
    expect(links).toEqual([expect.stringMatching(/^https:\/\/parley\.example\/sign-in\/\S+\n$/)])
    const folder = await projectFolder()
    const url = await startNginx(folder, port)
    const code = `
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
const authorization = 'Bearer ${tokens.get('ada')}'
const own = await fetch('https://localhost:4117/healthz', { headers: { origin: 'https://localhost:4117' } })
const other = await fetch('https://localhost:4117/healthz', { headers: { origin: 'https://other.example' } })
console.log('pages', own.status, other.status)
const socket = new WebSocket('wss://localhost:4117/ws', ['timeline', 'parley-token.${tokens.get('ada')}'])
socket.onopen = () => socket.send(JSON.stringify({ type: 'hello' }))
socket.onmessage = ({ data }) => console.log(JSON.parse(data).type)
const client = new Client({ name: 'frontend', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
client.fallbackNotificationHandler = async ({ method }) => console.log(method)
await client.connect(new StreamableHTTPClientTransport(new URL('https://localhost:4117/mcp/human'), { requestInit: { headers: { authorization } } }))
await client.subscribeResource({ uri: 'ui://chat/inbox' })
await client.callTool({ name: 'chat_human_post', arguments: { mime: 'text/plain', content: 'Hello' } })
`
    const { said } = await runPasted(code, url, folder, { NODE_EXTRA_CA_CERTS: join(folder, 'parley.pem') })
    for (const words of ['pages 200 403', 'welcome', 'notifications/resources/updated']) await said(words)
  },
)

/** Does what a guide says, but for the service, which is a process here. */
async function followGuide(guide: string) {
  const [data, port] = [await temporaryFolder(), await freePort()]
  const tokens = new Map<string, string>()
  const links: string[] = []
  for (const [program, ...words] of commandsIn(guide).filter(([program]) => program === 'parley')) {
    const [first, second, name = ''] = words
    if (first === 'service') {
      const options = words.slice(2).map((word) => word.replace('4117', `${port}`))
      await startParley(['serve', ...options, '--data', data]).said(/^http:\/\/127\.0\.0\.2:\d+$/m)
      continue
    }
    const { code, stdout, stderr } = await startParley([...words, '--data', data]).ended
    expect([code, program], stderr).toEqual([0, 'parley'])
    if (second === 'create') tokens.set(name, stdout.trim())
    else links.push(stdout)
  }
  return { data, port, tokens, links }
}

/** As a proxy asks that passes the name on. */
async function askAs(
  port: number,
  asked: { path: string; body: object; token?: string | undefined; address?: string },
): Promise<number | undefined> {
  const { path, body, token, address = '127.0.0.2' } = asked
  const headers = { host: 'parley.example', origin: 'https://parley.example' }
  const all = { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) }
  const sent = request({ host: address, port, path, method: 'POST', headers: all }).end(JSON.stringify(body))
  const [answer] = await once(sent, 'response')
  await text(answer)
  return answer.statusCode
}

/** As the guide has it, but for ports and files. */
async function startNginx(folder: string, hub: number): Promise<string> {
  const [port, [shown = '']] = [await freePort(), codeIn('reverse-proxy', 'nginx')]
  const names = '/CN=localhost -addext subjectAltName=DNS:localhost -keyout parley.key -out parley.pem'
  const how = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj ${names}`
  execFileSync(OPENSSL, how.split(' '), { cwd: folder, stdio: 'ignore' })
  const server = shown
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replaceAll('/etc/ssl', folder)
    .replace(':4117', `:${hub}`)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const conf = `daemon off; master_process off; pid ${folder}/pid; events {} http { access_log off; ${paths.join(' ')}\n${server}}`
  await writeFile(join(folder, 'nginx.conf'), conf)
  const nginx = spawn(NGINX, ['-p', folder, '-e', join(folder, 'error.log'), '-c', join(folder, 'nginx.conf')])
  const ended = once(nginx, 'close')
  onTestFinished(async () => {
    nginx.kill('SIGKILL')
    await ended
  })
  await eventually(() =>
    expect(existsSync(join(folder, 'pid')), readFileSync(join(folder, 'error.log'), 'utf8')).toBe(true),
  )
  return `https://localhost:${port}`
}
