import { tick } from 'svelte'
import { beginning } from '../../start/beginning.svelte.ts'
import type { Hub } from '../../state/hub/hub.svelte.ts'
import type { Settings } from '../../state/page/settings.svelte.ts'
import type { Shortcut } from './shortcuts.ts'

interface Parts {
  hub: Hub
  settings: Settings
  /** The place of the conversation that has the focus. */
  place: { shown: string | undefined; go: (conversation: string) => void }
  beside: () => void
  triage: { open(): void; skip(): boolean } | undefined
  composer: { focus(): void; stop(): void } | undefined
  header: { rename(): void; showExports(): void } | undefined
  open: (sheet: 'settings' | 'shortcuts') => void
}

/** Does what keys or the palette say. `writing`: whether the person was at it, and wants to go on. */
export async function run(shortcut: Shortcut, writing: boolean, parts: Parts) {
  const { hub, settings, composer, header, open, place, beside, triage } = parts
  switch (shortcut) {
    case 'next':
    case 'previous':
    case 'needy': {
      if (shortcut === 'needy' && triage?.skip()) return
      const next =
        shortcut === 'needy'
          ? hub.roster.needyAfter(place.shown)
          : hub.roster.neighbourOf(place.shown, shortcut === 'next' ? 1 : -1)
      if (next === undefined) return
      place.go(next)
      await tick()
      // The composer belongs to the other conversation by now.
      if (writing) parts.composer?.focus()
      return
    }
    case 'triage':
      return triage?.open()
    case 'beside':
      return beside()
    case 'new':
      beginning.now = {}
      return
    case 'write':
      return composer?.focus()
    case 'stop':
      return composer?.stop()
    case 'rename':
      return header?.rename()
    case 'export':
      return header?.showExports()
    case 'settings':
      return open('settings')
    case 'theme':
      return settings.nextTheme()
    case 'help':
      return open('shortcuts')
  }
}
