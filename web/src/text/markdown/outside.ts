const FILES = '/attachments/'
const WEB = ['http:', 'https:', 'mailto:']

/** A link that leads to the web or to a mailbox, beside the page; without an address when it would lead elsewhere. */
export function linkTo(address: string): HTMLAnchorElement {
  const link = document.createElement('a')
  const url = address ? urlOf(address) : undefined
  if (url && WEB.includes(url.protocol)) link.href = url.href
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
  return link
}

/** An image that loads nothing from elsewhere: a remote one would tell its server who reads this and when, and of the hub itself only files are images. [S152] */
export function imageOf(source: string, alt: string): HTMLElement {
  if (!isLocal(source)) return linkToImage(source, alt)
  const image = document.createElement('img')
  image.alt = alt
  image.src = source
  return image
}

function isLocal(source: string): boolean {
  if (source.startsWith('data:image/')) return true
  const { origin, pathname = '' } = urlOf(source) ?? {}
  return origin === location.origin && pathname.startsWith(FILES)
}

function linkToImage(source: string, alt: string): HTMLElement {
  const link = linkTo(source)
  link.textContent = `Image: ${alt || link.host || 'without a source'}`
  return link
}

function urlOf(address: string): URL | undefined {
  return URL.canParse(address, location.href) ? new URL(address, location.href) : undefined
}
