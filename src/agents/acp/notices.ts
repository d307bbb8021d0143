import type { Happening } from '../driver.ts'

/** What people should know of an agent now: one sentence, until it is true no more. */
export function createNotices(name: string, silentMs: number, happens: (happening: Happening) => void) {
  let shown = ''
  let told = ''
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
      const left = lastHeard + silentMs - Date.now()
      if (left <= 0 && silence === '') {
        const tool = running()
        const during = tool ? ` while “${tool}” runs` : ''
        silence = `${name} has said nothing for ${Math.round(silentMs / 1000)} s${during}; you can wait, or stop it`
        show()
      }
      timer = setTimeout(look, left > 0 ? left : silentMs)
    }
    timer = setTimeout(look, silentMs)
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
