import { createHash, randomBytes } from 'node:crypto'
import { ParleyError } from '../../../protocol/errors.ts'
import { jsonIn } from '../../../protocol/text/json.ts'
import { isRecord } from '../../../protocol/text/record.ts'
import { cleanText } from '../clean-text.ts'
import type { Challenge } from './needs-sign-in.ts'
import type { Begun, SignInsFile } from './sign-ins-file.ts'

/** A server that somebody wants to sign in to. */
export interface SignInPlace {
  url: string
  challenge: Challenge
}

interface SignInsParts {
  file: SignInsFile
  /** The address to which people are sent back; nothing where their browser could not find the hub there. */
  callback?(): string | undefined
  /** How long a person has. */
  lifeMs: number
  /** Throws where nobody can sign in. */
  placeOf(name: string): SignInPlace
  /** There is, or is no longer, something to be let in with. */
  changed(name: string): void
}

interface Waiting {
  /** Resolves once somebody has signed in, or rejects with the reason. */
  outcome: Promise<void>
  settle(problem?: ParleyError): void
}

const LONGEST_PROBLEM = 300

/** Begins sign-ins of people to servers, and finishes them when their browser comes back, once and in time. */
export function createSignIns({ file, callback, lifeMs, placeOf, changed }: SignInsParts) {
  const waiting = new Map<string, Waiting>()
  return { begin, outcome, finish, forget, tidy, isOpen: () => file.all().some(([, { begun }]) => isInTime(begun)) }

  /** The address that the person has to open. */
  async function begin(name: string): Promise<string> {
    const { url, challenge } = placeOf(name)
    const redirect = callback?.()
    if (redirect === undefined)
      throw new ParleyError('sign_in_impossible', { name, problem: 'this hub is not at localhost' })
    const kept = file.of(name, url)
    const state = randomBytes(32).toString('base64url')
    const known = kept?.redirect === redirect ? kept.client : undefined
    const scope = scopeWanted(challenge, kept?.tokens?.scope)
    // The SDK's client is loaded where there is something to sign in to.
    const { beginFlow } = await import('./flow.ts')
    const { address, ...begun } = await working(name, () =>
      beginFlow({ url, redirect, state, client: known, metadata: challenge.metadata, scope }),
    )
    // Whoever waits for the earlier one is told so.
    waiting.get(name)?.settle(new ParleyError('sign_in_failed', { name, problem: 'another one was begun' }))
    file.put(name, {
      ...(file.of(name, url) ?? { url }),
      begun: { ...begun, state: digestOf(state), redirect, until: Date.now() + lifeMs },
    })
    wait(name)
    return address
  }

  function wait(name: string) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    promise.catch(() => {})
    const late = setTimeout(() => {
      giveUp(name)
      settle(new ParleyError('sign_in_late', { name }))
    }, lifeMs).unref()
    waiting.set(name, { outcome: promise, settle })

    function settle(problem?: ParleyError) {
      clearTimeout(late)
      if (problem) reject(problem)
      else resolve()
    }
  }

  /** Resolves once the person has done it. */
  async function outcome(name: string): Promise<void> {
    const begun = waiting.get(name)
    if (!begun) throw new ParleyError('sign_in_unknown')
    await begun.outcome
  }

  /** Finishes with what the browser brings. `state` tells whose it is, and nothing else does. */
  async function finish(brought: URLSearchParams): Promise<{ name: string }> {
    const digest = digestOf(brought.get('state') ?? '')
    const [name, { url, begun }] = file.all().find(([, { begun }]) => begun?.state === digest) ?? ['', { url: '' }]
    if (!begun || !isInTime(begun)) throw new ParleyError('sign_in_unknown')
    const used = giveUp(name)
    try {
      const code = codeIn(name, brought)
      const { finishFlow } = await import('./flow.ts')
      const iss = brought.get('iss') ?? undefined
      const { tokens, client } = await working(name, () => finishFlow({ url, begun, code, iss }))
      // The mount may be gone, or another server by now.
      const kept = file.of(name, url)
      if (!kept) throw new ParleyError('sign_in_unknown')
      const { discovery, redirect, scope } = begun
      // Another one may have been begun meanwhile.
      file.put(name, { url, client, redirect, discovery, tokens: { scope, ...tokens }, begun: kept.begun })
      used?.settle()
      changed(name)
      return { name }
    } catch (error) {
      if (error instanceof ParleyError) used?.settle(error)
      throw error
    }
  }

  /** The begun sign-in is void; a client that nobody came back with is registered anew. */
  function giveUp(name: string): Waiting | undefined {
    const [, kept] = file.all().find(([known]) => known === name) ?? []
    if (kept) file.put(name, { ...kept, begun: undefined, ...(!kept.tokens && { client: undefined }) })
    return waiting.get(name)
  }

  /** Removes leftovers of an earlier hub: of servers that are no longer mounted, and what nobody finished in time. */
  function tidy(mounted: string[]) {
    for (const [name, { begun }] of file.all()) {
      if (!mounted.includes(name)) file.forget(name)
      else if (begun && !isInTime(begun)) giveUp(name)
    }
  }

  /** Nothing of it is left. */
  function forget(name: string) {
    file.forget(name)
    waiting.get(name)?.settle(new ParleyError('sign_in_failed', { name, problem: 'it was taken back' }))
  }
}

/** A copy of the file is not enough to come back with. */
function digestOf(state: string): string {
  return createHash('sha256').update(state).digest('base64url')
}

function isInTime(begun: Begun | undefined): boolean {
  return begun !== undefined && Date.now() < begun.until
}

/** What a server wants is asked for besides what it gave before. */
function scopeWanted({ scope }: Challenge, before: string | undefined): string | undefined {
  if (scope === undefined || before === undefined) return scope
  return [...new Set([...before.split(' '), ...scope.split(' ')])].join(' ')
}

function codeIn(name: string, brought: URLSearchParams): string {
  const [code, error] = [brought.get('code'), brought.get('error')]
  if (error === 'access_denied') throw new ParleyError('sign_in_refused', { name })
  // Anybody can have written what else stands there.
  const problem = error && /^\w{1,40}$/.test(error) ? error : 'the answer had no code'
  if (error !== null || code === null) throw new ParleyError('sign_in_failed', { name, problem })
  return code
}

async function working<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { message, cause } = error as Error
    const said = firstOf(message)
    const problem = cause instanceof Error ? `${said} (${cause.message})` : said
    throw new ParleyError('sign_in_failed', { name, problem: cleanText(problem).slice(0, LONGEST_PROBLEM) }, error)
  }
}

/** The first of a schema's complaints about what the server says. */
function firstOf(message: string): string {
  const [first] = [jsonIn(message)].flat()
  return isRecord(first) && typeof first.message === 'string' ? first.message : message
}
