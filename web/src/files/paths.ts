import { whenIdle } from '../text/code/idle.ts'

const PART = '[\\w@+-][\\w@+.-]*'
const PLACE = '(?::(\\d{1,7})(?::\\d+)?|#L(\\d{1,7}))?'
/** In prose only what has a slash and an ending: much else is written with slashes. */
const IN_WORDS = new RegExp(
  `(?<![\\w/:@.~-])((?:\\.{0,2}/|)(?:${PART}/)+${PART}\\.[A-Za-z]\\w{0,9})${PLACE}(?![\\w/])`,
  'g',
)
/** What stands as code may be a name alone. */
const AS_CODE = new RegExp(`^((?:\\.{0,2}/|)(?:[\\w@+.-]+/)*[\\w@+.-]*\\.?\\w+)${PLACE}$`)
const HAS_ENDING = /\/|\w\.[A-Za-z]\w{0,9}$/

interface PathAt {
  path: string
  line?: number
}

/** The path that a piece of code is, if it looks like one. */
export function pathIn(code: string): PathAt | undefined {
  const [, path, line, other] = AS_CODE.exec(code.trim()) ?? []
  return path === undefined || !HAS_ENDING.test(path) ? undefined : { path, ...lineOf(line ?? other) }
}

/** The paths in words, and where they stand. */
export function pathsIn(text: string): (PathAt & { from: number; to: number })[] {
  return Array.from(text.matchAll(IN_WORDS), ({ 0: whole, 1: path = '', 2: line, 3: other, index }) => {
    return { path, ...lineOf(line ?? other), from: index, to: index + whole.length }
  })
}

function lineOf(digits: string | undefined) {
  return digits === undefined ? {} : { line: Number(digits) }
}

/** Makes links of the paths in the texts of a part of the page, as they come. */
export function offerPaths(part: HTMLElement, open: (at: PathAt) => void): () => void {
  const meant = new WeakMap<Element, PathAt>()
  let isDue = false
  const observer = new MutationObserver(lookSoon)
  observer.observe(part, { childList: true, subtree: true })
  part.addEventListener('click', follow)
  part.addEventListener('keydown', press)
  lookSoon()
  return () => {
    observer.disconnect()
    part.removeEventListener('click', follow)
    part.removeEventListener('keydown', press)
  }

  function lookSoon() {
    if (isDue) return
    isDue = true
    whenIdle(() => {
      isDue = false
      look()
    })
  }

  /** What still grows is drawn again, and is looked at when it is done. */
  function look() {
    for (const text of part.querySelectorAll('article:not([aria-busy]) .markdown')) {
      for (const code of text.querySelectorAll('code:not(pre code, a code, .path)')) {
        const at = pathIn(code.textContent)
        if (at) offer(code, at)
      }
      for (const words of wordsIn(text)) wrap(words)
    }
    observer.takeRecords()
  }

  function wrap(words: Text) {
    for (const { from, to, ...at } of pathsIn(words.data).reverse()) {
      const rest = words.splitText(from)
      rest.splitText(to - from)
      const link = document.createElement('span')
      rest.replaceWith(link)
      link.append(rest)
      offer(link, at)
    }
  }

  function offer(element: Element, at: PathAt) {
    meant.set(element, at)
    element.classList.add('path')
    element.setAttribute('role', 'link')
    element.setAttribute('tabindex', '0')
  }

  function follow(event: Event) {
    const { target } = event
    const at = target instanceof Element ? meant.get(target.closest('.path') ?? target) : undefined
    if (!at || getSelection()?.isCollapsed === false) return
    event.preventDefault()
    open(at)
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Enter') follow(event)
  }
}

function wordsIn(text: Element): Text[] {
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (walker.nextNode()) {
    const { currentNode: words } = walker
    if (
      words instanceof Text &&
      words.data.includes('/') &&
      !words.parentElement?.closest('a, code, pre, button, .path')
    )
      found.push(words)
  }
  return found
}
