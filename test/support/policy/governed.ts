import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { View } from '../../../src/chat/view.ts'
import type { Entry } from '../../../src/protocol/entries/entry.ts'
import { BEFORE_ALL } from '../../../src/protocol/entries/entry.ts'
import { localPrincipal } from '../../../src/protocol/principal.ts'
import { temporaryFolder } from '../hub.ts'
import { diaryAt, readDiary } from '../upstream/diary-server.ts'
import { startGateway, untilMount } from '../upstream/gateway.ts'

type Given = Pick<NonNullable<Parameters<typeof startGateway>[0]>, 'data' | 'policy' | 'tokens' | 'maxWaitSeconds'>

/** A hub with one mounted server whose runs can be counted, and a person. */
export async function startGoverned({ policy = { rules: [] }, ...more }: Given = {}) {
  const diary = join(await temporaryFolder(), 'diary')
  const servers = { diary: diaryAt(diary) }
  const hub = await startGateway({ servers, policy, ...more })
  // A call has the time of its server, and a list does not.
  await untilMount(hub.gateway, 'diary', ({ state }) => state === 'ready')
  return { ...hub, servers, diary, written: () => readDiary(diary), person: hub.viewOf(localPrincipal('admin')) }
}

/** Everything that a view is told, and the first of it that fits. */
export function followed(view: View) {
  const entries: Entry[] = []
  const looks = new Set<() => void>()
  const following = view.follow(
    { after: BEFORE_ALL },
    {
      entries(more) {
        entries.push(...more)
        for (const look of [...looks]) look()
      },
      failed(error) {
        throw error
      },
    },
  )
  onTestFinished(() => void following.close())
  return { entries, until }

  function until<Kind extends Entry['body']['kind']>(kind: Kind, nth = 1): Promise<EntryOf<Kind>> {
    return new Promise((resolve) => {
      look()

      function look() {
        const found = entries.filter(({ body }) => body.kind === kind)[nth - 1]
        if (!found) return looks.add(look)
        looks.delete(look)
        resolve(found as EntryOf<Kind>)
      }
    })
  }
}

type EntryOf<Kind extends Entry['body']['kind']> = Entry & { body: Extract<Entry['body'], { kind: Kind }> }
