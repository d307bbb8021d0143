import { expect } from 'vitest'
import { startHubWithSocket, temporaryFolder } from '../hub.ts'
import { startRunner } from './driven.ts'
import { scriptedDriver } from './scripted-driver.ts'

/** The body of the documented `curl` line. */
export const POSTED = '{"mime": "text/markdown", "content": "Hello!"}'

/** A hub that nobody answers at, and runners that repeat what they are told. */
export async function openDoors() {
  const data = await temporaryFolder()
  const hub = await startHubWithSocket(data)
  const { driver, prompts } = scriptedDriver(({ text }, { happens }) => {
    happens({ type: 'text', text: `You said: ${text}` })
    return {}
  })
  const run = (name: string, more = {}) => startRunner(data, { driver, name, state: `${data}/${name}.db`, ...more })
  return { data, hub, view: hub.view, prompts, run, curl: () => curl(hub.url) }
}

/** `curl -d`, which says that it sends a form. */
async function curl(url: string): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await fetch(`${url}/api/tools/ui_chat_human_post`, { method: 'POST', headers, body: POSTED })
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown>
}
