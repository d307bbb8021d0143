/** Takes text as it comes in pieces, and tells of each whole line. */
export function createLineReader(tell: (line: string) => void) {
  let unfinished = ''
  return (chunk: unknown) => {
    const lines = (unfinished + chunk).split('\n')
    unfinished = lines.pop() ?? ''
    for (const line of lines) tell(line)
  }
}
