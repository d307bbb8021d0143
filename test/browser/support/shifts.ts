import type { Page } from '@playwright/test'

export interface Shift {
  value: number
  /** What moved, and from where to where. */
  moved: string[]
}

/** Notes from now on what moves on screen without anybody having touched the page. */
export async function watchShifts(page: Page) {
  await page.evaluate(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as LayoutShift[]) {
        const grown = sources.filter(isGrown)
        const moved = sources.filter((source) => !isGrown(source) && !grown.some((one) => stays(source, one)))
        if (!hadRecentInput && moved.length > 0) shifts.push({ value, moved: moved.map(nameOf) })
      }
    }).observe({ type: 'layout-shift' })

    interface LayoutShift extends PerformanceEntry {
      value: number
      hadRecentInput: boolean
      sources: Source[]
    }

    interface Source {
      node: Node | null
      previousRect: DOMRectReadOnly
      currentRect: DOMRectReadOnly
    }

    /** Upwards, with its lower edge where it was: what is in it is told by itself, should it move. */
    function isGrown({ previousRect: from, currentRect: to }: Source): boolean {
      return from.left === to.left && from.width === to.width && Math.abs(from.bottom - to.bottom) < 0.5
    }

    /** What keeps its place in one that has grown upwards is told as if it had been taken along first. */
    function stays({ node, previousRect: from, currentRect: to }: Source, grown: Source): boolean {
      const up = grown.previousRect.top - grown.currentRect.top
      return (grown.node?.contains(node) ?? false) && from.left === to.left && Math.abs(to.top - from.top - up) < 0.5
    }

    function nameOf({ node, previousRect: from, currentRect: to }: Source): string {
      const element = node instanceof Element ? node : node?.parentElement
      const name = element ? `${element.tagName.toLowerCase()}.${element.className}` : 'gone'
      const text = node?.textContent?.trim().slice(0, 40) ?? ''
      return `${name} “${text}” ${from.x},${from.y} ${from.width}×${from.height} → ${to.x},${to.y} ${to.width}×${to.height}`
    }
  })
  return { take }

  /** Those since the last time, once everything is drawn. */
  function take(): Promise<Shift[]> {
    return page.evaluate(async () => {
      for (let n = 0; n < 3; n++) await new Promise((drawn) => requestAnimationFrame(drawn))
      // They are told after the frame that they are in.
      await new Promise((told) => setTimeout(told))
      return (window as unknown as { shifts: Shift[] }).shifts.splice(0)
    })
  }
}
