/** A drawing that takes long is left to rest so many times as long. */
const REST = 6

/** Draws once a frame at most, and what takes long more seldom, so that the page stays quick. */
export function paced(draw: () => void) {
  let frame: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let rest = 0
  return { want, stop }

  function want() {
    if (frame !== undefined || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      frame = requestAnimationFrame(run)
    }, rest)
  }

  function run() {
    frame = undefined
    const began = performance.now()
    draw()
    // Most of it is the layout, which would come after this otherwise.
    rest = (performance.now() - began) * REST
  }

  function stop() {
    clearTimeout(timer)
    if (frame !== undefined) cancelAnimationFrame(frame)
  }
}
