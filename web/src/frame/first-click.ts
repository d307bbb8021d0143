let keyAt: number | undefined

/**
 * The second click of a double click would press what comes to that place next: the next question, call or tool. `at` is
 * when it was pressed, which may be long ago where the page was busy.
 */
export function firstClick(act: (at: number) => void): (event: MouseEvent) => void {
  return ({ detail, timeStamp }) => {
    if (detail < 2) act(keyAt ?? timeStamp)
  }
}

/** As a click, made when the key was pressed. */
export function clickByKey(button: HTMLElement, { timeStamp }: KeyboardEvent) {
  keyAt = timeStamp
  button.click()
  keyAt = undefined
}
