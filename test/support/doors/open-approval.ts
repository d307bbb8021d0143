import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { World } from './world.ts'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A call of a mounted tool that waits for a person, by its question; and the person, who allows it. */
export async function openApproval(world: World) {
  const page = new WebSocket(`${world.url.replace('http', 'ws')}/ws?dialect=timeline`, {
    headers: world.headersOf('ada'),
  })
  await once(page, 'open')
  const asked = heard(/"id":"(\d{16})"(?:(?!"id":).)*"kind":"question"(?:(?!"id":).)*besieged/)
  page.send('{"type":"hello"}')
  const params = { name: 'tools_echo', arguments: { text: 'besieged' }, _meta: META }
  const called = fetch(`${world.url}/mcp/gateway?session=besieged`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
      ...world.headersOf('robot'),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }).then((response) => response.text())
  const question = await Promise.race([asked, called.then((text) => Promise.reject(new Error(`Not asked: ${text}`)))])
  await called
  return { question, allow }

  async function allow() {
    const settled = heard(/"type":"(accepted|refused)","key":"by ada"/)
    const command = JSON.stringify({ type: 'allow', key: 'by ada', question })
    world.sends('ada', command)
    page.send(command)
    const answer = await settled
    page.terminate()
    return answer
  }

  function heard(words: RegExp): Promise<string> {
    return new Promise((resolve) => {
      page.on('message', (data) => {
        const found = words.exec(String(data))?.[1]
        if (found !== undefined) resolve(found)
      })
    })
  }
}
