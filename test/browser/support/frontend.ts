import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'

/** Somebody's own web frontend: an empty page at a port of its own, which is an origin of its own. */
export async function serveFrontend() {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Frontend</title>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { origin: `http://localhost:${(server.address() as AddressInfo).port}`, close }
}

export type Frontend = ReturnType<typeof frontendOn>

/** What the script of such a page does; `refused` where its browser or the hub lets it do nothing. */
export function frontendOn(page: Page, hubUrl: string, token?: string) {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const protocols = token === undefined ? ['router'] : ['router', `parley-token.${token}`]
  return {
    /** Answers the first question that comes, and says what it was and which dialect was spoken. */
    answer: (text: string) =>
      page.evaluate(answerFirst, { url: `${hubUrl.replace('http', 'ws')}/ws`, protocols, text }),
    post: (content: string) => page.evaluate(postByRest, { url: hubUrl, headers: authorization, content }),
    tools: () => page.evaluate(toolsByMcp, { url: hubUrl, headers: authorization }),
    /** As a form could send it: without a preflight, and with every cookie that the browser has. */
    async postWithCookie(content: string): Promise<number> {
      const answered = page.waitForResponse((response) => response.url().includes('/api/'))
      await page.evaluate(postBlindly, { url: hubUrl, content })
      return (await answered).status()
    },
  }
}

function answerFirst({ url, protocols, text }: { url: string; protocols: string[]; text: string }) {
  return new Promise<{ question: string; protocol: string } | 'refused'>((resolve) => {
    const socket = new WebSocket(url, protocols)
    socket.addEventListener('error', () => resolve('refused'))
    socket.addEventListener('message', ({ data }) => {
      const { type, id, question } = JSON.parse(data)
      if (type !== 'ask_user') return
      socket.send(JSON.stringify({ id, type: 'user_response', answer: text }))
      resolve({ question, protocol: socket.protocol })
    })
  })
}

interface Call {
  url: string
  headers: Record<string, string>
}

async function postByRest({ url, headers, content }: Call & { content: string }) {
  const answered = await fetch(`${url}/api/tools/ui_chat_human_post`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ mime: 'text/plain', content }),
  }).catch(() => undefined)
  return answered ? { status: answered.status, ...(await answered.json()) } : 'refused'
}

async function toolsByMcp({ url, headers }: Call): Promise<string[] | string> {
  const session: Record<string, string> = {}
  const clientInfo = { name: 'frontend', version: '1' }
  try {
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const opened = await send('POST', { id: 1, method: 'initialize', params: hello })
    session['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? 'hidden'
    session['mcp-protocol-version'] = '2025-11-25'
    await send('POST', { method: 'notifications/initialized' })
    const listed = await (await send('POST', { id: 2, method: 'tools/list' })).text()
    await send('DELETE')
    const { result } = JSON.parse(/^data: (\{.*)$/m.exec(listed)?.[1] ?? listed)
    return result.tools.map(({ name }: { name: string }) => name)
  } catch (error) {
    return error instanceof TypeError ? 'refused' : String(error)
  }

  async function send(method: string, message?: object): Promise<Response> {
    const answered = await fetch(`${url}/mcp/human`, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
        ...headers,
      },
      body: message && JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
    if (!answered.ok) throw new Error(`${answered.status}: ${await answered.text()}`)
    return answered
  }
}

async function postBlindly({ url, content }: { url: string; content: string }) {
  const body = JSON.stringify({ mime: 'text/plain', content })
  await fetch(`${url}/api/tools/ui_chat_human_post`, { method: 'POST', mode: 'no-cors', credentials: 'include', body })
}
