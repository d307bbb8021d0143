import type { Attachment } from 'svelte/attachments'

/** Less than a line: what is below its last one is padding, which a caret at the end leaves out. */
const NEARLY_PX = 18
/** The part of what was last read that stays on screen. */
const OVERLAP_PX = 24

/** Tells whether the end of something long is on screen, whatever it is that scrolls: itself, or the dock under its buttons. */
export function watchEnd(
  buttons: () => HTMLElement | undefined,
  tell: (atEnd: boolean) => void,
): Attachment<HTMLElement> {
  return (long) => {
    const dock = dockOf(long)
    // Nothing is seen on a page that nobody looks at.
    const look = () => document.hidden || tell(isEndSeen(long, buttons()))
    // Scroll events do not bubble.
    dock.addEventListener('scroll', look, { capture: true, passive: true })
    const sizes = new ResizeObserver(look)
    // It also tells of the first sizes, when everything is in its place.
    for (const node of [long, dock]) sizes.observe(node)
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      dock.removeEventListener('scroll', look, { capture: true })
      sizes.disconnect()
    }
  }
}

/** One screen of it further. */
export function scrollOn(long: HTMLElement, buttons: HTMLElement | undefined) {
  const scroller = isScrolling(long) ? long : dockOf(long)
  const { top } = scroller.getBoundingClientRect()
  const seen = Math.min(scroller.clientHeight, (buttons?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) - top)
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  scroller.scrollBy({ top: Math.max(OVERLAP_PX, seen - OVERLAP_PX), behavior: calm ? 'auto' : 'smooth' })
}

/** Its end is on screen, and at least a line of it: where there is no room, nothing was seen. */
export function isEndSeen(long: HTMLElement, buttons: HTMLElement | undefined): boolean {
  const within = long.scrollHeight - long.scrollTop - long.clientHeight
  const { top, bottom } = long.getBoundingClientRect()
  const dock = dockOf(long).getBoundingClientRect()
  const cover = Math.min(buttons?.getBoundingClientRect().top ?? bottom, dock.bottom, innerHeight)
  const room = Math.min(bottom, cover) - Math.max(top, dock.top, 0)
  return Math.max(within, bottom - cover) <= NEARLY_PX && room >= NEARLY_PX
}

function isScrolling({ scrollHeight, clientHeight }: HTMLElement): boolean {
  return scrollHeight - clientHeight > NEARLY_PX
}

function dockOf(node: HTMLElement): HTMLElement {
  return node.closest('section') ?? node
}
