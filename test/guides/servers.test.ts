import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { commandsIn, followGuide } from '../support/guide.ts'
import { temporaryFolder } from '../support/hub.ts'
import { freePort, startParley } from '../support/process.ts'

const ON_LINUX = process.platform === 'linux'
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
