import { isRecord } from '../protocol/record.ts'

interface PinsParts {
  memo: { get(name: string): Promise<unknown>; put(name: string, value: unknown): Promise<void> }
  report(error: unknown): void
}

type Pinned = { server: string; tool: string; fingerprint: string }

const NAME = 'pinned tools'

export type Pins = ReturnType<typeof openPins>

/** What each mounted tool was when it was last allowed: one that says something else of itself is asked about again. */
export function openPins({ memo, report }: PinsParts) {
  const pins = new Map<string, unknown>()
  const ready = load()
  ready.catch(report)
  return { ready, fits, pin }

  async function load() {
    const stored = await memo.get(NAME)
    for (const [place, fingerprint] of isRecord(stored) ? Object.entries(stored) : []) pins.set(place, fingerprint)
  }

  function fits({ fingerprint, ...tool }: Pinned): boolean {
    return (pins.get(placeOf(tool)) ?? fingerprint) === fingerprint
  }

  function pin({ fingerprint, ...tool }: Pinned) {
    const place = placeOf(tool)
    if (pins.get(place) === fingerprint) return
    pins.set(place, fingerprint)
    memo.put(NAME, Object.fromEntries(pins)).catch(report)
  }
}

function placeOf({ server, tool }: Omit<Pinned, 'fingerprint'>): string {
  return `${server}/${tool}`
}
