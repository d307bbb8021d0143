const WAITING = 'Still waiting for the model; you can wait, or stop it'

/** Tells people that nothing comes, until something does. */
export function watchSilence(silentMs: number, notice: (text: string) => void) {
  let isShown = false
  let timer = setTimeout(show, silentMs)
  return { heard, end }

  function show() {
    isShown = true
    notice(WAITING)
  }

  function heard() {
    end()
    timer = setTimeout(show, silentMs)
  }

  function end() {
    clearTimeout(timer)
    if (isShown) notice('')
    isShown = false
  }
}
