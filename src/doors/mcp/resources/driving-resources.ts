import type { View } from '../../../chat/view.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import type { DrivingRequest } from '../../../protocol/frames/asked/driving-request.ts'
import { type DrivingEvent, EVENTS } from '../../../protocol/frames/driving.ts'
import { mustBeAble, type Principal } from '../../../protocol/principal.ts'
import { percentDecoded } from '../../../protocol/text/percent-decoded.ts'
import { JSON_MIME, type Resources } from './resources.ts'

/** The batch once more, because stock clients drop parameters they do not know and keep `_meta`. */
const EVENTS_META = 'parley/events'
const REQUESTS_META = 'parley/requests'

const LISTED = {
  uri: EVENTS,
  name: 'events',
  title: 'Events for drivers',
  description: 'How questions that were asked without waiting ended, and what people wish.',
}
const TEMPLATE = {
  uriTemplate: `${EVENTS}/{session_id}`,
  name: 'events-of-one',
  title: 'Events of one conversation',
  mimeType: JSON_MIME,
  description: 'The newest events of one conversation.',
}

interface DrivingResourcesParts {
  inbox: Resources
  viewOf(principal: Principal): View
}

/** What those follow who drive agents. Nobody else may. */
export function createDrivingResources({ inbox, viewOf }: DrivingResourcesParts): Resources {
  return { ...inbox, list: [...inbox.list, LISTED], templates: [...inbox.templates, TEMPLATE], read, check, onChange }

  async function read(uri: string, principal: Principal) {
    mustBeAble(principal, 'drive')
    if (!isEvents(uri)) return inbox.read(uri, principal)
    const view = viewOf(principal)
    const newest = await view.driver().newestEvents(meant(uri, view))
    return { uri, mimeType: JSON_MIME, text: JSON.stringify(newest) }
  }

  function check(uri: string, principal: Principal) {
    mustBeAble(principal, 'drive')
    if (isEvents(uri)) meant(uri, viewOf(principal))
    else inbox.check(uri, principal)
  }

  function onChange(principal: Principal, changed: (uri: string, params: Record<string, unknown>) => void) {
    // Only drivers hear it, whoever was the first to come here.
    const driver: Principal = { ...principal, role: 'orchestrator' }
    const following = [
      inbox.onChange(driver, changed),
      viewOf(driver).onEvents((batch) => {
        changed(EVENTS, withEvents(batch))
        for (const [conversation, own] of Map.groupBy(batch, ({ session_id }) => session_id))
          changed(`${EVENTS}/${encodeURIComponent(conversation)}`, withEvents(own))
      }),
      viewOf(driver)
        .driver()
        .onRequests((request) => changed(EVENTS, withRequests([request]))),
    ]
    return {
      close() {
        for (const { close } of following) close()
      },
    }
  }
}

function isEvents(uri: string): boolean {
  return uri === EVENTS || uri.startsWith(`${EVENTS}/`)
}

/** The conversation that a URI names; `undefined` for all that there are. */
function meant(uri: string, { maySee }: View): string | undefined {
  if (uri === EVENTS) return undefined
  const named = percentDecoded(uri.slice(EVENTS.length + 1))
  if (!named || !maySee(named)) throw new ParleyError('unknown_resource', { uri })
  return named
}

function withRequests(requests: DrivingRequest[]) {
  return { requests, _meta: { [REQUESTS_META]: requests } }
}

function withEvents(events: DrivingEvent[]) {
  return { events, _meta: { [EVENTS_META]: events } }
}
