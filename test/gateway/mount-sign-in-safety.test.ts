import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { askedOver } from '../support/folder-socket.ts'
import { startHubWithSocket, temporaryFolder } from '../support/hub.ts'
import { startGateway, untilMount } from '../support/upstream/gateway.ts'
import { follow, signIn, startProtected, startWithProtected } from '../support/upstream/signed-in.ts'

/** Every file of a folder as it is on the disk. */
function filesIn(data: string): [name: string, bytes: string][] {
  return readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name)).toString('latin1')])
}

test.each(['modern', 'legacy'] as const)(
  '[S121] no token, code or word of a sign-in is shown or kept anywhere but in its file, whatever is said at a server of the %s era',
  async (era) => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const { gateway, connect, data, oauth, url, view, close } = await startWithProtected({ era })
    const heard: unknown[] = []
    await signIn(gateway)
    const client = await connect()
    heard.push(await client.callTool({ name: 'far_echo_key' }), await client.callTool({ name: 'far_hello' }))
    oauth.tokens.clear()
    heard.push(await client.callTool({ name: 'far_echo_key' }), await client.callTool({ name: 'far_admin' }))
    expect(holding(data, oauth.secrets)).toEqual(['sign-ins.json'])
    oauth.tokens.clear()
    oauth.manners.refreshing = 'say it again'
    heard.push(await client.callTool({ name: 'far_hello' }))
    const { state } = Object.fromEntries(new URL(await gateway.signIns.begin('far')).searchParams)
    const back = await follow(`${url}/oauth/callback?state=${state}&code=code-of-somebody&iss=${oauth.issuer}`)
    expect(back.status).toBe(502)
    heard.push(back.text)
    heard.push(gateway.states(), gateway.logs('far'), warned.mock.calls)
    heard.push((await view.page('chat', { limit: 100 })).entries)
    expect(warned).toHaveBeenCalled()
    warned.mockRestore()
    await close()
    const shown = JSON.stringify(heard)
    const secrets = [...oauth.secrets, 'code-of-somebody'].filter(Boolean)
    expect(secrets.length).toBeGreaterThan(6)
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([])
    expect(holding(data, secrets)).toEqual([])
  },
)

function holding(data: string, secrets: string[]): string[] {
  const holders = filesIn(data).filter(([, bytes]) => secrets.some((secret) => secret && bytes.includes(secret)))
  return holders.map(([name]) => name)
}

test.each([
  ['authorization_endpoint', 'javascript:alert(1)', 'javascript'],
  ['authorization_endpoint', 'http://login.example/authorize', 'http://login.example is not an https address'],
  ['registration_endpoint', 'file:///etc/passwd', 'file:// is not an https address'],
  ['registration_endpoint', 'http://login.example/register', 'http://login.example is not an https address'],
])('[S122] a sign-in ends where %s is %s, and nobody is sent there', async (field, address, problem) => {
  const { gateway, oauth } = await startWithProtected()
  oauth.manners.metadata = (own) => ({ ...own, [field]: address })
  await expect(gateway.signIns.begin('far')).rejects.toThrow(problem)
})

test('[S122] a code is not sent to an address that is not safe', async () => {
  const { gateway, oauth, data } = await startWithProtected()
  oauth.manners.metadata = (own) => ({ ...own, token_endpoint: 'http://login.example/token' })
  const page = await follow(await gateway.signIns.begin('far'))
  expect(page).toMatchObject({ status: 502, text: expect.stringContaining('failed') })
  expect(filesIn(data).some(([, bytes]) => bytes.includes('access_token'))).toBe(false)
})

test('[S122] nobody signs in over plain http to another machine', async () => {
  const { gateway } = await startGateway({ servers: { far: { url: 'http://far.example/mcp' } } })
  await expect(gateway.signIns.begin('far')).rejects.toThrow('http://far.example is not an https address')
})

