import { mount, unmount } from 'svelte'
import type { Attachment } from '../../../src/protocol/entries/attachment.ts'
import type { Pictures } from './pictures.ts'

/** Outside the timeline, which forgets rows that are scrolled away. */
export async function openLightbox(image: Attachment, pictures: () => Pictures) {
  const { default: Lightbox } = await import('./Lightbox.svelte')
  const onclose = () => void unmount(box)
  const box = mount(Lightbox, { target: document.body, props: { first: image, pictures, onclose } })
}
