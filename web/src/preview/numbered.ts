import { whenIdle } from '../text/code/idle.ts'
import { make } from '../text/markdown/make.ts'
import { visible } from '../text/visible.ts'
import type { Block } from './blocks.ts'

/** The lines with their numbers, which nobody copies along; coloured soon, if the language is known. */
export function numbered({ first, continues, lines }: Block, language: string | undefined): HTMLElement {
  const code = make('code')
  const shown = lines.map(visible)
  const texts = shown.map((text) => lineOf(text))
  code.style.counterReset = `line ${continues ? first : first - 1}`
  code.append(...texts.map(({ line }) => line))
  if (continues) code.firstElementChild?.classList.add('continued')
  if (language) whenIdle(() => paint(code, language))
  return code

  async function paint(code: HTMLElement, language: string) {
    // Most blocks that come by while one scrolls are gone before their turn.
    if (!code.isConnected) return
    const { colourLines } = await import('../text/code/colour.ts')
    const coloured = await colourLines(shown.join('\n'), language)
    for (const [place, line] of (coloured ?? []).entries()) texts[place]?.text.replaceChildren(line)
  }
}

function lineOf(words: string) {
  const line = make('span')
  const text = make('span')
  line.className = 'line'
  text.textContent = words
  line.append(text)
  return { line, text }
}
