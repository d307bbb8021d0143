import { createContext } from 'svelte'
import type { Hub } from '../state/hub/hub.svelte.ts'
import type { Settings } from '../state/page/settings.svelte.ts'

/** A context for what speaks for the person from within a message. */
export const [getSpeaker, setSpeaker] = createContext<{ hub: Hub; settings: Settings }>()
