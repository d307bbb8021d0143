import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { codeIn, followGuide, projectFolder, runPasted } from '../support/guide.ts'
import { freePort } from '../support/process.ts'

const [NGINX = '', OPENSSL = ''] = ['nginx', 'openssl'].map((name) =>
  ['/usr/sbin', '/usr/bin', '/usr/local/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path)),
)

test.skipIf(process.platform !== 'linux' || !NGINX || !OPENSSL)(
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
