let left: (() => void)[] = []

/** What nobody waits for comes last: once all that follows from what was heard in this turn of the event loop is done. */
export function atEndOfTurn(act: () => void) {
  if (left.push(act) === 1) process.nextTick(actAll)
}

function actAll() {
  const all = left
  left = []
  for (const act of all) act()
}
