import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localPrincipal } from '../../protocol/principal.ts'
import { firstAnswer } from './first-answer.ts'
import type { AgentSurfaceName } from './introduction.ts'
import { openLineConnection } from './lines/line-connection.ts'
import { buildServer } from './surface.ts'
import { agentSurface } from './surfaces/agent-surface.ts'
import { bridgeSurface } from './surfaces/bridge-surface.ts'

const RUNS = process.env.PARLEY_SOAK ? { numRuns: 5000 } : { numRuns: 1000, seed: 7 }
const ODD = [undefined, null, 0, 1.5, true, '', 'x', [], ['x'], {}, { x: 1 }, { x: {} }]
const URL = 'http://localhost:4117'
const SURFACES = { bridge: bridgeSurface, agent: agentSurface }
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07', '2026-07-28', '2020-01-01']
/** As clients that are in use say it. */
const CAPABILITIES = [
  {},
  { roots: {} },
  { roots: { listChanged: true }, elicitation: {} },
  { elicitation: { form: {}, url: {} }, sampling: {} },
  { experimental: { 'codex/sandbox': { version: '1' } }, sampling: { context: {}, tools: {} } },
  { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html'] } } },
  { tasks: { list: {} } },
  { elicitation: { form: { applyDefaults: 1 } } },
  { roots: { listChanged: 'yes' } },
]
const CLIENTS = [
  { name: 'codex', version: '1' },
  { name: 'claude-code', title: 'Claude Code', version: '2', websiteUrl: 'https://example.com', description: 'A' },
  { name: 'x', version: '1', icons: [{ src: 'a' }] },
  { name: 'x' },
  { name: '', version: '' },
  { name: 'x', version: '1', more: 1 },
  { name: 'x', version: '1', title: 5 },
]

/** The likely value most of the time, and now and then anything. */
function mostly(...likely: unknown[]) {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...likely) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD) },
  )
}

const params = fc.record(
  {
    protocolVersion: mostly(...VERSIONS),
    capabilities: mostly(...CAPABILITIES, JSON.parse('{"__proto__":{"roots":1}}')),
    clientInfo: mostly(...CLIENTS),
    _meta: mostly(undefined, undefined, {}, { progressToken: 1 }),
  },
  { requiredKeys: ['protocolVersion', 'capabilities', 'clientInfo'] },
)
const request = fc
  .record(
    {
      jsonrpc: mostly('2.0'),
      id: mostly(1, 'one', 0, -1),
      method: mostly('initialize'),
      params: fc.oneof({ weight: 20, arbitrary: params }, { weight: 1, arbitrary: fc.constantFrom(...ODD) }),
      more: mostly(undefined),
    },
    { requiredKeys: ['jsonrpc', 'id', 'method', 'params'] },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)

test.each(['bridge', 'agent'] as const)(
  '[M91] the first answer of %s is in the very bytes of the SDK',
  async (name) => {
    let answered = 0
    await fc.assert(
      fc.asyncProperty(request, async (message) => {
        const early = firstAnswer(name, message, URL)
        if (!early) return
        answered++
        expect(JSON.stringify(early)).toBe(await answerOfSdk(name, message))
      }),
      RUNS,
    )
    expect(answered).toBeGreaterThan(20)
  },
)

test('[M91] handshakes as clients in use make them are answered first, and what is odd is left to the SDK', () => {
  const plain = { jsonrpc: '2.0', id: 1, method: 'initialize' }
  const known = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: CLIENTS[0] }
  for (const capabilities of CAPABILITIES.slice(0, 6))
    expect(firstAnswer('agent', { ...plain, params: { ...known, capabilities } }, URL)).toBeDefined()
  const odd = [
    { ...plain, params: { ...known, protocolVersion: '2026-07-28' } },
    { ...plain, params: { ...known, _meta: {} } },
    { ...plain, params: { ...known, capabilities: CAPABILITIES[8] } },
    // The SDK refuses it where it is deep enough.
    {
      ...plain,
      params: {
        ...known,
        capabilities: { experimental: { x: JSON.parse('{"x":'.repeat(20_000) + 0 + '}'.repeat(20_000)) } },
      },
    },
    { ...plain, params: { ...known, clientInfo: CLIENTS[3] } },
    { ...plain, id: 1.5, params: known },
    { ...plain, method: 'server/discover', params: known },
    { ...plain, params: known, more: 1 },
    [{ ...plain, params: known }],
    null,
  ]
  for (const message of odd) expect(firstAnswer('agent', message, URL)).toBeUndefined()
})

/** What the hub answers over a line to the first that is said there. */
function answerOfSdk(name: AgentSurfaceName, message: Record<string, unknown>): Promise<string> {
  return new Promise((resolve) => {
    const socket = new Duplex({
      read() {},
      write(chunk, _encoding, done) {
        resolve(String(chunk).trim().slice('{"mcp":'.length, -1))
        done()
      },
    })
    const page = () => ({ url: URL, open: false })
    const parts = { sessionOf: () => Promise.reject(new Error('Nobody calls')), page, files: () => Promise.reject() }
    const connection = openLineConnection(socket as Socket, {
      build: () => buildServer(SURFACES[name](parts), localPrincipal('agent')),
      listening: async () => undefined,
      dismiss() {},
      guest: { tells() {}, asks: () => undefined, reads() {} },
      remember() {},
      answered() {},
      closed() {},
      report() {},
    })
    connection.hear({ mcp: message }, 0)
  })
}
