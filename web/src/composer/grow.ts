import type { Attachment } from 'svelte/attachments'

/** Browsers without `field-sizing` need to be told how high the text is. */
export function grow(text: () => string): Attachment<HTMLTextAreaElement> {
  return (field) => {
    if (CSS.supports('field-sizing', 'content')) return
    text()
    field.style.height = 'auto'
    field.style.height = `${field.scrollHeight}px`
  }
}
