import { openLink } from './link.ts'
import type { McpClient } from './mcp-client.ts'

export interface TextContents {
  uri: string
  mimeType?: string
  text: string
}

/** The contents of the resource. `error` is never there; it tells them from a problem. */
export interface Data extends ReadonlyArray<TextContents> {
  error?: undefined
}

/** `disconnected` goes away by itself: the manager keeps trying. `refused` is the server's answer. */
export interface Problem {
  error: 'disconnected' | 'refused'
  message: string
}

export type OnData = (data: Data | Problem) => void

interface Resource {
  subscribers: Set<OnData>
  refresh(): Promise<void>
}

/**
 * Keeps resources up to date. A client given as such stays the caller's, who connects it again after a loss; from a
 * function the manager takes a new connected client whenever it needs one, and closes it.
 */
export function createSubscriptionManager(client: McpClient | (() => Promise<McpClient>)) {
  const resources = new Map<string, Resource>()
  const owns = typeof client === 'function'
  const connect = async () => (typeof client === 'function' ? client() : client)
  const link = openLink({ connect, owns, wanted: () => [...resources.keys()], updated, lost, retry: refreshAll })
  let disconnected: Problem | undefined
  if (typeof document !== 'undefined') document.addEventListener('visibilitychange', shown)
  return { subscribe, close }

  /** Resolves with the way to end it, once `onData` was called for the first time. */
  async function subscribe(uri: string, onData: OnData): Promise<() => Promise<void>> {
    // One of its own for every call, because a function may be given twice.
    const subscriber: OnData = (data) => onData(data)
    const resource = resources.get(uri) ?? add(uri)
    resource.subscribers.add(subscriber)
    if (disconnected) tell([subscriber], disconnected)
    else await resource.refresh()
    return async () => {
      if (!resource.subscribers.delete(subscriber) || resource.subscribers.size > 0) return
      resources.delete(uri)
      await link.unfollow(uri)
    }
  }

  function add(uri: string): Resource {
    const subscribers = new Set<OnData>()
    const resource = { subscribers, refresh: oneAtATime(() => read(uri, subscribers)) }
    resources.set(uri, resource)
    return resource
  }

  async function read(uri: string, subscribers: Set<OnData>) {
    try {
      const contents = await link.read(uri)
      if (!contents) return
      disconnected = undefined
      tell(subscribers, contents.filter(isText))
    } catch (error) {
      disconnected = undefined
      tell(subscribers, { error: 'refused', message: (error as Error).message })
    }
  }

  function updated(uri: string) {
    void resources.get(uri)?.refresh()
  }

  /** Told once, not after every attempt to connect again. */
  function lost(message: string) {
    if (disconnected) return
    disconnected = { error: 'disconnected', message }
    for (const { subscribers } of resources.values()) tell(subscribers, disconnected)
  }

  /** What assistants post is never notified, and a hidden page may have slept. */
  function shown() {
    if (document.visibilityState === 'visible') link.hurry()
  }

  function refreshAll() {
    for (const { refresh } of resources.values()) void refresh()
  }

  function close() {
    if (typeof document !== 'undefined') document.removeEventListener('visibilitychange', shown)
    const uris = [...resources.keys()]
    for (const { subscribers } of resources.values()) subscribers.clear()
    resources.clear()
    for (const uri of uris) void link.unfollow(uri)
    link.close()
  }
}

/** Each on its own, so that a subscriber that throws takes nothing from the others. */
function tell(subscribers: Iterable<OnData>, data: Data | Problem) {
  for (const subscriber of subscribers) queueMicrotask(() => subscriber(data))
}

function isText(contents: { uri: string; text?: unknown }): contents is TextContents {
  return typeof contents.text === 'string'
}

/** While it runs, all further calls together are answered by one more run. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  return run

  function run(): Promise<void> {
    if (running) {
      next ??= running.then(() => {
        next = undefined
        return run()
      })
      return next
    }
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
}
