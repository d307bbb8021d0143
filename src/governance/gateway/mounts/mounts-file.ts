import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { attempt } from '../../../io/attempt.ts'
import { watchFile } from '../../../io/disk/watched-file.ts'
import { replaceFile } from '../../../io/replaced-file.ts'
import { ifSystemError } from '../../../io/system-error.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { parse } from '../../../protocol/parse.ts'
import { ifRefused, unwritable } from '../../../protocol/refusal.ts'
import { jsonIn } from '../../../protocol/text/json.ts'
import { isRecord } from '../../../protocol/text/record.ts'
import { ToolViews } from '../../../protocol/tools/views.ts'

/** The mounts by name, as they stand in the file. */
export type Servers = Record<string, unknown>

/** Editors write a file in several steps. */
const SETTLED_MS = 50

/** The mounts, in the shape of `.mcp.json`, in the data folder. A hub that keeps nothing has them in memory. */
export function openMountsFile(data: string) {
  const path = data === 'memory' ? undefined : join(data, 'mcp.json')
  /** The file as it was when it could be read last. */
  let good: Record<string, unknown> = {}
  return { read, views, change, changeViews, watch }

  /** One that has gone is rather an accident than an order. */
  function read(): Servers {
    if (path !== undefined && !existsSync(path) && Object.keys(serversIn(good)).length > 0)
      throw new ParleyError('mounts_gone', { path })
    const value = content()
    const servers = serversIn(value)
    good = value
    return servers
  }

  /** What agents see of it, as the file was when it was last read. */
  function views(): ToolViews {
    return viewsIn(good)
  }

  /** Everything else in the file stays as it is. */
  function change(alter: (servers: Servers) => void) {
    const before = content()
    const servers = { ...serversIn(before) }
    alter(servers)
    save({ ...before, mcpServers: servers })
  }

  function changeViews(views: ToolViews) {
    save({ ...content(), views })
  }

  function content(): Record<string, unknown> {
    if (path === undefined || !existsSync(path)) return good
    const value = jsonIn(textIn(path))
    if (!isRecord(value)) throw damaged('it is not a JSON object')
    return value
  }

  function textIn(path: string): string {
    return attempt(
      () => readFileSync(path, 'utf8'),
      ifSystemError(({ message }) => {
        throw damaged(message)
      }),
    )
  }

  function serversIn({ mcpServers = {} }: Record<string, unknown>): Servers {
    if (!isRecord(mcpServers)) throw damaged('"mcpServers" is not an object')
    return mcpServers
  }

  function viewsIn({ views = [] }: Record<string, unknown>): ToolViews {
    return attempt(
      () => parse(z.object({ views: ToolViews }), { views }).views,
      ifRefused((error) => {
        throw new ParleyError('views_damaged', { path: path ?? 'memory', problem: error.message }, error)
      }),
    )
  }

  /** A change that cannot be written counts nowhere. */
  function save(value: Record<string, unknown>) {
    if (path !== undefined) attempt(() => write(path, value), ifSystemError(unwritable(path)))
    good = value
  }

  /** Calls back whenever somebody may have changed it. */
  function watch(changed: () => void, failed: (error: Error) => void) {
    if (path === undefined) return { close() {} }
    let settling: NodeJS.Timeout | undefined
    const watched = watchFile({ path, changed: soon, failed })
    watched.follow().catch(failed)
    return { close }

    function soon() {
      clearTimeout(settling)
      settling = setTimeout(() => void watched.follow().then(changed).catch(failed), SETTLED_MS).unref()
    }

    function close() {
      clearTimeout(settling)
      watched.close()
    }
  }

  function damaged(reason: string) {
    return new ParleyError('mounts_damaged', { path: path ?? 'memory', reason })
  }
}

/** It may hold secrets. */
function write(path: string, value: Record<string, unknown>) {
  const real = existsSync(path) ? realpathSync(path) : path
  replaceFile(real, `${JSON.stringify(value, undefined, 2)}\n`)
}
