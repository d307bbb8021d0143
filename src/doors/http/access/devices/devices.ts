import type { Device } from '../../../../protocol/devices.ts'
import { ParleyError } from '../../../../protocol/errors.ts'
import { hashOf, type ShownKey, type TokenEdition } from '../token-edition.ts'
import type { Pass, Shelf } from '../token-entry.ts'

/** The browsers that are signed in as one person. Each is named by what gives nothing away of its cookie. */
export function createDevices({ edition, shelf }: { edition(): TokenEdition; shelf: Shelf }) {
  return { list, rename, end }

  /** All that are signed in as the one who asks; nothing for who needs no cookie. */
  function list(secret: string | undefined, key: ShownKey): Device[] {
    const own = ownPass(secret, key)
    return own ? passesOf(own).map((pass) => deviceOf(pass, own)) : []
  }

  async function rename(secret: string | undefined, key: ShownKey, name: string) {
    const own = mustHavePass(secret, key)
    await shelf.change((entries) =>
      entries.map((entry) => (entry.hash === own.hash ? { ...own, device: name } : entry)),
    )
  }

  /** One that has ended meanwhile is as it should be. */
  async function end(secret: string | undefined, key: ShownKey, id: string) {
    const ended = passesOf(mustHavePass(secret, key)).find((pass) => idOf(pass) === id)
    if (ended) await shelf.change((entries) => entries.filter(({ hash }) => hash !== ended.hash))
  }

  function ownPass(secret: string | undefined, key: ShownKey): Pass | undefined {
    return secret === undefined ? undefined : edition().cookie(secret, key)
  }

  function mustHavePass(secret: string | undefined, key: ShownKey): Pass {
    const own = ownPass(secret, key)
    if (!own) throw new ParleyError('signed_out')
    return own
  }

  function passesOf({ name }: Pass): Pass[] {
    return edition().cookiesOf(name)
  }
}

function deviceOf(pass: Pass, own: Pass): Device {
  const { device, created_at, expires_at } = pass
  return { id: idOf(pass), name: device ?? '', signed_in_at: created_at, expires_at, is_this: pass.hash === own.hash }
}

function idOf({ hash }: Pass): string {
  return hashOf(hash).slice(0, ID_LENGTH)
}

const ID_LENGTH = 16
