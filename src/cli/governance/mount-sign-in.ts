import { openMountsFile } from '../../governance/gateway/mounts/mounts-file.ts'
import { openSignInsFile } from '../../governance/gateway/sign-in/sign-ins-file.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { noMemory } from '../config.ts'
import { openInBrowser } from '../hub/browser.ts'
import { anyHub } from '../hub/open.ts'
import { doorTo } from '../hub/sign-in.ts'
import type { Typed } from '../program.ts'
import { howIs, known, order, thrown } from './mount.ts'

/** The command waits longer than the hub waits for a person, and for those who sign people in. */
const WAIT_MS = 12 * 60_000

export async function login({ config, words: [name = ''] }: Typed) {
  const { data } = config
  noMemory(data)
  // A hub is not started for nothing.
  known(openMountsFile(data).read(), name)
  await anyHub(config)
  const begun = await order(data, { act: 'login', name }, { waitMs: WAIT_MS })
  if (!begun || !('address' in begun)) throw ended(name)
  console.error(`Sign in to ${name} in a browser on this machine, within 10 minutes:`)
  console.log(begun.address)
  await openInBrowser(doorTo(begun.address, data))
  const told = await order(data, { act: 'signed_in', name }, { waitMs: WAIT_MS })
  if (!told) throw ended(name)
  console.log(`Signed in to ${name}; it is mounted${howIs(told)}`)
}

export async function logout({ config: { data }, words: [name = ''] }: Typed) {
  const inFile = (servers: Record<string, unknown>) => {
    known(servers, name)
    openSignInsFile(data, thrown).forget(name)
  }
  await order(data, { act: 'logout', name }, { inFile })
  console.log(`Signed out of ${name}`)
}

function ended(name: string): ParleyError {
  return new ParleyError('sign_in_failed', { name, problem: 'the hub ended meanwhile' })
}
