/** Whether what is pressed there becomes a letter. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** True where Command is what Ctrl is elsewhere. */
export function onMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

/** What lies on top of the page has keys of its own. */
export function isCovered(): boolean {
  return document.querySelector('dialog[open]') !== null
}
