import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { attempt } from '../../../io/attempt.ts'
import { replaceFile } from '../../../io/replaced-file.ts'
import { ifSystemError } from '../../../io/system-error.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { ifRefused, unreadable } from '../../../protocol/refusal.ts'
import { jsonIn } from '../../../protocol/text/json.ts'

const Client = z.looseObject({ client_id: z.string() })
const Tokens = z.looseObject({
  access_token: z.string(),
  token_type: z.string(),
  refresh_token: z.optional(z.string()),
  scope: z.optional(z.string()),
})
const Discovery = z.looseObject({ authorizationServerUrl: z.string() })

/** A sign-in that a person has begun and not finished. */
const Begun = z.object({
  state: z.string(),
  verifier: z.string(),
  redirect: z.string(),
  /** The time, in milliseconds since 1970. */
  until: z.number(),
  client: Client,
  discovery: Discovery,
  scope: z.optional(z.string()),
})
export type Begun = z.infer<typeof Begun>

const SignIn = z.object({
  /** The address it belongs to: at another one the same name is another server. */
  url: z.string(),
  /** Parley's registration there, and where people are sent back to. */
  client: z.optional(Client),
  redirect: z.optional(z.string()),
  discovery: z.optional(Discovery),
  tokens: z.optional(Tokens),
  begun: z.optional(Begun),
})
export type SignIn = z.infer<typeof SignIn>
export type Tokens = z.infer<typeof Tokens>

const Kept = z.object({ version: z.literal(1), servers: z.record(z.string(), SignIn) })

export type SignInsFile = ReturnType<typeof openSignInsFile>

/** The sign-ins to mounted servers, by their names, in the data folder, for its owner alone. */
export function openSignInsFile(data: string, report: (error: unknown) => void) {
  const path = data === 'memory' ? undefined : join(data, 'sign-ins.json')
  let servers: Record<string, SignIn> | undefined
  return { of, all: () => Object.entries(readable()), put, forget }

  /** The sign-in at this address, and at no other that the name stood for. */
  function of(name: string, url: string): SignIn | undefined {
    const kept = Object.hasOwn(read(), name) ? read()[name] : undefined
    return kept?.url === url ? kept : undefined
  }

  function put(name: string, signIn: SignIn) {
    save({ ...read(), [name]: signIn })
  }

  function forget(name: string) {
    const { [name]: forgotten, ...others } = readable()
    if (forgotten) save(others)
  }

  function read(): Record<string, SignIn> {
    servers ??= path === undefined || !existsSync(path) ? {} : parsed(path)
    return servers
  }

  /** A file that is damaged concerns who wants something of it, and nobody else. */
  function readable(): Record<string, SignIn> {
    return attempt(
      read,
      ifRefused(() => ({})),
    )
  }

  function save(next: Record<string, SignIn>) {
    servers = next
    if (path === undefined) return
    // A full disk costs a sign-in after the next start, and no connection now.
    attempt(
      () => replaceFile(path, `${JSON.stringify({ version: 1, servers }, undefined, 2)}\n`),
      ifSystemError(report),
    )
  }
}

function parsed(path: string): Record<string, SignIn> {
  const kept = Kept.safeParse(jsonIn(attempt(() => readFileSync(path, 'utf8'), ifSystemError(unreadable(path)))))
  if (!kept.success) throw new ParleyError('sign_ins_damaged', { path })
  return kept.data.servers
}
