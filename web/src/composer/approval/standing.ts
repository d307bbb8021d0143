import type { Attachment } from 'svelte/attachments'
import { clickByKey, notePress } from '../../frame/first-click.ts'
import { loneLetters } from '../../frame/keys/lone-letters.ts'
import type { Position, Steady } from '../../state/conversation/steady.svelte.ts'

/** The share of it that must be on screen. */
const HALF = 0.5
/** A move by a few pixels crosses one of them. */
const STEPS = Array.from({ length: 101 }, (_, n) => n / 100)
/** Covers may go away without telling. */
const UNCOVERED_MS = 100

/** Tells where the buttons stand that decide, whenever they move, and whenever somebody comes to look at them. */
export function standing(steady: Steady): Attachment<HTMLElement> {
  return (row) => {
    const listening = new AbortController()
    const { signal } = listening
    let inView = false
    let moves: IntersectionObserver | undefined
    let again: ReturnType<typeof setTimeout> | undefined
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
    row.addEventListener('pointerdown', notePress, { signal })
    row.addEventListener('keydown', pressByKey, { signal })
    for (const event of ['focus', 'blur']) addEventListener(event, look, { signal })
    document.addEventListener('visibilitychange', look, { signal })
    document.addEventListener('toggle', look, { capture: true, signal })
    // The closed dialog was in front of it.
    document.addEventListener('close', () => steady.restart(), { capture: true, signal })
    const unwatch = steady.watch(look)
    return () => {
      listening.abort()
      clearTimeout(again)
      for (const observer of [view, sizes, moves]) observer?.disconnect()
      unwatch()
    }

    function look() {
      clearTimeout(again)
      const isCovered = inView && isUnder(row)
      if (isCovered) again = setTimeout(look, UNCOVERED_MS)
      const isLookedAt = inView && !isCovered && document.visibilityState === 'visible' && document.hasFocus()
      if (steady.see(isLookedAt ? placeOf(row) : undefined) && isLookedAt) watchMoves()
    }

    /** The observer's margins are the row's own edges, so that no move of it stays unseen. */
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

/** A key presses when it goes down, and once, however long it is held. */
function pressByKey(event: KeyboardEvent) {
  const { key, target, ctrlKey, metaKey, altKey } = event
  if ((key !== 'Enter' && key !== ' ') || ctrlKey || metaKey || altKey || event.defaultPrevented) return
  if (!(target instanceof HTMLButtonElement) || (key === ' ' && loneLetters.isPending)) return
  event.preventDefault()
  if (!event.repeat) clickByKey(target, event)
}

/** Whether something is in front of it: a menu, a sheet, a dialog, a note. */
function isUnder(row: HTMLElement): boolean {
  const bounds = row.getBoundingClientRect()
  return partsOf(row).some((node) => {
    const { left, top, width, height } = node.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    // It may have been scrolled away within its row.
    if (x < bounds.left || x > bounds.right || y < bounds.top || y > bounds.bottom) return false
    const front = document.elementFromPoint(x, y)
    return front !== null && !row.contains(front)
  })
}

/** It, and what it offers. */
function partsOf(row: HTMLElement): Element[] {
  return [row, ...row.querySelectorAll('[data-option]')]
}

function placeOf(row: HTMLElement): Position {
  return partsOf(row).flatMap((node) => {
    const { left, top, width, height } = node.getBoundingClientRect()
    return [left, top, width, height]
  })
}
