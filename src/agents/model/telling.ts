import { randomUUID } from 'node:crypto'
import type { Happening } from '../driver.ts'

export type Telling = ReturnType<typeof createTelling>

/** What one step of a model says and thinks, told as it comes. */
export function createTelling(happens: (happening: Happening) => void, { strict }: { strict: boolean }) {
  const text = createVoice((words, message) => happens({ type: strict ? 'thought' : 'text', text: words, message }))
  const thought = createVoice((words, message) => happens({ type: 'thought', text: words, message }))
  return { text, thought, finish, again }

  function finish() {
    text.finish()
    thought.finish()
  }

  /** The step was cut and is taken again. */
  function again() {
    text.again()
    thought.again()
  }
}

/** Words that a model repeats after a cut are not told again. */
function createVoice(tell: (words: string, message: string) => void) {
  let message = randomUUID()
  let said = ''
  let before = ''
  /** Text that may be a repetition of what was said before. */
  let heard = ''
  let repeats = false
  return { begin, hear, finish, again, said: () => said, repeats: () => repeats }

  function begin() {
    if (before === '' && said !== '') message = randomUUID()
  }

  function hear(words: string) {
    if (words === '') return
    if (before === '') return speak(words)
    heard += words
    if (before.startsWith(heard)) return
    repeats = heard.startsWith(before)
    const fresh = repeats ? heard.slice(before.length) : heard
    before = ''
    heard = ''
    speak(fresh)
  }

  function finish() {
    repeats ||= heard !== '' && heard === before
    if (heard !== '' && !repeats) speak(heard)
    before = ''
    heard = ''
  }

  function again() {
    before = said
    heard = ''
    repeats = false
  }

  function speak(words: string) {
    said += words
    tell(words, message)
  }
}
