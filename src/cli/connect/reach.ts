import { isObject } from './formats/text-format.ts'

/** How an entry says that its server is reached, whatever the names of its client are. */
export type Reach =
  | { command: string; args: string[]; env: Record<string, string> }
  | { url: string; headers: Record<string, string> }

export function reachOf(entry: unknown): Reach | undefined {
  if (!isObject(entry)) return undefined
  const { url = entry.httpUrl ?? entry.uri, command = entry.cmd, args = [] } = entry
  const { env = entry.environment ?? entry.envs ?? {} } = entry
  if (typeof url === 'string') {
    const { requestOptions } = entry
    const { headers = entry.http_headers ?? {} } = isObject(requestOptions) ? requestOptions : entry
    return { url, headers: textsOf(headers) }
  }
  const words = [command, args].flat(2).filter((word) => word !== undefined)
  const [program, ...rest] = words.filter((word) => typeof word === 'string')
  if (program === undefined || words.length > rest.length + 1) return undefined
  return { command: program, args: rest, env: textsOf(env) }
}

/** An entry may hold anything that somebody wrote. */
function textsOf(value: unknown): Record<string, string> {
  const pairs = isObject(value) ? Object.entries(value) : []
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}
