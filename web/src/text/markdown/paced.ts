/** A drawing that takes long rests this many times as long, and never so long that it seems to stand. */
const REST = 4
const LONGEST_REST_MS = 200

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
    rest = Math.min((performance.now() - began) * REST, LONGEST_REST_MS)
  }

  function stop() {
    clearTimeout(timer)
    if (frame !== undefined) cancelAnimationFrame(frame)
  }
}
