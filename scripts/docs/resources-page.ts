import { MOUNTS } from '../../src/governance/gateway/serve-gateway.ts'
import { DrivingEvent } from '../../src/protocol/frames/driving.ts'
import { AgentStatus, Inbox } from '../../src/protocol/frames/inbox.ts'
import { MountState } from '../../src/protocol/tools/gateway.ts'
import { code, page, table } from './markdown.ts'
import type { ServedSurface } from './running-hub.ts'
import type { Words } from './shapes.ts'

interface ResourceText {
  /** What is read there. */
  read: string
  /** What comes with the notification of a change. */
  change?: string
}

/** The resources that surfaces have, each by its address. */
export function resourcesPage(words: Words, surfaces: ServedSurface[]): string {
  const inbox = {
    read: words.typeOf(Inbox),
    change: '`messages`: those that people said since the notification before',
  }
  const events = {
    read: `\`events\`: list of ${words.typeOf(DrivingEvent)}`,
    change: '`events`: those since the notification before',
  }
  const texts: Record<string, ResourceText> = {
    'ui://chat/inbox': inbox,
    'ui://chat/inbox/{session_id}': inbox,
    'ui://agent/status': { read: words.typeOf(AgentStatus), change: 'nothing more' },
    'ui://chat/events': events,
    'ui://chat/events/{session_id}': events,
    'parley://attachments/{hash}/{name}': { read: 'the text of the file, or its bytes' },
    [MOUNTS]: { read: `\`mounts\`: list of ${words.typeOf(MountState)}` },
    [`${MOUNTS}/{name}`]: { read: words.typeOf(MountState) },
  }
  const all = new Map(surfaces.flatMap(({ resources }) => resources).map((resource) => [resource.uri, resource]))
  const missing = [...all.keys(), ...Object.keys(texts)].filter((uri) => !all.has(uri) || !texts[uri])
  if (missing.length > 0) throw new Error(`Resources and their descriptions differ: ${missing.join(', ')}`)
  return page(
    '# Resources',
    'Resources are read with `resources/read`. Clients of the 2025 protocol follow one with `resources/subscribe`, those of 2026 with `subscriptions/listen`; then `notifications/resources/updated` tells of each change, with what is new in `params` and once more in `_meta`. A subscription with `_meta: {"parley/pinned": true}` is kept for its subscriber over restarts. The gateway has the resources of mounted servers too.',
    table(
      ['resource', 'surfaces'],
      [...all.keys()].map((uri) => [
        code(uri),
        surfaces
          .filter(({ resources }) => resources.some((resource) => resource.uri === uri))
          .map(({ name }) => `[${name}](tools.md#surface-${name})`)
          .join(', '),
      ]),
    ),
    ...[...all].flatMap(([uri, { title, description }]) => [
      `## ${title}`,
      `${code(uri)}: ${description}`,
      `Read: ${texts[uri]?.read}.`,
      texts[uri]?.change && `Told with a change: ${texts[uri]?.change}.`,
    ]),
  )
}
