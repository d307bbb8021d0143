import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createSubscriptionManager } from 'parley-hub/client'

const mode = location.hash === '#legacy' ? 'legacy' : 'auto'
const [status, list] = [document.querySelector('[role=status]'), document.querySelector('ol')]
const inbox = createSubscriptionManager(connect)

document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const [words] = event.target.elements
  await inbox.call('chat_human_post', { mime: 'text/markdown', content: words.value, session_id: 'work' })
  words.value = ''
})

await inbox.subscribe('ui://chat/inbox', (data) => {
  status.textContent = data.error ?? ''
  if (data.error) return
  const { messages } = JSON.parse(data[0].text)
  list.replaceChildren(...messages.map(item))
})

async function connect() {
  const client = new Client({ name: 'inbox-page', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp/human', location.href)))
  return client
}

function item({ author, content }) {
  const item = document.createElement('li')
  item.textContent = `${author}: ${content}`
  return item
}
