import { mount, unmount } from 'svelte'
import type { Hub } from '../state/hub/hub.svelte.ts'
import FileView from './FileView.svelte'
import { filesOf } from './files-of.ts'

/** Shows a file of the folder of a conversation, at a line. */
export function openFile(hub: Hub, conversation: string, path: string, line?: number) {
  const files = filesOf(hub)
  files.show(conversation, path)
  const box = mount(FileView, { target: document.body, props: { files, path, line, onclose: () => void unmount(box) } })
}
