import { attempt } from '../../../io/attempt.ts'
import { ParleyError } from '../../../protocol/errors.ts'
import { ifRefused } from '../../../protocol/refusal.ts'
import { filledIn, type HttpConfig, type MountConfig, parseMount } from '../mounts/mount-config.ts'
import type { Access } from './access.ts'
import type { SignInsFile } from './sign-ins-file.ts'

/** The address where people sign in to a server, as it stands in the file; throws where they cannot. */
export function signInUrl(name: string, written: unknown, env: NodeJS.ProcessEnv): string {
  return urlIn(name, filledIn(parseMount(name, written), env))
}

function urlIn(name: string, config: MountConfig): string {
  if (!('url' in config)) throw new ParleyError('sign_in_impossible', { name, problem: 'it is started by a command' })
  const { url, headers = {} } = config as HttpConfig
  if (Object.keys(headers).some((header) => header.toLowerCase() === 'authorization'))
    throw new ParleyError('sign_in_impossible', { name, problem: 'its mount has an authorization header of its own' })
  return new URL(url).href
}

/** The way in to a server at which people sign in. What was kept for another one of that name is forgotten. */
export async function accessTo(name: string, config: MountConfig, file: SignInsFile): Promise<Access | undefined> {
  const url = attempt(
    () => urlIn(name, config),
    ifRefused(() => undefined),
  )
  if (url === undefined || !file.of(name, url)) file.forget(name)
  if (url === undefined) return undefined
  const { createAccess } = await import('./access.ts')
  return createAccess({ name, url, file })
}
