/** The labels of this machine's keys. */
export function labelsOf(keys: string, mac: boolean): string[] {
  const labels = mac ? MAC : PC
  return keys.split('+').flatMap((key) => {
    if (key.length > 1) return labels[key] ?? key
    const isShifted = key !== key.toLowerCase()
    return isShifted ? [labels.Shift ?? 'Shift', key] : key.toUpperCase()
  })
}

const PC: Record<string, string> = { Mod: 'Ctrl', ArrowDown: '↓', ArrowUp: '↑' }
const MAC: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↵', ArrowDown: '↓', ArrowUp: '↑' }
