import type { Driven, ListedRunner } from '../../protocol/frames/driving.ts'
import type { ChatService } from '../chat-service.ts'
import type { Grown } from './partials.ts'

interface DrivingSeenParts {
  service: Pick<ChatService, 'driving' | 'drivers'>
  /** The one conversation that there is, if there is only one. */
  only: string | undefined
  /** Throws where the principal may not see it. */
  seen(conversation: string): string
  maySee(conversation: string): boolean
}

/** The drivers as a principal may see them. */
export function drivingSeen({ service: { driving, drivers }, only, seen, maySee }: DrivingSeenParts) {
  return {
    /** Nothing for whom there is one conversation: nobody else is there who could begin another. */
    runners: (): ListedRunner[] | undefined => (only === undefined ? driving.runners.all() : undefined),
    isLaunched: driving.runners.isLaunched,
    onRunners: (changed: () => void) => driving.runners.onChange(changed),
    /** The conversations where programs answer that nobody has to choose. */
    elsewhere: (): string[] | true => {
      const all = drivers.elsewhere()
      return all === true || all.filter(maySee)
    },
    onElsewhere: (changed: () => void) => drivers.onChange(changed),
    driven: (): [conversation: string, driven: Driven][] => driving.all().filter(([id]) => maySee(id)),
    /** The conversations in which a text grows. */
    growing: (): string[] => driving.growing().filter(maySee),
    textsIn: (conversation: string): Grown | undefined => driving.textsIn(seen(conversation)),
  }
}
