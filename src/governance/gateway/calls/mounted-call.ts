import type { Caller, MountedCall } from '../../../protocol/tools/gateway.ts'
import type { ToolItem } from '../catalog.ts'
import type { Gateway } from '../gateway.ts'

/** A call as far as its caller tells of it. */
export type Calling = Pick<
  MountedCall,
  'by' | 'folder' | 'visit' | 'title' | 'key' | 'isRepeated' | 'waitMs' | 'keepWaiting' | 'carry'
> & { conversation: string; cwd?: string }

interface CallParts {
  gateway: Pick<Gateway, 'catalog' | 'reachOf'>
  tool: ToolItem
  input: Record<string, unknown>
  /** The id of who calls. */
  principal: string
  calling: Calling
}

/** The subject of the decision about a call, but not yet what it does. */
export function mountedCall({
  gateway,
  tool,
  input,
  principal,
  calling,
}: CallParts): Omit<MountedCall, 'signal' | 'run'> {
  const { mount, own, annotations, fingerprint, shown } = tool
  const { conversation, cwd, ...rest } = calling
  const caller: Caller = { principal, agent: rest.by, folder: rest.folder }
  return {
    subject: {
      server: mount.name,
      tool: own,
      arguments: input,
      annotations,
      ...caller,
      conversation,
      cwd,
      at: Date.now(),
      // Only rules about paths want to know.
      get bases() {
        return mount.bases()
      },
    },
    shown: shown.name,
    fingerprint,
    ...rest,
    now: async () => (seenBy(caller, tool, gateway) ? gateway.catalog.toolNow(mount.name, own) : undefined),
  }
}

/** Nothing where its caller does not see it: then it is none. */
export function seenBy(
  caller: Caller,
  tool: ToolItem | undefined,
  { reachOf }: Pick<Gateway, 'reachOf'>,
): ToolItem | undefined {
  return tool && reachOf(caller).sees(tool.mount.name, tool.own) ? tool : undefined
}
