import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client'
import { unlessEnded } from '../../../io/session/unless-ended.ts'
import type { HttpConfig, MountConfig, ProcessConfig } from '../mounts/mount-config.ts'
import type { MountLog } from '../mounts/mount-log.ts'
import type { Patience } from '../mounts/patience.ts'
import type { Access } from '../sign-in/access.ts'
import { signInNeeded } from '../sign-in/sign-in-needed.ts'
import { createHttpTransport } from './http-transport.ts'
import { createProcessTransport, type UpstreamTransport } from './process-transport.ts'
import { connectUpstream, type Upstream, type UpstreamParts } from './upstream.ts'

interface Opening extends Pick<UpstreamParts, 'told' | 'asked' | 'isLegacy'> {
  config: MountConfig
  /** The data folder that it works for. */
  data: string
  /** The access that a person's sign-in left for it. */
  access?: Access
  log: MountLog
  patience: Patience
  /** Nobody wants it any more. */
  ended: AbortSignal
  foundLegacy(): void
  closed(reason: string): void
}

/** The way to a server, and the server at its end. Throws with the reason in words. */
export async function openUpstream(opening: Opening): Promise<Upstream> {
  const { config, log, patience, ended, isLegacy, foundLegacy, told, asked, closed } = opening
  const transport = wayTo(opening)
  const connect = () =>
    connectUpstream({
      transport,
      isLegacy: isLegacy || ('url' in config && config.type === 'sse'),
      patience,
      log,
      told,
      asked,
      closed: () => closed(transport.reason ?? 'the connection was closed'),
    })
  try {
    return await unlessEnded(ended, () => transport.close(), connect)
  } catch (error) {
    await transport.close().catch(() => {})
    const needed = signInNeeded(error)
    if (needed) throw needed
    // Some servers of the 2025 era end at a word that they do not know.
    const mayBeLegacy = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed
    if (!mayBeLegacy || isLegacy || 'url' in config) throw new Error(reasonFor(transport, error))
    const upstream = await openUpstream({ ...opening, isLegacy: true })
    foundLegacy()
    return upstream
  }
}

function wayTo({ config, data, access, log, patience: limits }: Opening): UpstreamTransport {
  if ('url' in config) return createHttpTransport(config as HttpConfig, log, limits, access)
  return createProcessTransport({ config: config as ProcessConfig, data, log, limits })
}

function reasonFor({ reason }: UpstreamTransport, error: unknown): string {
  if (reason !== undefined && reason !== 'it was closed') return reason
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
