import { messageOf } from '../protocol/text/message-of.ts'
import { openLink } from './link.ts'
import type { McpClient } from './mcp-client.ts'
import { openRounds } from './rounds.ts'

export interface TextContents {
  uri: string
  mimeType?: string
  text: string
}

/** The contents of the resource. `error` is never there; it tells them from a problem. */
export interface Data extends ReadonlyArray<TextContents> {
  error?: undefined
}

/**
 * `disconnected` goes away by itself: the manager keeps trying. `refused` is the server's answer; where it lets nobody
 * in, the next subscription tries again, or the page that is seen again.
 */
export interface Problem {
  error: 'disconnected' | 'refused'
  message: string
}

export type OnData = (data: Data | Problem) => void

export interface Options {
  /**
   * What assistants post is never notified. So often everything is read again while the page is seen, and always in Node:
   * up to ten times as rarely while nothing changes. 0 for never.
   */
  readEveryMs?: number
}

interface Subscriber {
  onData: OnData
  /** The state it was told last. */
  told?: string
}

interface Resource {
  subscribers: Set<Subscriber>
  refresh(): Promise<void>
}

/**
 * Keeps resources up to date. A client given as such stays the caller's, who connects it again after a loss; from a
 * function the manager takes a new connected client whenever it needs one, and closes it.
 */
export function createSubscriptionManager(
  client: McpClient | (() => Promise<McpClient>),
  { readEveryMs = 3000 }: Options = {},
) {
  const resources = new Map<string, Resource>()
  const owns = typeof client === 'function'
  const connect = async () => (typeof client === 'function' ? client() : client)
  const link = openLink({ connect, owns, wanted: () => [...resources.keys()], updated, lost, retry: refreshAll })
  const rounds = openRounds({ everyMs: readEveryMs, mayRead, read: refreshAll })
  let problem: Problem | undefined
  if (typeof document !== 'undefined') document.addEventListener('visibilitychange', shown)
  return { subscribe, call, close }

  /** Resolves with the way to end it, once `onData` was called for the first time. */
  async function subscribe(uri: string, onData: OnData): Promise<() => Promise<void>> {
    const subscriber: Subscriber = { onData }
    const resource = resources.get(uri) ?? add(uri)
    resource.subscribers.add(subscriber)
    if (problem?.error === 'disconnected') tell([subscriber], problem)
    else await resource.refresh()
    return async () => {
      if (!resource.subscribers.delete(subscriber) || resource.subscribers.size > 0) return
      resources.delete(uri)
      await link.unfollow(uri)
    }
  }

  /** Calls a tool over the same connection, and reads at once what it may have changed. Throws why it was refused. */
  async function call<Answer = { [name: string]: unknown }>(
    tool: string,
    input: { [name: string]: unknown } = {},
  ): Promise<Answer> {
    const { isError, content, structuredContent } = await link.call(tool, input)
    if (isError) throw new Error((content as TextContents[])[0]?.text)
    void refreshAll()
    rounds.soon()
    return structuredContent as Answer
  }

  function add(uri: string): Resource {
    const subscribers = new Set<Subscriber>()
    const resource = { subscribers, refresh: oneAtATime(() => read(uri, subscribers)) }
    resources.set(uri, resource)
    return resource
  }

  async function read(uri: string, subscribers: Set<Subscriber>) {
    const data = await dataOf(uri)
    if (!data) return
    problem = undefined
    if (tell(subscribers, data)) rounds.soon()
  }

  async function dataOf(uri: string): Promise<Data | Problem | undefined> {
    try {
      return (await link.read(uri))?.filter(isText)
    } catch (error) {
      return { error: 'refused', message: (error as Error).message }
    }
  }

  function updated(uri: string) {
    void resources.get(uri)?.refresh()
    rounds.soon()
  }

  /** Subscribers are told once, not after every attempt to connect again. */
  function lost(cause: unknown, error: Problem['error']) {
    if (problem?.error !== error) problem = { error, message: messageOf(cause) }
    for (const { subscribers } of resources.values()) tell(subscribers, problem)
  }

  /** A hidden page may have slept. */
  function shown() {
    if (!isSeen()) return
    link.hurry()
    rounds.soon()
  }

  function mayRead(): boolean {
    return isSeen() && !problem && resources.size > 0
  }

  async function refreshAll() {
    await Promise.all([...resources.values()].map(({ refresh }) => refresh()))
  }

  function close() {
    if (typeof document !== 'undefined') document.removeEventListener('visibilitychange', shown)
    const uris = [...resources.keys()]
    for (const { subscribers } of resources.values()) subscribers.clear()
    resources.clear()
    for (const uri of uris) void link.unfollow(uri)
    rounds.close()
    link.close()
  }
}

/**
 * Tells every subscriber that was not told the same before, each on its own: one that throws takes nothing from the
 * others.
 */
function tell(subscribers: Iterable<Subscriber>, data: Data | Problem): boolean {
  const words = JSON.stringify(data)
  const unaware = [...subscribers].filter(({ told }) => told !== words)
  for (const subscriber of unaware) {
    subscriber.told = words
    queueMicrotask(() => subscriber.onData(data))
  }
  return unaware.length > 0
}

function isSeen(): boolean {
  return typeof document === 'undefined' || document.visibilityState === 'visible'
}

function isText(contents: { uri: string; text?: unknown }): contents is TextContents {
  return typeof contents.text === 'string'
}

/** Calls that come while it runs are answered together by one more run. */
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
