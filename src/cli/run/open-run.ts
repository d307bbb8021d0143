import { isLost } from '../../agents/lost-connection.ts'
import { type Orchestrator, type OrchestratorParts, openOrchestrator } from '../../agents/orchestrator.ts'
import { onFirstSignal } from '../../io/first-signal.ts'
import { lastSentence } from '../../protocol/last-sentence.ts'
import { isRefusal } from '../../protocol/refusal.ts'
import type { Config } from '../config.ts'
import { fail } from './fail.ts'
import { ownLine } from './own-line.ts'
import { parleyServer } from './parley-server.ts'
import { stateFile } from './state-file.ts'

interface RunParts extends Omit<OrchestratorParts, 'state' | 'connect' | 'hasToken' | 'parley' | 'report'> {
  /** One in the data folder, if absent. */
  state?: string
  config: Pick<Config, 'data' | 'given' | 'ownToken'>
  /** Whether its agents get the tools of mounted servers. */
  gateway: boolean
  /** What its agents start to reach the hub. */
  program: string
}

const ENDING_MS = 8000

/** An orchestrator by the socket of a folder. What goes wrong on the way is told on stderr. */
export async function openRun({ config, gateway, program, ...parts }: RunParts): Promise<Orchestrator> {
  const { folder, name, conversation } = parts
  const words = saying()
  const orchestrator = await words.said(() =>
    openOrchestrator({
      ...parts,
      state: parts.state ?? stateFile(config.data, conversation ?? name),
      connect: () => ownLine(config, { surface: 'orchestrator', cwd: folder, tell: words.tell }),
      hasToken: config.ownToken !== undefined,
      parley: async (conversation) => parleyServer({ data: config.data, conversation, gateway, program }),
      report: (error) => words.tell(error instanceof Error ? error.message : String(error)),
    }),
  )
  void orchestrator.gaveUp.then(async (error) => {
    await orchestrator.close()
    words.tell(lastSentence(error))
    process.exit(1)
  })
  return orchestrator
}

/** They end in good order at the first signal, as far as there is time, and at the second at once. */
export function stayUntilEnded(orchestrators: Pick<Orchestrator, 'close'>[]) {
  onFirstSignal(() => {
    // A hub that is away would be waited for.
    setTimeout(() => process.exit(0), ENDING_MS).unref()
    Promise.all(orchestrators.map(({ close }) => close())).then(() => process.exit(0), fail)
  })
}

/** Reports what goes wrong on the way to the hub, each sentence once in a row. */
function saying() {
  let last = ''
  return { tell, said }

  function tell(sentence: string) {
    // The hub's address is told once it is known what is offered there.
    if (/^https?:\S+$/.test(sentence) || sentence === last) return
    last = sentence
    console.error(sentence)
  }

  /** A hub that cannot be had has said why by then. */
  async function said<Opened>(open: () => Promise<Opened>): Promise<Opened> {
    try {
      return await open()
    } catch (error) {
      const isTold = last !== '' && (isRefusal(error) ? error.message === last : isLost(error))
      if (!isTold) throw error
      process.exit(1)
    }
  }
}
