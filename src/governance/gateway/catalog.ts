import { isRecord } from '../../protocol/text/record.ts'
import { gatewayNames } from '../../protocol/tools/called-tool.ts'
import { type MountedAs, type MountedTool, type Offered, ToolAnnotations } from '../../protocol/tools/gateway.ts'
import { isMountedRequest, ONLY_READS, promptTool, READ } from '../../protocol/tools/mounted-requests.ts'
import { withoutTask } from './calls/task-call.ts'
import { withCleanTexts } from './clean-text.ts'
import { fingerprintOf, type RawTool } from './fingerprint.ts'
import type { Mount } from './mounts/mount.ts'
import { plainOwner, shownName } from './names.ts'
import type { Raw } from './upstream/upstream.ts'

interface CatalogParts {
  mounts: ReadonlyMap<string, Mount>
  taken(name: string): boolean
}

/** A tool or prompt, and where it is. */
interface CatalogItem {
  mount: Mount
  /** Its name there. */
  own: string
  /** The item as it is listed: its own words under the name that clients call it by. */
  shown: Raw & { name: string }
}

export interface ToolItem extends CatalogItem {
  annotations?: ToolAnnotations
  fingerprint: string
}

interface Known {
  tools: Map<string, ToolItem>
  prompts: Map<string, ToolItem>
}

/** Whether somebody is shown something that there is. */
type Listed = (offered: Offered) => boolean

export type Catalog = ReturnType<typeof createCatalog>

/** The tools of all mounts, by the names that clients see. */
export function createCatalog({ mounts, taken }: CatalogParts) {
  let known: Known | undefined
  return {
    tools: (isListed: Listed) => listed(current().tools, isListed),
    prompts: (isListed: Listed) => listed(current().prompts, isListed),
    tool: (name: string) => current().tools.get(name),
    prompt: (name: string) => current().prompts.get(name),
    toolsOf,
    promptsOf: (server: string) =>
      [...current().prompts.values()].filter(({ mount }) => mount.name === server).map(({ own }) => own),
    toolAt,
    toolNow,
    toolCalled,
    /** Something is other than before. */
    forget: () => {
      known = undefined
    },
  }

  /** The tool by its own name at its server. */
  function toolAt(server: string, own: string): ToolItem | undefined {
    if (isMountedRequest(own)) return requestAt(server, own)
    const tool = current().tools.get(shownName(server, own, taken))
    return tool?.mount.name === server && tool.own === own ? tool : undefined
  }

  /** A request that is governed like a tool and is none: a prompt, or whatever resource there is. */
  function requestAt(server: string, own: string): ToolItem | undefined {
    const mount = mounts.get(server)
    if (mount && own === READ) return requestItem(mount, READ, `${server}_${READ}`)
    return [...current().prompts.values()].find((prompt) => prompt.mount === mount && prompt.own === own)
  }

  /** The tool as it is now, also where its server has just said that its tools changed. */
  async function toolNow(server: string, own: string): Promise<ToolItem | undefined> {
    await mounts.get(server)?.listed()
    return toolAt(server, own)
  }

  /** The tool by the name that an agent has for it whose own settings have the gateway as a server. */
  function toolCalled(name: string): MountedAs | undefined {
    for (const shown of gatewayNames(name)) {
      const { mount, own = '', fingerprint, annotations } = current().tools.get(shown) ?? {}
      if (mount) return { server: mount.name, tool: own, fingerprint, annotations }
      // One whose server is not there yet.
      const plain = plainOwner(shown, mounts.keys())
      if (plain) return plain
    }
    return undefined
  }

  function current(): Known {
    known ??= {
      tools: gathered((mount) => mount.tools(), toolItem),
      prompts: gathered((mount) => mount.prompts(), promptItem),
    }
    return known
  }

  /** Of two with the same name, as no honest server has them, only the first counts. */
  function gathered<Of extends CatalogItem>(
    listed: (mount: Mount) => RawTool[],
    make: (mount: Mount, item: RawTool) => Of,
  ): Map<string, Of> {
    const all = new Map<string, Of>()
    for (const name of [...mounts.keys()].sort())
      for (const item of listed(mounts.get(name) as Mount)) {
        const made = make(mounts.get(name) as Mount, item)
        if (!all.has(made.shown.name)) all.set(made.shown.name, made)
      }
    return all
  }

  function itemOf(mount: Mount, item: RawTool): CatalogItem {
    const name = shownName(mount.name, item.name, taken)
    return { mount, own: item.name, shown: { ...withCleanTexts(item), name } }
  }

  function toolItem(mount: Mount, tool: RawTool): ToolItem {
    const { annotations } = tool
    return {
      ...itemOf(mount, withoutTask(tool)),
      fingerprint: fingerprintOf(tool, mount.owner),
      ...(isRecord(annotations) && { annotations: annotations as ToolAnnotations }),
    }
  }

  function promptItem(mount: Mount, prompt: RawTool): ToolItem {
    const { shown } = itemOf(mount, prompt)
    return { ...requestItem(mount, promptTool(prompt.name), shown.name), shown }
  }

  function toolsOf(server: string): MountedTool[] {
    return [...current().tools.values()]
      .filter(({ mount }) => mount.name === server)
      .map(({ own, shown, fingerprint, annotations }) => ({
        name: own,
        shown: shown.name,
        fingerprint,
        // A server may say anything.
        annotations: ToolAnnotations.safeParse(annotations).data,
      }))
  }
}

function requestItem(mount: Mount, own: string, name: string): ToolItem {
  return {
    mount,
    own,
    shown: { name },
    fingerprint: fingerprintOf({ name: own }, mount.owner),
    annotations: ONLY_READS,
  }
}

function listed(all: Map<string, ToolItem>, isListed: Listed): ToolItem['shown'][] {
  const offered = [...all.values()].filter(({ mount, own: tool, annotations }) =>
    isListed({ server: mount.name, tool, annotations }),
  )
  return offered.map(({ shown }) => shown)
}
