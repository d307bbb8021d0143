import { ParleyError } from '../../../protocol/errors.ts'
import type { Hello } from '../../../protocol/frames/link.ts'
import { localPrincipal, type Principal } from '../../../protocol/principal.ts'

interface LetInParts {
  hello: Hello
  hub: Promise<{ principalOf(hello: Hello): Principal }>
  /** Whether it shows the owner's key. */
  isProven: boolean
}

export const LOCAL_AGENT = localPrincipal('agent')

/** The principal that a line is let in as, and whether that still holds. */
export function letIn({ hello, hub, isProven }: LetInParts) {
  const who = needsHub(hello) ? hub.then(({ principalOf }) => nameOf(principalOf)) : Promise.resolve(LOCAL_AGENT)
  /** The principal at first, where that may change. */
  let before: { principal: Principal; principalOf(hello: Hello): Principal } | undefined
  // Whoever needs it is told; a line that only starts and ends does not need it.
  const noted = needsHub(hello) ? Promise.all([hub, who]).then(note) : who
  noted.catch(() => {})
  return { who, isStill }

  /** Only who can read the folder may drive: what people say goes through its hands. */
  function nameOf(principalOf: (hello: Hello) => Principal): Principal {
    const { surface, token } = hello
    if (surface === 'orchestrator' && token === undefined && !isProven) throw new ParleyError('owner_only')
    return principalOf(hello)
  }

  function note([{ principalOf }, principal]: [{ principalOf(hello: Hello): Principal }, Principal]) {
    before = { principal, principalOf }
  }

  /** Whether it is who it was when it came; throws when it may not come in any more. */
  function isStill(): boolean {
    if (!before) return true
    const { principal, principalOf } = before
    const { name, role, conversation } = principalOf(hello)
    return name === principal.name && role === principal.role && conversation === principal.conversation
  }
}

/** Anyone who can open the socket is the owner's agent; more than that needs the hub's permission. */
function needsHub({ token, surface }: Hello): boolean {
  return token !== undefined || (surface !== 'bridge' && surface !== 'agent')
}
