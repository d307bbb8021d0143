const GAP_PX = 6

/** Puts a popup above everything, over the form of a field, because the dock scrolls where there is little room. */
export function aboveField(field: HTMLTextAreaElement) {
  return (popup: HTMLElement) => {
    popup.showPopover()
    place()
    // The focus stays where words are written.
    popup.addEventListener('mousedown', (event) => {
      if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
    })
    const seen = new ResizeObserver(place)
    if (field.form) seen.observe(field.form)
    addEventListener('resize', place)
    return () => {
      seen.disconnect()
      removeEventListener('resize', place)
    }

    function place() {
      const { top, left, width } = (field.form ?? field).getBoundingClientRect()
      popup.style.left = `${left}px`
      popup.style.bottom = `${innerHeight - top + GAP_PX}px`
      popup.style.width = `min(${width}px, 30rem)`
      popup.style.maxHeight = `min(${top - 2 * GAP_PX}px, 20rem)`
    }
  }
}
