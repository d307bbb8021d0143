import { mount, unmount } from 'svelte'
import type { Attachment } from '../../../src/protocol/entries/attachment.ts'

/** Outside the timeline, which forgets rows that are scrolled away. */
export async function openPreview(file: Attachment, kind: 'text' | 'pdf') {
  const { default: Preview } = await import('./Preview.svelte')
  const box = mount(Preview, { target: document.body, props: { file, kind, onclose: () => void unmount(box) } })
}
