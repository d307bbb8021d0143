const ICON = '/favicon.svg'
const MOST = 99

/** The open questions on the icon of the tab, and on that of the installed page. */
export function showBadge(count: number) {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link) link.href = count > 0 ? iconWith(count > MOST ? `${MOST}+` : `${count}`) : ICON
  navigator.setAppBadge?.(count).catch(declined)
}

/** Only an installed page has such an icon. */
function declined(error: unknown) {
  if (!(error instanceof DOMException)) throw error
}

/** A bubble that is all number: on sixteen pixels there is no room for both. */
function iconWith(label: string): string {
  const size = 29 - 5 * label.length
  return `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#c2410c" d="M8 1h16a7 7 0 0 1 7 7v23l-6-5H8a7 7 0 0 1-7-7V8a7 7 0 0 1 7-7z"/><text x="16" y="${13.5 + size * 0.36}" fill="#fff" font-family="sans-serif" font-size="${size}" font-weight="700" text-anchor="middle">${label}</text></svg>`,
  )}`
}
