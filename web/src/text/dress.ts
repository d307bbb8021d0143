/** Makes clean HTML fit for the timeline: links that lead out, images that load nothing, code one can copy. */
export function dress(fragment: DocumentFragment) {
  for (const link of fragment.querySelectorAll('a')) openOutside(link)
  for (const image of fragment.querySelectorAll('img')) if (!isLocal(image)) image.replaceWith(linkTo(image))
  for (const box of fragment.querySelectorAll('input')) box.replaceWith(taskMark(box.checked))
  for (const table of fragment.querySelectorAll('table')) scrollInside(table)
  for (const code of fragment.querySelectorAll('pre')) addCopy(code)
}

function openOutside(link: HTMLAnchorElement) {
  link.target = '_blank'
  link.rel = 'noopener noreferrer'
}

/** A remote image would tell its server who reads this and when. */
function isLocal(image: HTMLImageElement): boolean {
  const source = image.getAttribute('src') ?? ''
  return source.startsWith('data:image/') || URL.parse(source, location.href)?.origin === location.origin
}

function linkTo(image: HTMLImageElement): HTMLElement {
  const link = document.createElement('a')
  const source = URL.parse(image.getAttribute('src') ?? '')
  if (source?.protocol === 'https:' || source?.protocol === 'http:') link.href = source.href
  link.textContent = `Image: ${image.alt || source?.host || 'without a source'}`
  openOutside(link)
  return link
}

function taskMark(done: boolean): HTMLElement {
  const mark = document.createElement('span')
  mark.className = done ? 'task done' : 'task'
  mark.role = 'img'
  mark.ariaLabel = done ? 'Done' : 'To do'
  return mark
}

function scrollInside(table: HTMLTableElement) {
  const frame = document.createElement('div')
  frame.className = 'table'
  // A region that scrolls must be reachable without a mouse.
  frame.tabIndex = 0
  frame.role = 'group'
  frame.ariaLabel = 'Table'
  table.replaceWith(frame)
  frame.append(table)
}

function addCopy(code: HTMLPreElement) {
  const frame = document.createElement('div')
  frame.className = 'code'
  code.replaceWith(frame)
  const bar = document.createElement('div')
  bar.className = 'bar'
  const language = /language-([\w+#.-]+)/.exec(code.firstElementChild?.className ?? '')?.[1]
  const name = document.createElement('span')
  name.textContent = language ?? 'text'
  bar.append(name)
  // Browsers give a page the clipboard only on localhost or over HTTPS.
  if (navigator.clipboard) bar.append(copyButton(code))
  code.tabIndex = 0
  frame.append(bar, code)
}

function copyButton(code: HTMLPreElement): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 1500)
  })
  return button
}
