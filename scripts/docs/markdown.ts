/** A cell of a table: one line, in which a bar is no border. */
export function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')
}

export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The parts of a page, with a blank line between them. */
export function page(...parts: (string | undefined | false)[]): string {
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

export function code(text: string): string {
  return `\`${text}\``
}

export function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}

/** The anchor that a heading gets, on GitHub and on the site. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
}

/** The first letter as at the start of a sentence, and a full stop at its end. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?…:]$/.test(whole) ? whole : `${whole}.`
}
