import { ERRORS, type ErrorCode } from '../../src/protocol/errors.ts'
import { code, page, table } from './markdown.ts'

/** Every way in which Parley says no. */
export function errorsPage(): string {
  const rows = Object.entries<(typeof ERRORS)[ErrorCode] & { close?: number; retry_s?: number }>(ERRORS)
  return page(
    '# Errors',
    'One sentence and one code each, whatever the door. Words in braces stand for what it is about.',
    table(
      ['door', 'how it says no'],
      [
        ['[REST](rest.md)', 'the HTTP status, and the sentence as `{"error"}`'],
        ['[tools](tools.md)', 'a result with `isError` and the sentence'],
        ['MCP', 'a JSON-RPC error with its code'],
        [
          '[WebSockets](frames.md)',
          '`refused` with `code` and `error` in timeline, `error` in the other dialects; a number in “close” ends the connection',
        ],
        ['commands', 'the sentence on stderr, and an exit status that is not 0'],
      ],
    ),
    'After “retry” seconds a retry makes sense; a `Retry-After` header says so too.',
    table(
      ['code', 'sentence', 'HTTP', 'JSON-RPC', 'close', 'retry'],
      rows.map(([name, { text, http, rpc, close, retry_s }]) => [
        `<a id="${name}"></a>${code(name)}`,
        text.replaceAll('<', '\\<'),
        String(http),
        String(rpc),
        close === undefined ? '' : String(close),
        retry_s === undefined ? '' : `${retry_s} s`,
      ]),
    ),
  )
}
