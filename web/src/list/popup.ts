const EDGE_PX = 8

/** A menu on top of everything, beside what opened it. Keys walk through it; whatever else is done closes it. */
export function popup(at: HTMLElement | MouseEvent, onclosed: () => void) {
  return (menu: HTMLElement) => {
    const listening = new AbortController()
    const { signal } = listening
    menu.addEventListener('keydown', press, { signal })
    menu.addEventListener('toggle', ({ newState }) => newState === 'closed' && onclosed(), { signal })
    menu.showPopover()
    const { width, height } = menu.getBoundingClientRect()
    const { x, y } = placeOf(at, width, height)
    menu.style.setProperty('--x', `${between(EDGE_PX, x, innerWidth - width - EDGE_PX)}px`)
    menu.style.setProperty('--y', `${between(EDGE_PX, y, innerHeight - height - EDGE_PX)}px`)
    menu.querySelector<HTMLElement>('button, a, input:checked')?.focus()
    return () => {
      listening.abort()
      // The focus then goes back to where it was.
      if (menu.matches(':popover-open')) menu.hidePopover()
    }
  }

  function press(event: KeyboardEvent) {
    const menu = event.currentTarget as HTMLElement
    const items = [...menu.querySelectorAll<HTMLElement>('button, a')]
    const place = items.indexOf(document.activeElement as HTMLElement)
    // A key pressed in a menu is about nothing else.
    event.stopPropagation()
    if (event.key === 'Tab' && items.length > 0) return menu.hidePopover()
    const next = {
      ArrowDown: items[(place + 1) % items.length],
      ArrowUp: items.at(place - 1),
      Home: items[0],
      End: items.at(-1),
    }[event.key]
    if (!next) return
    event.preventDefault()
    next.focus()
  }
}

function placeOf(at: HTMLElement | MouseEvent, width: number, height: number) {
  if (!(at instanceof HTMLElement)) return { x: at.clientX, y: at.clientY }
  const { right, top, bottom } = at.getBoundingClientRect()
  const below = bottom + 4
  // The menu does not cover what opened it: a second press there would choose something.
  const fits = below + height + EDGE_PX <= innerHeight || top < height
  return { x: right - width, y: fits ? below : top - height - 4 }
}

function between(least: number, wanted: number, most: number): number {
  return Math.max(least, Math.min(wanted, most))
}
