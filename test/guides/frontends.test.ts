import { expect, test } from 'vitest'
import { agentOverHttp } from '../support/agent.ts'
import { eventually } from '../support/eventually.ts'
import { codeIn, projectFolder, runPasted } from '../support/guide.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'

/** A piece of the guide, by the name that its first line begins with. */
function pieceOf(dialect: string): string {
  const piece = codeIn('websocket', 'js').find((code) => code.startsWith(`// ${dialect}: `))
  if (!piece) throw new Error(`The guide shows nothing of ${dialect}`)
  return piece
}

test.each(['router', 'bridge', 'timeline'])(
  '[R43] the frontend that the guide shows for %s answers what was asked before it came, and after',
  async (dialect) => {
    const { url, view } = await startHub()
    const agent = await agentOverHttp(url)
    const asked = agent.ask('Deploy now?')
    await eventually(async () => expect((await view.conversation('work')).open).toHaveLength(1))
    await runPasted(pieceOf(dialect), url, await temporaryFolder())
    expect(await asked).toBe('Yes')
    expect(await agent.ask('And the other one?')).toBe('Yes')
  },
)

test('[R43] the one for loop says hello, and is told what is said', async () => {
  const { url, view } = await startHub()
  const frontend = await runPasted(pieceOf('loop'), url, await temporaryFolder())
  await frontend.said("{ type: 'user_message', message: 'Hello' }")
  void (await agentOverHttp(url, { session: 'website' })).ask('Deploy now?').catch(() => {})
  await frontend.said("{ type: 'agent_message', message: 'Deploy now?' }")
  expect((await view.conversation('website')).open).toHaveLength(1)
})

test('[R43] the one by the client library says hello, and shows what is said', async () => {
  const { url, view } = await startHub()
  const [code = ''] = codeIn('client-library', 'js')
  const frontend = await runPasted(code, url, await projectFolder())
  await frontend.said('user: Hello')
  await view.say('website', { text: 'Good evening' })
  await frontend.said('user: Good evening')
})

test('[R43] the program of the inbox answers what is said, also what was said while it was away, once', async () => {
  const { url } = await startHub()
  const [code = ''] = codeIn('inbox', 'js')
  const folder = await projectFolder()
  await post()
  const first = await runPasted(code, url, folder)
  await eventually(async () => expect(await said()).toEqual(['Hello!', 'You said: Hello!']))
  await post()
  await eventually(async () => expect((await said()).slice(2)).toEqual(['Hello!', 'You said: Hello!']))
  await first.end()
  await post()
  await runPasted(code, url, folder)
  await eventually(async () => expect((await said()).slice(4)).toEqual(['Hello!', 'You said: Hello!']))

  /** As the guide does it. */
  async function post() {
    const [command = ''] = codeIn('inbox', 'sh').filter((text) => text.startsWith('curl'))
    const [, path = '', body = ''] = /localhost:4117(\S+) [^']*'(.*)'/s.exec(command) ?? []
    expect((await fetch(url + path, { method: 'POST', body })).status).toBe(200)
  }

  async function said(): Promise<string[]> {
    const body = JSON.stringify({ session_id: 'website' })
    const answer = await fetch(`${url}/api/tools/ui_chat_read_since`, { method: 'POST', body })
    const { messages } = (await answer.json()) as { messages: { content: string }[] }
    return messages.map(({ content }) => content)
  }
})
