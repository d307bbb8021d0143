import { ParleyError } from '../../../src/protocol/errors.ts'
import { commandWords } from '../../../src/protocol/text/command-words.ts'

/** The form's text for a server; `more` has variables of its environment or headers, a line for each. */
export interface Written {
  kind: 'command' | 'address'
  place: string
  more: string
}

/** The server as it stands in a file of mounts. Throws what is wrong with it. */
export function wantedServer({ kind, place, more }: Written): object {
  if (kind === 'address') return { type: 'http', url: place.trim(), ...(more.trim() && { headers: pairs(more, ':') }) }
  const [command, ...args] = commandWords(place)
  return { command, args, ...(more.trim() && { env: pairs(more, '=') }) }
}

function pairs(lines: string, character: string): Record<string, string> {
  const written = lines.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(written.map((line) => pair(line, character)))
}

function pair(line: string, character: string): [string, string] {
  const at = line.indexOf(character)
  if (at < 1) throw new ParleyError('invalid', { problem: `Write “${line}” as NAME${character}VALUE` })
  return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
}
