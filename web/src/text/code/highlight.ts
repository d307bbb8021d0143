import { reached } from '../../state/hub/reached.ts'
import { whenIdle } from './idle.ts'

/** More takes longer than it is worth. */
const LONGEST = 20_000

/** Colours the code soon, if its language is known. What that takes is loaded for the first block. */
export function highlight(code: HTMLElement, name: string) {
  const text = code.textContent
  if (text.length > LONGEST) return
  whenIdle(async () => {
    // Most blocks that come by while one scrolls are gone before their turn.
    if (!code.isConnected) return
    const coloured = await reached(colouredAs(name, text))
    if (coloured && code.textContent === text) code.replaceChildren(coloured)
  })
}

async function colouredAs(name: string, text: string): Promise<DocumentFragment | undefined> {
  const { colour } = await import('./colour.ts')
  return await colour(text, name)
}
