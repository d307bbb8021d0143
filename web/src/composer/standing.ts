import type { Attachment } from 'svelte/attachments'
import type { Place, Steady } from '../state/steady.svelte.ts'

/** So much of it must be on screen. */
const HALF = 0.5
/** A move by a few pixels crosses one of them. */
const STEPS = Array.from({ length: 101 }, (_, n) => n / 100)

/** Tells where the buttons stand that decide, whenever they move, and whenever somebody comes to look at them. */
export function standing(steady: Steady): Attachment<HTMLElement> {
  return (row) => {
    const listening = new AbortController()
    const { signal } = listening
    let inView = false
    let moves: IntersectionObserver | undefined
    const view = new IntersectionObserver(
      (seen) => {
        inView = (seen.at(-1)?.intersectionRatio ?? 0) >= HALF
        look()
      },
      { threshold: HALF },
    )
    view.observe(row)
    const sizes = new ResizeObserver(look)
    row.addEventListener('scroll', look, { passive: true, signal })
    for (const event of ['focus', 'blur']) addEventListener(event, look, { signal })
    document.addEventListener('visibilitychange', look, { signal })
    // What closes was in front of it.
    document.addEventListener('close', () => steady.restart(), { capture: true, signal })
    const unwatch = steady.watch(look)
    return () => {
      listening.abort()
      for (const observer of [view, sizes, moves]) observer?.disconnect()
      unwatch()
    }

    function look() {
      const isLookedAt = inView && document.visibilityState === 'visible' && document.hasFocus()
      if (steady.see(isLookedAt ? placeOf(row) : undefined) && isLookedAt) watchMoves()
    }

    /** Within edges that are its own, no move of it stays unseen. */
    function watchMoves() {
      const { top, right, bottom, left } = row.getBoundingClientRect()
      const { clientWidth, clientHeight } = document.documentElement
      const edges = [top, clientWidth - right, clientHeight - bottom, left].map((edge) => `${-Math.floor(edge)}px`)
      for (const observer of [moves, sizes]) observer?.disconnect()
      moves = new IntersectionObserver(look, { root: document, rootMargin: edges.join(' '), threshold: STEPS })
      moves.observe(row)
      for (const node of partsOf(row)) sizes.observe(node)
    }
  }
}

/** It, and what it offers. */
function partsOf(row: HTMLElement): Element[] {
  return [row, ...row.querySelectorAll('[data-option]')]
}

function placeOf(row: HTMLElement): Place {
  return partsOf(row).flatMap((node) => {
    const { left, top, width, height } = node.getBoundingClientRect()
    return [left, top, width, height]
  })
}
