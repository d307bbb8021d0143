interface Closing {
  isOpen: () => boolean
  /** Called on Escape; the focus goes back to the button of the menu. */
  onescape: () => void
  /** The person pressed or went to something else. */
  onleave: () => void
}

/** Attached to the element that holds a button and, while it is open, its menu. */
export function closing({ isOpen, onescape, onleave }: Closing) {
  return (menu: HTMLElement) => {
    const listening = new AbortController()
    const { signal } = listening
    addEventListener('pointerdown', leave, { signal })
    addEventListener('focusin', leave, { signal })
    addEventListener('keydown', press, { signal })
    return () => listening.abort()

    function leave({ target }: Event) {
      if (target instanceof Node && !menu.contains(target)) onleave()
    }

    function press({ key }: KeyboardEvent) {
      if (key !== 'Escape' || !isOpen()) return
      onescape()
      menu.querySelector('button')?.focus()
    }
  }
}
