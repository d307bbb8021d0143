import { type Json, mcpAt, openSocket, type Socket } from './wire.ts'

const DIALECTS = ['bridge', 'loop', 'router']
const SURFACES = ['agent', 'chat', 'human', 'assistant', 'loop', 'ui', 'orchestrator', 'gateway']
const LAST = 'Is anybody there?'

/**
 * A conversation in which people and agents do everything once, each thing after the other. Answers with what each of
 * them was told; the last question stays open.
 */
export async function converse(url: string): Promise<string[]> {
  const told: string[] = []
  const agent = mcpAt(url, 'agent', '?session=recorded')
  const others = await Promise.all(DIALECTS.map((dialect) => openSocket(url, dialect)))
  const page = await openSocket(url, 'timeline')
  let keys = 0
  page.say({ type: 'hello' })
  await page.until('"type":"welcome"')

  await tell(agent.call('set_title', { title: 'Recorded' }))
  await tell(agent.call('send_progress', { text: 'Begun' }))
  const deploy = agent.call('send_message', { text: 'Deploy?', quick_replies: ['Yes', 'No'] })
  await settle(deploy, 'Deploy?', { type: 'answer', text: 'Yes' })
  await order({ type: 'post', conversation: 'recorded', text: 'Wait a moment' })
  await order({ type: 'revise', conversation: 'recorded', message: 'key-2', text: 'Wait an hour' })
  const options = [{ label: 'A', description: 'The first' }, { label: 'B' }]
  const choice = agent.call('ask_user', { question: 'Which?', options, multi_select: true })
  await settle(choice, 'Which?', { type: 'choose', choices: ['A', 'B'], text: 'and C' })
  const fetching = { tool_name: 'Fetch', input: { url: 'https://example.com', token: 'a1b2c3d4e5f6' } }
  await settle(agent.call('approve', fetching), '"tool_name":"Fetch"', { type: 'allow' })
  const listing = { tool_name: 'Bash', input: { command: 'ls' } }
  await settle(agent.call('approve', listing), '"tool_name":"Bash"', { type: 'allow', always: true })
  await tell(agent.call('approve', listing))
  await order({ type: 'revoke', conversation: 'recorded', tool_name: 'Bash' })
  const writing = { tool_name: 'Write', input: { file_path: '/tmp/a', content: 'b' } }
  await settle(agent.call('approve', writing), '"tool_name":"Write"', { type: 'deny', reason: 'Not there' })
  await order({ type: 'interrupt', conversation: 'recorded', text: 'Stop that' })
  await tell(agent.call('check_messages'))
  await order({ type: 'rename', conversation: 'recorded', title: 'Renamed' })
  await order({ type: 'mark', changes: { recorded: { pinned: true } } })
  await order({ type: 'save_reply', name: 'ok', text: 'Go on' })
  await tell(mcpAt(url, 'human').call('chat_human_post', { mime: 'text/markdown', content: 'Deploy now?' }))
  const assistant = mcpAt(url, 'assistant')
  await tell(assistant.call('chat_assistant_post', { mime: 'text/markdown', content: 'Acknowledged' }))
  await tell(assistant.call('chat_assistant_event', { type: 'tool_call', tool_name: 'ls', tool_args: '{}' }))
  await tell(mcpAt(url, 'loop').call('yield_turn'))
  await tell(mcpAt(url, 'chat').call('chat_read_since'))
  agent.call('send_message', { text: LAST }).catch(() => {})
  for (const client of [page, ...others]) await client.until(LAST)
  for (const [n, client] of others.entries()) told.push(...lines(DIALECTS[n], client))
  return told

  async function tell(answer: Promise<string>) {
    told.push(await answer)
  }

  /** Settles it once the call has put its question to the page. */
  async function settle(call: Promise<string>, words: string, verdict: Json) {
    const frame = await page.until('"kind":"question"', words)
    const { entries } = JSON.parse(frame) as { entries: { id: string; body: { kind: string } }[] }
    const question = entries.find(({ body }) => body.kind === 'question' && JSON.stringify(body).includes(words))
    await order({ ...verdict, question: question?.id })
    await tell(call)
  }

  async function order(command: Json) {
    const key = `key-${++keys}`
    page.say({ ...command, key })
    told.push(await page.until(`"key":"${key}"`))
  }
}

/** What a hub tells whoever comes later, at each of its doors. */
export async function retell(url: string): Promise<string[]> {
  const told: string[] = []
  const page = await openSocket(url, 'timeline')
  page.say({ type: 'hello' })
  await page.until('"type":"welcome"')
  await ask({ type: 'read', conversation: 'recorded', limit: 100 })
  await ask({ type: 'read', conversation: 'chat', limit: 100 })
  await ask({ type: 'list' })
  await ask({ type: 'marks', conversations: ['recorded'] })
  await ask({ type: 'search', query: 'deploy', titles: true })
  told.push(...lines('timeline', page))
  for (const dialect of ['bridge', 'router']) {
    const client = await openSocket(url, dialect)
    await client.until(LAST)
    told.push(...lines(dialect, client))
  }
  for (const surface of SURFACES) told.push(`${surface} ${await mcpAt(url, surface).request('tools/list')}`)
  const uri = 'ui://chat/inbox'
  told.push(await mcpAt(url, 'human').request('resources/read', { uri }, uri))
  return told

  async function ask(command: Json) {
    const key = `ask ${command.type} ${command.conversation}`
    page.say({ ...command, key })
    await page.until(`"key":"${key}"`)
  }
}

function lines(dialect: string | undefined, { frames, close }: Socket): string[] {
  close()
  return frames.map((frame) => `${dialect} ${frame}`)
}
