import { build, type Plugin } from 'rolldown'
import { expect, test } from 'vitest'
import { leanSdk } from '../../scripts/lean-sdk.ts'

const ENTRY = 'entry'

test('[R28] schemas of the SDK that nobody uses are not in a build', async () => {
  const server = "export { Server } from '@modelcontextprotocol/server'"
  const [lean, whole] = await Promise.all([bundled(server, [leanSdk()]), bundled(server)])
  // Only a client that signs in knows the first; every server reads the second.
  expect([whole, lean].map((code) => code.includes('id-jag'))).toEqual([true, false])
  expect(lean).toContain('protocolVersion')
})

test('[R28] those that are checked are there', async () => {
  const { isSpecType } = await loaded("export { isSpecType } from '@modelcontextprotocol/client'")
  expect(Object.keys(isSpecType)).toEqual(['Implementation', 'Prompt', 'Resource', 'ResourceTemplate', 'Tool'])
  expect(isSpecType.Tool({ name: 'a', inputSchema: { type: 'object' } })).toBe(true)
  expect(isSpecType.Tool({ name: 'a' })).toBe(false)
})

test('[R28] a build in which one would be missing fails', async () => {
  const entry = "import { isSpecType } from '@modelcontextprotocol/client'\nexport const isOne = isSpecType.Root"
  await expect(bundled(entry, [leanSdk()])).rejects.toThrow('leaves out the schema Root')
  const changed = { name: 'changed', transform: (code: string) => code.replaceAll('SPEC_SCHEMA_KEYS', 'KEYS') }
  const server = "export { Server } from '@modelcontextprotocol/server'"
  await expect(bundled(server, [changed, leanSdk()])).rejects.toThrow('gathers its schemas in another way')
})

async function loaded(entry: string) {
  const code = await bundled(entry, [leanSdk()])
  return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`)
}

async function bundled(entry: string, plugins: Plugin[] = []): Promise<string> {
  const virtual = {
    name: 'virtual',
    resolveId: (id: string) => (id === ENTRY ? ENTRY : undefined),
    load: (id: string) => (id === ENTRY ? entry : undefined),
  }
  const output = { format: 'esm', codeSplitting: false } as const
  const built = await build({
    input: ENTRY,
    platform: 'node',
    plugins: [virtual, ...plugins],
    write: false,
    logLevel: 'silent',
    output,
  })
  return built.output[0].code
}
