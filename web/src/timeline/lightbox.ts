import { mount, unmount } from 'svelte'
import type { Attachment } from '../../../src/protocol/attachment.ts'
import Lightbox from './Lightbox.svelte'

/** Outside the timeline, which forgets rows that are scrolled away. */
export function openLightbox(image: Attachment) {
  const box = mount(Lightbox, { target: document.body, props: { image, onclose: () => void unmount(box) } })
}
