import { isObject } from './formats/text-format.ts'

/** How an entry says that its server is reached, whatever the names of its client are. */
export type Reach =
  | { command: string; args: string[]; env: Record<string, string> }
  | { url: string; headers: Record<string, string> }

export function reachOf(entry: unknown): Reach | undefined {
  if (!isObject(entry)) return undefined
  const { url = entry.httpUrl, command, args = [], env = entry.environment ?? {} } = entry
  if (typeof url === 'string') {
    const { requestOptions } = entry
    const { headers = entry.http_headers ?? {} } = isObject(requestOptions) ? requestOptions : entry
    return { url, headers: headers as Record<string, string> }
  }
  const [program, ...rest] = [command, args].flat(2) as string[]
  return program === undefined ? undefined : { command: program, args: rest, env: env as Record<string, string> }
}
