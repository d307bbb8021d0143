import { mount, unmount } from 'svelte'
import type { Attachment } from '../../../src/protocol/attachment.ts'

/** Outside the timeline, which forgets rows that are scrolled away. */
export async function openLightbox(image: Attachment) {
  const { default: Lightbox } = await import('./Lightbox.svelte')
  const box = mount(Lightbox, { target: document.body, props: { image, onclose: () => void unmount(box) } })
}
