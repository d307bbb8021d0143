/** Whether what is pressed there becomes a letter. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null
}

/** True where Command is what Ctrl is elsewhere. */
export function onMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}

/** Dialogs on top of the page have keys of their own. */
export function isCovered(): boolean {
  return document.querySelector('dialog[open]') !== null
}
