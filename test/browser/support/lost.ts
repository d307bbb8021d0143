/**
 * Runs in the page. What nobody can read or press there: what is cut off without a sign of it, and what scrolling does not
 * bring on top of everything. Where a dialog or a menu is open only what is in it counts.
 */
export function lostIn(part: Element): string[] {
  const lost: string[] = []
  const on = [...part.querySelectorAll('dialog[open], :popover-open')].at(-1) ?? part
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth > clientWidth) lost.push(`the page is ${scrollWidth} wide`)
  for (const node of on.querySelectorAll<HTMLElement>('*')) {
    if (isSeen(node)) lost.push(...faultsOf(node))
  }
  return lost

  function faultsOf(node: HTMLElement): string[] {
    const { overflowX, overflowY, textOverflow, webkitLineClamp } = getComputedStyle(node)
    const cuts = ['hidden', 'clip']
    const wide = node.scrollWidth > node.clientWidth + 1 && cuts.includes(overflowX) && textOverflow !== 'ellipsis'
    const high = node.scrollHeight > node.clientHeight + 2 && cuts.includes(overflowY) && webkitLineClamp === 'none'
    if (wide || high) return [`cut: ${nameOf(node)}`]
    if (!node.matches('button, input, textarea, a[href], summary, select, [role=option]')) return []
    return canBePressed(node) ? [] : [`out of reach: ${nameOf(node)}`]
  }

  function isSeen(node: HTMLElement): boolean {
    const { width, height } = node.getBoundingClientRect()
    // What is for ears only is a pixel, or clipped away.
    const forEars = node.closest('.aside') || getComputedStyle(node).clipPath !== 'none'
    return (
      width > 1 && height > 1 && !forEars && node.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
  }

  /** At its middle, or at the end of it that what covers it leaves free: of long fields not all is on screen at once. */
  function canBePressed(node: HTMLElement): boolean {
    const label = node instanceof HTMLInputElement ? node.labels?.[0] : undefined
    return ['center', 'start', 'end'].some((block) => {
      node.scrollIntoView({ block: block as ScrollLogicalPosition, inline: 'nearest' })
      const { left, right, top, bottom } = (label ?? node).getBoundingClientRect()
      if (left < -1 || right > innerWidth + 1) return false
      return [0.5, 0.15, 0.85].some((part) => {
        const at = document.elementFromPoint((left + right) / 2, top + (bottom - top) * part)
        return at !== null && (node.contains(at) || label?.contains(at) === true || at.closest('a, button') === node)
      })
    })
  }

  function nameOf(node: HTMLElement): string {
    const words = node.ariaLabel ?? node.textContent ?? ''
    return `${node.localName}.${node.classList[0] ?? ''} ${words.trim().replace(/\s+/g, ' ').slice(0, 40)}`
  }
}
