import { expect, test } from 'vitest'
import { createFileStore } from '../../files/file-store.ts'
import { keepInput } from './kept-input.ts'

const LIMIT = 256 * 1024
const AROUND = '{"a":""}'.length

test('[G193] arguments of 256 KiB are in their entry, those with a byte more in a file', async () => {
  const files = createFileStore({})
  await using _ = { [Symbol.asyncDispose]: files.close }
  const fitting = { a: 'x'.repeat(LIMIT - AROUND) }
  expect(await keepInput(fitting, files)).toEqual({ tool_args: JSON.stringify(fitting) })
  for (const longer of [{ a: `${fitting.a}x` }, { a: `${fitting.a.slice(1)}ä` }]) {
    const { tool_args, args_file = '', masked } = await keepInput(longer, files)
    expect(JSON.parse(tool_args)).toEqual({ 'kept as a file': { sha256: args_file, bytes: LIMIT + 1 } })
    expect(String(await files.read(args_file))).toBe(JSON.stringify(longer))
    expect(masked).toBeUndefined()
  }
})
