import { createDrivers, type Drivers } from '../../../chat/driving/drivers.ts'
import type { Subscribers } from '../../../chat/inbox/subscriber.ts'
import type { View } from '../../../chat/view.ts'
import type { FileStore } from '../../../files/file-store.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import {
  type AgentStatus,
  conversationIn,
  INBOX,
  type InboxMessage,
  inboxUri,
  STATUS,
} from '../../../protocol/frames/inbox.ts'
import type { Principal } from '../../../protocol/principal.ts'
import { ATTACHMENT_TEMPLATE, readAttachment } from './attachment-resources.ts'
import { openPins } from './pins.ts'
import { JSON_MIME, type Resources } from './resources.ts'

/** The batch once more, because stock clients drop parameters they do not know and keep `_meta`. */
const MESSAGES = 'parley/messages'

const LIST = [
  {
    uri: INBOX,
    name: 'inbox',
    title: 'Chat inbox',
    description: 'The newest messages of the conversations you may see.',
  },
  {
    uri: STATUS,
    name: 'status',
    title: 'Agent status',
    description: 'Whether the chat is ready and what the agent does.',
  },
]
const TEMPLATES = [
  {
    uriTemplate: `${INBOX}/{session_id}`,
    name: 'inbox-of-one',
    title: 'Inbox of one conversation',
    mimeType: JSON_MIME,
    description: 'The newest messages of one conversation.',
  },
  ATTACHMENT_TEMPLATE,
]

/** The conversations and the agent's state as resources, each principal seeing what it may. */
export function createInboxResources({ viewOf, subscribers, readiness, files, ...shared }: InboxParts): Resources {
  const { drivers = createDrivers() } = shared
  const pins = openPins({ viewOf })
  return { list: LIST, templates: TEMPLATES, read, check, onChange, pins, subscribers, drivers }

  async function read(uri: string, principal: Principal) {
    const view = viewOf(principal)
    const file = files && (await readAttachment(uri, files, view.files.mayRead))
    return file ?? json(uri, uri === STATUS ? status(view) : await view.inbox.newest(meant(uri, view)))
  }

  function check(uri: string, principal: Principal) {
    if (uri !== STATUS) meant(uri, viewOf(principal))
  }

  function onChange(principal: Principal, changed: (uri: string, params: Record<string, unknown>) => void) {
    const view = viewOf(principal)
    let type = typeOf(view)
    const following = [
      view.inbox.onUserMessages((batch) => {
        const own = batch.filter(({ session_id }) => view.inbox.isOwn(session_id))
        if (own.length > 0) changed(INBOX, withMessages(own))
        for (const [conversation, own] of Map.groupBy(batch, (message) => message.session_id))
          changed(inboxUri(conversation), withMessages(own))
      }),
      view.inbox.onAgent(tellStatus),
      readiness.onChange(tellStatus),
      drivers.onChange(() => {
        if (typeOf(view) !== type) tellStatus()
      }),
    ]
    return {
      close() {
        for (const { close } of following) close()
      },
    }

    function tellStatus() {
      type = typeOf(view)
      changed(STATUS, {})
    }
  }

  function status(view: View): AgentStatus {
    const { state, since } = view.agentStatus()
    const reason = readiness.refusal()?.message
    return {
      type: typeOf(view),
      ui: { ready: reason === undefined, reason },
      agent: { state, since: new Date(since).toISOString() },
    }
  }

  /** The driver of the agent: an orchestrator that listens for it, or whoever started it. */
  function typeOf(view: View): AgentStatus['type'] {
    const { conversation = view.only } = view.agentStatus()
    return drivers.drive(conversation) ? 'ui' : 'local'
  }
}

/** Whether the hub can work. */
export interface Readiness {
  /** Why it cannot, if it cannot. */
  refusal(): ParleyError | undefined
  onChange(listener: () => void): { close(): void }
}

interface InboxParts {
  viewOf(principal: Principal): View
  subscribers: Subscribers
  readiness: Readiness
  /** Knows which programs listen for their agents. */
  drivers?: Drivers
  /** What messages name besides words can be read, too. */
  files?: Pick<FileStore, 'find' | 'read'>
}

function json(uri: string, body: unknown) {
  return { uri, mimeType: JSON_MIME, text: JSON.stringify(body) }
}

/** The conversation that a URI names; `undefined` for all that there are. */
function meant(uri: string, view: View): string | undefined {
  const named = conversationIn(uri)
  if (named === null || (named !== undefined && !view.maySee(named))) throw new ParleyError('unknown_resource', { uri })
  return named
}

function withMessages(messages: InboxMessage[]) {
  return { messages, _meta: { [MESSAGES]: messages } }
}
