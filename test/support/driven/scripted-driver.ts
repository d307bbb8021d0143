import type { DrivenSession, Driver, Happening, Prompt, SessionWanted, TurnEnd } from '../../../src/agents/driver.ts'

export interface Scene {
  happens(happening: Happening): void
  wanted: SessionWanted
  /** Resolves when the person stops it. */
  stopped: Promise<void>
}

type Play = (prompt: Prompt, scene: Scene) => Promise<Partial<TurnEnd> | undefined> | Partial<TurnEnd> | undefined

interface Script {
  remembers?: boolean
  /** How a session is called by which it can be resumed; without it, none can. */
  id?(wanted: SessionWanted): string | undefined
  /** Whether what was doubtful had come to the session that it goes on with. */
  had?: boolean
  /** Runs before there is a session. */
  starts?(wanted: SessionWanted): Promise<void> | void
  /** Runs before it has ended. */
  stops?(): Promise<void>
  steer?(prompt: Prompt): Promise<boolean>
}

/** The second implementation of the port: an agent that does what a test says. */
export function scriptedDriver(play: Play, { remembers = true, id, had, starts, stops, steer }: Script = {}) {
  const started: SessionWanted[] = []
  const stopped: string[] = []
  const prompts: string[] = []
  const chosen: object[] = []
  const losing: ((sentence: string) => void)[] = []
  const driver: Driver = { name: 'scripted', start }
  return {
    driver,
    started,
    stopped,
    prompts,
    chosen,
    /** The newest session dies. */
    lose: (sentence: string) => losing.at(-1)?.(sentence),
  }

  async function start(wanted: SessionWanted): Promise<DrivenSession> {
    await starts?.(wanted)
    started.push(wanted)
    let stop = () => {}
    return {
      id: id?.(wanted),
      remembers,
      ...(had !== undefined && { had }),
      async prompt(prompt) {
        if ((await prompt.giving?.()) === false) return { outcome: 'cancelled' }
        prompts.push(prompt.text)
        const stopped = new Promise<void>((resolve) => {
          stop = resolve
        })
        return { outcome: 'ended', ...(await play(prompt, { happens: wanted.happens, wanted, stopped })) }
      },
      ...(steer && { steer }),
      interrupt: async () => stop(),
      choose: async (choice) => void chosen.push(choice),
      async stop() {
        stopped.push(wanted.conversation)
        await stops?.()
      },
      lost: new Promise((resolve) => losing.push(resolve)),
    }
  }
}
