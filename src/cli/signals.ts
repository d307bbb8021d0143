/** The first signal closes in good order, the second ends at once. */
export function closeOnSignals(close: () => Promise<void>) {
  let closing = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, async () => {
      if (closing) process.exit(1)
      closing = true
      await close()
      process.exit(0)
    })
}
