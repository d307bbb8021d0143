import { isRecord } from '../../protocol/text/record.ts'

interface ToolPinsParts {
  notes: {
    get(name: string): Promise<unknown>
    change(name: string, change: () => unknown): Promise<unknown>
    follow(
      beginning: string,
      follower: { changed(rest: string, value: unknown): void; begun(): void; failed(error: unknown): void },
    ): unknown
  }
  report(error: unknown): void
}

type Pinned = { server: string; tool: string; fingerprint: string }

/** How the names of the notes begin, one for each tool. */
const ONE = 'tool as it was '
/** All of them, where an older Parley kept them. */
const ALL = 'tools as they were'

export type ToolPins = ReturnType<typeof openToolPins>

/**
 * What each mounted tool was when it was last allowed, or first asked about: one that says something else of itself is
 * asked about again, whatever it says.
 */
export function openToolPins({ notes, report }: ToolPinsParts) {
  const toolPins = new Map<string, unknown>()
  /** Puts under way: what is told of their place meanwhile may be older than what is known, until the last one is done. */
  const puts = new Map<string, { open: number; told?: unknown }>()
  const ready = load()
  ready.catch(report)
  return { ready, fits, meet, pin }

  async function load() {
    const stored = await notes.get(ALL)
    for (const [place, fingerprint] of isRecord(stored) ? Object.entries(stored) : []) toolPins.set(place, fingerprint)
    await new Promise<void>((begun, reject) => {
      notes.follow(ONE, {
        changed(place, fingerprint) {
          const put = puts.get(place)
          if (put) put.told = fingerprint
          else toolPins.set(place, fingerprint)
        },
        begun,
        failed(error) {
          report(error)
          reject(error)
        },
      })
    })
  }

  function fits({ fingerprint, ...tool }: Pinned): boolean {
    return (toolPins.get(placeOf(tool)) ?? fingerprint) === fingerprint
  }

  /** A person is asked about it: denied, it does not become another one that needs no person. */
  function meet(tool: Pinned) {
    if (!toolPins.has(placeOf(tool))) pin(tool)
  }

  function pin({ fingerprint, ...tool }: Pinned) {
    const place = placeOf(tool)
    if (toolPins.get(place) === fingerprint) return
    toolPins.set(place, fingerprint)
    keep(place).catch(report)
  }

  async function keep(place: string) {
    const put = puts.get(place) ?? { open: 0 }
    puts.set(place, put)
    put.open++
    try {
      await notes.change(ONE + place, () => toolPins.get(place))
    } finally {
      put.open--
      if (put.open === 0) {
        puts.delete(place)
        if (put.told !== undefined) toolPins.set(place, put.told)
      }
    }
  }
}

function placeOf({ server, tool }: Omit<Pinned, 'fingerprint'>): string {
  return JSON.stringify([server, tool])
}
