import type { Mount } from './mounts/mount.ts'
import type { Raw } from './upstream/upstream.ts'

interface LateListsParts {
  /** The time that a list waits for a server. */
  lateMs: number
  /** Called when a late list has come. */
  came(): void
}

/** The time for which a late list is used: a client that is told of it asks for it then. */
const USED_MS = 30_000

/** A list of one mount, and whether it is not all there yet. */
export interface Listed {
  items: Raw[]
  isLate: boolean
}

/** Lists of mounts that nobody waits long for: those that are late come later, and are told of then. */
export function createLateLists({ lateMs, came }: LateListsParts) {
  const asked = new Map<string, Promise<Raw[]>>()
  const kept = new Map<string, { items: Raw[]; until: number }>()
  return { list, forget }

  /** The list of a server, or the one it gave last. */
  async function list(mount: Mount, method: string): Promise<Listed> {
    const key = `${mount.name} ${method}`
    const known = kept.get(key)
    if (known && known.until > Date.now()) return { items: known.items, isLate: false }
    const asking = asked.get(key) ?? ask(mount, method, key)
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const patience = setTimeout(resolve, lateMs, undefined)
    const items = await Promise.race([asking, late]).finally(() => clearTimeout(patience))
    if (items) return { items, isLate: false }
    mount.log.tell(`${method}: it takes longer than ${lateMs / 1000} s, and comes later`)
    void asking.then((items) => keep(key, items)).catch(() => {})
    return { items: known?.items ?? [], isLate: true }
  }

  /** Others that ask meanwhile get the same. */
  function ask(mount: Mount, method: string, key: string): Promise<Raw[]> {
    const asking = mount.tried.then(() => (mount.can('resources') ? mount.list(method) : []))
    asked.set(key, asking)
    return asking.finally(() => asked.delete(key))
  }

  /** The server says that they are others now. */
  function forget(name: string) {
    for (const key of [...kept.keys()]) if (key.startsWith(`${name} `)) kept.delete(key)
  }

  function keep(key: string, items: Raw[]) {
    const before = kept.get(key)
    kept.set(key, { items, until: Date.now() + USED_MS })
    if (!before || before.until < Date.now()) came()
  }
}