test('[S123] a sign-in fails where issuer or resource are not those of the server', async () => {
  const { gateway, oauth, far, data } = await startWithProtected()
  oauth.manners.metadata = (own) => ({ ...own, issuer: 'https://other.example' })
  await expect(gateway.signIns.begin('far')).rejects.toThrow('Issuer mismatch')
  oauth.manners.metadata = (own) => own
  far.manners.resource = 'https://other.example/mcp'
  await expect(gateway.signIns.begin('far')).rejects.toThrow('does not match')
  far.manners.resource = ''
  oauth.manners.answer = (own) => new URLSearchParams({ ...Object.fromEntries(own), iss: 'https://other.example' })
  const page = await follow(await gateway.signIns.begin('far'))
  expect(page.text).toContain('the answer is of another issuer')
  expect(page.text).not.toContain('other.example')
  oauth.manners.answer = (own) => {
    own.delete('iss')
    return own
  }
  expect((await follow(await gateway.signIns.begin('far'))).text).toContain('the answer is of another issuer')
  expect(oauth.requests).not.toContain('POST /token')
  expect(filesIn(data).some(([, bytes]) => bytes.includes('access_token'))).toBe(false)
})

test('[S123] a code is of one server: what was begun for one does nothing for another', async () => {
  const { far, oauth } = await startProtected()
  const { gateway, data } = await startGateway({ servers: { far: { url: far.url }, near: { url: far.url } } })
  for (const name of ['far', 'near']) await untilMount(gateway, name, ({ state }) => state === 'needs sign-in')
  const [forFar, forNear] = [await gateway.signIns.begin('far'), await gateway.signIns.begin('near')]
  const code = await codeAt(forNear)
  const crossed = new URL(await locationOf(forFar))
  crossed.searchParams.set('code', code)
  expect((await follow(crossed.href)).status).toBe(502)
  expect(oauth.tokens.size).toBe(0)
  expect(gateway.states().map(({ state }) => state)).toEqual(['needs sign-in', 'needs sign-in'])
  expect(existsSync(join(data, 'sign-ins.json'))).toBe(true)
})

async function locationOf(address: string): Promise<string> {
  return (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? ''
}

async function codeAt(address: string): Promise<string> {
  return new URL(await locationOf(address)).searchParams.get('code') ?? ''
}

test('[S124] only who may administer begins or ends a sign-in, and a browser that comes back needs nothing but its word', async () => {
  const { far } = await startProtected()
  const tokens = 'ada:human:of-ada-0123456789,robot:agent:of-robot-0123456789,root:admin:of-root-0123456789'
  const { gateway, url } = await startGateway({ servers: { far: { url: far.url } }, tokens })
  await untilMount(gateway, 'far', ({ state }) => state === 'needs sign-in')
  const as = (token: string, tool: string) =>
    fetch(`${url}/api/mcp/call`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ server: 'gateway', tool, arguments: { name: 'far' } }),
    })
  for (const token of ['of-ada-0123456789', 'of-robot-0123456789'])
    for (const tool of ['mount_sign_in', 'mount_sign_out']) expect((await as(token, tool)).status).toBe(403)
  const { address } = (await (await as('of-root-0123456789', 'mount_sign_in')).json()) as { address: string }
  const page = await fetch(address)
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  await untilMount(gateway, 'far', ({ state }) => state === 'ready')
})

test('[S124] nobody comes back but by the address of this machine', async () => {
  const { far } = await startProtected()
  const data = await temporaryFolder()
  writeFileSync(join(data, 'mcp.json'), JSON.stringify({ mcpServers: { far: { url: far.url } } }))
  const { gateway } = await startHubWithSocket(data)
  const { pathname, search } = new URL(await locationOf(await gateway.signIns.begin('far')))
  expect(await askedOver(data, pathname + search)).toMatch(/^HTTP\/1.1 404 /)
  expect(gateway.signIns.isOpen()).toBe(true)
})

test('[S124] what anybody may write into the address of the way back is not shown', async () => {
  const { gateway, oauth } = await startWithProtected()
  oauth.manners.answer = (own) => {
    own.delete('code')
    own.set('error', '<b>call 555</b>')
    own.set('error_description', 'call 555')
    return own
  }
  const { status, text } = await follow(await gateway.signIns.begin('far'))
  expect([status, text.includes('555')]).toEqual([502, false])
})
