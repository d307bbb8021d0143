import { BEFORE_ALL } from '../../protocol/entries/entry.ts'
import { ParleyError } from '../../protocol/errors.ts'
import { mustBeAble, type Principal } from '../../protocol/principal.ts'
import type { ChatService } from '../chat-service.ts'
import { conversationOfRun } from '../conversation/conversation-name.ts'
import type { Uploads } from '../people/uploads.ts'
import type { Runners } from './runners.ts'
import type { Beginning, FirstWords } from './starting.ts'

interface StartsParts {
  service: Pick<ChatService, 'start' | 'conversation'>
  principal: Principal
  withFiles: ReturnType<Uploads['filesOf']>['withFiles']
  by: string
  mayWish: ReturnType<typeof wishesOf>
}

/**
 * What this principal may wish of how a conversation is driven, or throws. To choose a runner that the hub starts is to
 * start an agent in a folder.
 */
export function wishesOf({ isLaunched }: Pick<Runners, 'isLaunched'>, principal: Principal) {
  return <Wanted extends { runner?: string }>(wanted: Wanted): Wanted => {
    if (wanted.runner !== undefined && isLaunched(wanted.runner)) mustBeAble(principal, 'administer')
    return wanted
  }
}

/** Conversations that this principal begins with runners, each by a command with a key. */
export function startsOf({ service, principal, withFiles, by, mayWish }: StartsParts) {
  return { start, hasStarted, nameOfStart: async (runner: string, key: string) => nameOf(runner, key) }

  /** The same command again leads to the same conversation. */
  async function start(wanted: Beginning, said: Omit<FirstWords, 'by'>, key: string) {
    if (principal.conversation !== undefined) throw new ParleyError('unknown_runner', { runner: wanted.runner })
    const conversation = nameOf(wanted.runner, key)
    return withFiles(said.attachments, () => service.start(conversation, mayWish(wanted), { by, ...said }, key))
  }

  /** Whether this command has begun its conversation with the runner already. */
  async function hasStarted(runner: string, key: string): Promise<boolean> {
    return (await service.conversation(nameOf(runner, key))).last !== BEFORE_ALL
  }

  function nameOf(runner: string, key: string): string {
    return conversationOfRun(runner, `${principal.id} ${key}`)
  }
}
