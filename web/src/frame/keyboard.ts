/** The keyboard of a phone covers the page without resizing it; the visual viewport says what is left. */
export function keepAboveKeyboard() {
  const viewport = window.visualViewport
  if (!viewport) return
  viewport.addEventListener('resize', () => {
    // A pinch zoom resizes it too, and the page must not shrink with that.
    if (viewport.scale === 1) document.documentElement.style.setProperty('--viewport-height', `${viewport.height}px`)
  })
}
