import { Starting } from '../start/starting.svelte.ts'
import type { Hub } from '../state/hub/hub.svelte.ts'
import type { FolderFiles } from './folder-files.svelte.ts'

export function filesOf(hub: Hub): FolderFiles {
  hub.starting ??= new Starting((request) => hub.link.send(request))
  return hub.starting.launching.files
}
