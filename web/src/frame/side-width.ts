const NAME = '--side-width'

/** The width of the sidebar as the styles have it. `web/public/theme.js` says it before anything is drawn. */
export const sideWidth = {
  show(rem: number | undefined) {
    const { style } = document.documentElement
    if (rem === undefined) style.removeProperty(NAME)
    else style.setProperty(NAME, `${rem}rem`)
  },

  /** The width of the sidebar that this is in, in rem. */
  drawn(part: HTMLElement): number {
    return sideWidth.inRem(part.parentElement?.getBoundingClientRect().width ?? 0)
  },

  inRem(px: number): number {
    return px / Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  },
}
