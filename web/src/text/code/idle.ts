/** Soon, when the page has nothing better to do. */
export function whenIdle(work: () => unknown) {
  // Safari does without it.
  if ('requestIdleCallback' in window) requestIdleCallback(() => void work(), { timeout: 1000 })
  else setTimeout(work, 50)
}
