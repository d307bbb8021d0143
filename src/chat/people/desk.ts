import type { MarkChange, SavedReply } from '../../protocol/frames/desk.ts'
import type { DeskListener, Desks, Marks } from './desks.ts'

interface DeskParts {
  desk: ReturnType<Desks['of']>
  maySee(conversation: string): boolean
  mustSee(conversation: string): Promise<void>
}

/** The desk of one person as one of their connections may use it; the others are told of what it changes. */
export function deskFor({ desk, maySee, mustSee }: DeskParts) {
  let told: DeskListener | undefined
  return { atHand, letGo: desk.letGo, show: desk.show, marks, change, keepReply, dropReply, follow }

  /** Conversations that are listed however old they are. */
  async function atHand(): Promise<string[]> {
    return (await desk.atHand()).filter(maySee)
  }

  function marks(conversations: string[]): Promise<Marks> {
    return desk.marks(conversations.filter(maySee))
  }

  function change(changes: Record<string, MarkChange>): Promise<Marks> {
    return desk.change(changes, { admit: mustSee, from: told })
  }

  function keepReply(reply: SavedReply, insteadOf?: string) {
    return desk.keepReply(reply, insteadOf, told)
  }

  function dropReply(name: string) {
    return desk.dropReply(name, told)
  }

  /** Of what is changed elsewhere. */
  function follow({ marks, replies }: DeskListener): { close(): void } {
    told = {
      replies,
      marks(all) {
        const own = Object.entries(all).filter(([conversation]) => maySee(conversation))
        if (own.length > 0) marks(Object.fromEntries(own))
      },
    }
    return desk.follow(told)
  }
}
