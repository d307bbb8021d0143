import { tick } from 'svelte'
import type { Hub } from '../state/hub.svelte.ts'
import { hashOf } from '../state/route.ts'
import type { Settings } from '../state/settings.svelte.ts'
import { trail } from '../state/trail.ts'
import type { Shortcut } from './shortcuts.ts'

interface Parts {
  hub: Hub
  settings: Settings
  composer: { focus(): void; stop(): void } | undefined
  header: { rename(): void; showExports(): void } | undefined
  open: (sheet: 'settings' | 'shortcuts') => void
}

/** Does what keys or the palette say. `writing`: whether the person was at it, and wants to go on. */
export async function run(shortcut: Shortcut, writing: boolean, parts: Parts) {
  const { hub, settings, composer, header, open } = parts
  switch (shortcut) {
    case 'next':
    case 'previous':
    case 'needy': {
      const next =
        shortcut === 'needy'
          ? hub.roster.needyAfter(hub.shownId)
          : hub.roster.neighbourOf(hub.shownId, shortcut === 'next' ? 1 : -1)
      if (next === undefined) return
      trail.visit(hashOf(next))
      await tick()
      // By now it is the composer of the other conversation.
      if (writing) parts.composer?.focus()
      return
    }
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
