import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createSubscriptionManager } from 'parley/client'

const mode = location.hash === '#legacy' ? 'legacy' : 'auto'
const [status, list] = [document.querySelector('[role=status]'), document.querySelector('ol')]

await createSubscriptionManager(connect).subscribe('ui://chat/inbox', (data) => {
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
