import { ResourceNotFoundError, type ServerContext } from '@modelcontextprotocol/server'
import { ParleyError } from '../../protocol/errors.ts'
import { messageOf } from '../../protocol/text/message-of.ts'
import type { Caller } from '../../protocol/tools/gateway.ts'
import { ONLY_READS, READ } from '../../protocol/tools/mounted-requests.ts'
import { seenBy } from './calls/mounted-call.ts'
import type { ToolItem } from './catalog.ts'
import { withCleanTexts } from './clean-text.ts'
import type { Gateway } from './gateway.ts'
import { ownUri, shownUri } from './names.ts'
import type { Reach } from './reach.ts'
import { shownItem } from './shown.ts'
import type { Raw } from './upstream/upstream.ts'

/** Names the servers whose part of a list comes later, with a change of the list. */
const LATE = 'parley/late'

/** Resources of the gateway's own. */
export interface OwnResources {
  list: object[]
  templates: object[]
  /** Nothing where it is no resource of the gateway's own. */
  read(uri: string, caller: Caller): { uri: string } | undefined
}

interface Parts {
  gateway: Gateway
  own: OwnResources
  whoAsks(context: ServerContext): Caller
  /** The reach of a client that asks for a list. */
  reachIn(context: ServerContext, list: 'resources'): Reach
  /** Decides about what is read, and records it. */
  request(wanted: { tool: ToolItem; params: Raw; input: Raw; context: ServerContext }): Promise<Raw>
}

/** Resources of all mounts, under addresses that lead back to their servers. */
export function createForwardedResources({ gateway, own, whoAsks, reachIn, request }: Parts) {
  return { list, templates, read, ownOf }

  async function list(_: Raw, context: ServerContext) {
    const { items, meta } = await fromAll('resources/list', context, shownItem, ({ uri }) => ({ arguments: { uri } }))
    return { resources: [...own.list, ...items], ...meta }
  }

  async function templates(_: Raw, context: ServerContext) {
    const { items, meta } = await fromAll('resources/templates/list', context, shownTemplate, () => ({}))
    return { resourceTemplates: [...own.templates, ...items], ...meta }
  }

  /**
   * Lists are asked for each time, because few servers tell when they change. A server that fails has none; one that is
   * late is named.
   */
  async function fromAll(
    method: string,
    context: ServerContext,
    shown: (server: string, item: Raw) => unknown,
    known: (item: Raw) => { arguments?: Raw },
  ) {
    const late: string[] = []
    const { lists } = reachIn(context, 'resources')
    const listed = gateway.all().map(async (mount) => {
      const offered = { server: mount.name, tool: READ, annotations: ONLY_READS, bases: mount.bases() }
      if (mount.isPaused() || !lists(offered)) return []
      try {
        const { items, isLate } = await gateway.list(mount, method)
        if (isLate) late.push(mount.name)
        return items
          .filter((item) => lists({ ...offered, ...known(item) }))
          .map((item) => withCleanTexts(shown(mount.name, item)))
      } catch (error) {
        mount.log.tell(`${method}: ${messageOf(error)}`)
        return []
      }
    })
    const items = (await Promise.all(listed)).flat()
    return { items, meta: late.length > 0 ? { _meta: { [LATE]: late.sort() } } : {} }
  }

  async function read(params: Raw, context: ServerContext) {
    const shown = String(params.uri)
    const known = own.read(shown, whoAsks(context))
    if (known) return { contents: [known] }
    const { tool, uri } = ownOf(shown, context)
    if (tool.mount.about().state === 'starting') await gateway.tried()
    return request({ tool, params, input: { uri }, context })
  }

  function ownOf(shown: string, context: ServerContext): { tool: ToolItem; uri: string } {
    const { server = '', uri = '' } = ownUri(shown) ?? {}
    const tool = seenBy(whoAsks(context), gateway.catalog.toolAt(server, READ), gateway)
    if (!tool) throw new ResourceNotFoundError(shown, new ParleyError('unknown_resource', { uri: shown }).message)
    return { tool, uri }
  }
}

function shownTemplate(server: string, item: Raw): Raw {
  const { uriTemplate } = item
  return typeof uriTemplate === 'string' ? { ...item, uriTemplate: shownUri(server, uriTemplate) } : item
}
