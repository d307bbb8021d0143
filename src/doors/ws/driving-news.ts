import type { DrivenNews } from '../../chat/driving/driving.ts'
import type { Grown } from '../../chat/driving/partials.ts'
import type { Driven, ListedRunner } from '../../protocol/frames/driving.ts'
import type { TimelineFrame } from '../../protocol/frames/timeline.ts'
import type { Connection } from './dialect.ts'
import { serialiseOnce } from './frames.ts'

interface NewsParts extends Pick<Connection, 'view' | 'send' | 'behind'> {
  say(frame: TimelineFrame): void
}

const grownFrame = serialiseOnce((grown: Grown) => ({ type: 'partial', ...grown }) satisfies TimelineFrame)
const drivenFrame = serialiseOnce((news: DrivenNews) => ({ type: 'driven', ...news }) satisfies TimelineFrame)

/** What a page is told of those who drive agents, of what they drive, and of texts while they grow. */
export function tellDriving({ view, send, behind, say }: NewsParts) {
  const { driving } = view
  let runners: ListedRunner[] | undefined
  let elsewhere: string[] | true = []
  let welcomed = new Map<string, Driven>()
  let following: { close(): void }[] = []
  /** Conversations where texts grew while the client was behind, with those that became nothing. */
  const missed = new Map<string, Set<string>>()
  /** The newest of what it was not told meanwhile, by conversation. */
  const untold = new Map<string, DrivenNews>()
  let waiting = false
  return { welcome, begin, driven, grown, textsIn, close }

  function welcome() {
    runners = driving.runners()
    elsewhere = driving.elsewhere()
    welcomed = new Map(driving.driven())
    return { runners, ...said(elsewhere), driven: Object.fromEntries(welcomed) }
  }

  /** Everything from now on, and what changed since the welcome. */
  function begin(shown: string | undefined) {
    following = [driving.onRunners(tellRunners), driving.onElsewhere(tellRunners)]
    tellRunners()
    const now = new Map(driving.driven())
    for (const id of new Set([...welcomed.keys(), ...now.keys()]))
      if (welcomed.get(id) !== now.get(id)) driven({ conversation: id, driven: now.get(id) })
    const growing = driving.growing().sort((a, b) => Number(b === shown) - Number(a === shown))
    for (const conversation of growing) textsIn(conversation)
  }

  function tellRunners() {
    const [now, others] = [driving.runners(), driving.elsewhere()]
    if (now === undefined || (now === runners && String(others) === String(elsewhere))) return
    if (isBehind()) return
    runners = now
    elsewhere = others
    say({ type: 'runners', runners, ...said(elsewhere) })
  }

  function driven(news: DrivenNews) {
    if (isBehind()) untold.set(news.conversation, news)
    else void send(drivenFrame(news))
  }

  function grown(grown: Grown) {
    if (!isBehind()) return void send(grownFrame(grown))
    const { conversation, gone = [] } = grown
    missed.set(conversation, new Set([...(missed.get(conversation) ?? []), ...gone]))
  }

  /** A client that is behind is told later, once and as a whole: what is old by then is no use, and would only pile up. */
  function isBehind(): boolean {
    if (waiting) return true
    const taken = behind()
    if (taken) tellAnewAfter(taken)
    return taken !== undefined
  }

  function tellAnewAfter(taken: Promise<void>) {
    waiting = true
    void taken.then(() => {
      waiting = false
      tellRunners()
      if (waiting) return
      for (const [conversation, news] of [...untold]) {
        const still = behind()
        if (still) return tellAnewAfter(still)
        untold.delete(conversation)
        void send(drivenFrame(news))
      }
      for (const [conversation, gone] of [...missed]) {
        const still = behind()
        if (still) return tellAnewAfter(still)
        tellAnew(conversation, [...gone])
      }
    })
  }

  function tellAnew(conversation: string, gone: string[]) {
    missed.delete(conversation)
    const { by, partials } = driving.textsIn(conversation) ?? { by: '', partials: [] }
    if (partials.length + gone.length > 0) say({ type: 'partial', conversation, by, partials, gone })
  }

  /** All there is. */
  function textsIn(conversation: string) {
    const texts = driving.textsIn(conversation)
    if (texts) say({ type: 'partial', ...texts })
  }

  function close() {
    for (const { close } of following) close()
    missed.clear()
    untold.clear()
  }
}

function said(elsewhere: string[] | true) {
  return elsewhere === true || elsewhere.length > 0 ? { elsewhere } : {}
}
