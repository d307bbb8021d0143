import { ResourceNotFoundError, type ServerContext } from '@modelcontextprotocol/server'
import type { ForwardedCall } from './caller.ts'
import { withCleanTexts } from './clean-text.ts'
import type { Gateway } from './gateway.ts'
import type { Mount } from './mount.ts'
import { ownUri, shownUri } from './names.ts'
import { shownItem, withShownUris } from './shown.ts'
import type { Raw } from './upstream.ts'

/** Names the servers whose part of a list comes later, with a change of the list. */
export const LATE = 'parley/late'

/** What the gateway shows of itself. */
export interface OwnResources {
  list: object[]
  templates: object[]
  /** Nothing where it is no resource of the gateway's own. */
  read(uri: string): { uri: string } | undefined
}

interface Parts {
  gateway: Gateway
  own: OwnResources
  call(forwarded: ForwardedCall): Promise<Raw>
}

/** Resources of all mounts, under addresses that lead back to their servers. */
export function createForwardedResources({ gateway, own, call }: Parts) {
  return { list, templates, read, ownOf }

  async function list() {
    const { items, meta } = await fromAll('resources/list', shownItem)
    return { resources: [...own.list, ...items], ...meta }
  }

  async function templates() {
    const { items, meta } = await fromAll('resources/templates/list', shownTemplate)
    return { resourceTemplates: [...own.templates, ...items], ...meta }
  }

  /** Asked for each time, because few servers tell when it changes. One that fails has none; one that is late is named. */
  async function fromAll(method: string, shown: (server: string, item: Raw) => unknown) {
    const late: string[] = []
    const listed = gateway.all().map(async (mount) => {
      if (mount.isPaused()) return []
      try {
        const { items, isLate } = await gateway.list(mount, method)
        if (isLate) late.push(mount.name)
        return items.map((item) => withCleanTexts(shown(mount.name, item)))
      } catch (error) {
        mount.log.tell(`${method}: ${error instanceof Error ? error.message : error}`)
        return []
      }
    })
    const items = (await Promise.all(listed)).flat()
    return { items, meta: late.length > 0 ? { _meta: { [LATE]: late.sort() } } : {} }
  }

  async function read(params: Raw, context: ServerContext) {
    const shown = String(params.uri)
    const known = own.read(shown)
    if (known) return { contents: [known] }
    const { mount, own: uri } = ownOf(shown)
    const forwarded = { mount, method: 'resources/read', params: { ...params, uri }, context, whose: shown }
    return withShownUris(mount.name, await call(forwarded))
  }

  function ownOf(shown: unknown): { mount: Mount; own: string } {
    const { server = '', uri = '' } = ownUri(String(shown)) ?? {}
    const mount = gateway.all().find(({ name }) => name === server)
    if (!mount) throw new ResourceNotFoundError(String(shown), `There is no resource ${shown}`)
    return { mount, own: uri }
  }
}

function shownTemplate(server: string, item: Raw): Raw {
  const { uriTemplate } = item
  return typeof uriTemplate === 'string' ? { ...item, uriTemplate: shownUri(server, uriTemplate) } : item
}
