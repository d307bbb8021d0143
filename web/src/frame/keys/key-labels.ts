/** The labels of this machine's keys. */
export function labelsOf(keys: string, mac: boolean): string[] {
  const labels = mac ? MAC : PC
  return keys.split('+').map((key) => labels[key] ?? (key.length === 1 ? key.toUpperCase() : key))
}

const PC: Record<string, string> = { Mod: 'Ctrl', ArrowDown: '↓', ArrowUp: '↑' }
const MAC: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↵', ArrowDown: '↓', ArrowUp: '↑' }
