let keyAt: number | undefined
let pointerAt: number | undefined

/**
 * The second click of a double click would press what comes to that place next: the next question, call or tool. `at` is
 * when it was pressed, which may be long ago where the page was busy or the button was held down.
 */
export function firstClick(act: (at: number) => void): (event: MouseEvent) => void {
  return ({ detail, timeStamp }) => {
    // Keys and screen readers have no pointer, and so no clicks to count.
    const downAt = detail > 0 ? pointerAt : undefined
    pointerAt = undefined
    if (detail < 2) act(keyAt ?? downAt ?? timeStamp)
  }
}

/** A click is made when the pointer goes down, not when it is let go. */
export function notePress({ timeStamp }: PointerEvent) {
  pointerAt = timeStamp
}

/** Clicks the button as of the time when the key was pressed. */
export function clickByKey(button: HTMLElement, { timeStamp }: KeyboardEvent) {
  keyAt = timeStamp
  button.click()
  keyAt = undefined
}
