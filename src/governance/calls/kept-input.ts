import type { LongCall } from '../../chat/conversation/clear-call.ts'
import type { FileStore } from '../../files/file-store.ts'
import type { ToolCallBody } from '../../protocol/entries/entry.ts'
import { maskedText } from '../../protocol/secrets/masking.ts'

/** What an entry holds of the arguments of a call; more is in a file. */
const INPUT_LIMIT_BYTES = 256 * 1024

type KeptInput = Pick<ToolCallBody, 'tool_args' | 'args_file' | 'masked'> & LongCall

/** The stored arguments of a call. Long ones are a file, without secrets, and durable before this resolves. */
export async function keepInput(
  input: Record<string, unknown>,
  files: Pick<FileStore, 'save' | 'attach'>,
): Promise<KeptInput> {
  const text = JSON.stringify(input)
  if (text.length <= INPUT_LIMIT_BYTES && Buffer.byteLength(text) <= INPUT_LIMIT_BYTES) return { tool_args: text }
  const { text: shown, count } = maskedText(text)
  const bytes = Buffer.from(shown)
  const { hash: args_file } = await files.save([bytes])
  files.attach({ hash: args_file, name: 'arguments.json', mime: 'application/json' })
  const tool_args = JSON.stringify({ 'kept as a file': { sha256: args_file, bytes: bytes.length } })
  return { tool_args, args_file, ...(count > 0 && { masked: count, whole_args: text }) }
}
