/** The second click of a double click would press what comes to that place next: the next question, call or tool. */
export function firstClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    if (detail < 2) act()
  }
}
