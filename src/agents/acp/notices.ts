import type { Happening } from '../driver.ts'
import type { Patience } from './patience.ts'

/** What people should know of an agent now: one sentence, until it is true no more. */
export function createNotices(
  name: string,
  { waitMs, silentMs }: Pick<Patience, 'waitMs' | 'silentMs'>,
  happens: (happening: Happening) => void,
) {
  let shown = ''
  let told = ''
  const often = Math.min(waitMs, silentMs)
  const waiting = `Still waiting for ${name}; you can wait, or stop it`
  let silence = ''
  let lastHeard = 0
  let timer: NodeJS.Timeout | undefined
  return { say, clear, heard, watch, unwatch }

  function say(words: string) {
    told = words
    show()
  }

  function clear() {
    silence = ''
    say('')
  }

  function heard() {
    lastHeard = Date.now()
    if (silence === '') return
    silence = ''
    show()
  }

  /** Silence is reported from now on, unless it is the person who lets the agent wait. */
  function watch(isWaiting: () => boolean, running: () => string | undefined) {
    lastHeard = Date.now()
    const look = () => {
      if (isWaiting()) lastHeard = Date.now()
      const silent = Date.now() - lastHeard
      const tool = running()
      const now = silent >= silentMs ? silenceOf(tool) : silent >= waitMs && !tool ? waiting : ''
      if (now !== silence) {
        silence = now
        show()
      }
      const left = [waitMs, silentMs].map((ms) => ms - silent).filter((ms) => ms > 0)
      timer = setTimeout(look, Math.min(often, ...left))
    }
    timer = setTimeout(look, often)
  }

  function silenceOf(tool: string | undefined): string {
    const during = tool ? ` while “${tool}” runs` : ''
    return `${name} has said nothing for ${Math.round(silentMs / 1000)} s${during}; you can wait, or stop it`
  }

  function unwatch() {
    clearTimeout(timer)
    heard()
  }

  function show() {
    const now = silence || told
    if (now === shown) return
    shown = now
    happens({ type: 'notice', text: now })
  }
}

export type Notices = ReturnType<typeof createNotices>
