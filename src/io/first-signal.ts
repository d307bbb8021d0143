/** Calls back at the first signal to end; the second one ends the process at once. */
export function onFirstSignal(end: () => unknown) {
  let told = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (told) process.exit(1)
      told = true
      end()
    })
}
