import './review.css'
import { mount, unmount, untrack } from 'svelte'
import type { Change } from '../text/changes/changes.ts'
import { finderOf, type Numbering, type Spot } from '../text/changes/spots.ts'
import { GROWN } from '../text/code/growing-frame.ts'
import LineRemark from './LineRemark.svelte'
import type { Review } from './review.svelte.ts'

interface Parts {
  review: Review
  /** The number of the change in its entry. */
  change: number
  numbering: Numbering
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * Numbers the lines of a change and lets the person comment on them: by a press on a number, or by one button that stands
 * where the pointer or the arrows bring it. What was said stands below its line.
 */
export function commentable(frame: HTMLElement, { review, change, numbering }: Parts): () => void {
  const code = frame.querySelector('code') ?? frame
  const button = document.createElement('button')
  const shown = new Map<number, () => void>()
  const listening = new AbortController()
  let lines: HTMLElement[] = []
  let spots: (Spot | undefined)[] = []
  let spotOf = finderOf(numbering)
  button.type = 'button'
  button.className = 'comment'
  for (const [event, act] of Object.entries({ click: press, pointerover: hover, keydown: walk })) {
    frame.addEventListener(event, act as EventListener, { signal: listening.signal })
  }
  frame.addEventListener(GROWN, grow, { signal: listening.signal })
  frame.classList.add('numbered')
  // Remarks below a line are as wide as what is seen of it, however wide the lines are.
  const widths = new ResizeObserver(() => code.style.setProperty('--seen', `${code.parentElement?.clientWidth}px`))
  if (code.parentElement) widths.observe(code.parentElement)
  number()
  $effect(show)
  return () => {
    widths.disconnect()
    listening.abort()
    clear()
  }

  function number() {
    lines = []
    spots = []
    spotOf = finderOf(numbering)
    add([...code.querySelectorAll<HTMLElement>(':scope > span:not(.lines), :scope > .lines > span')])
    standFirst()
  }

  function add(fresh: HTMLElement[]) {
    for (const node of fresh) {
      const spot = spotOf(changeOf(node))
      lines.push(node)
      spots.push(spot)
      // Where in its file an edit is, nobody has told.
      if (spot) node.setAttribute('data-line', numbering.by === 'edit' ? '' : `${spot.line ?? ''}`)
    }
  }

  /** Lines that have just come. */
  function grow(event: Event) {
    add((event as CustomEvent<HTMLElement[]>).detail)
    if (!button.parentNode) standFirst()
    untrack(show)
  }

  function standFirst() {
    stand(spots.findIndex((spot) => spot !== undefined))
  }

  function show() {
    const wanted = review.remarks.filter((remark) => remark.change === change && remark.line < lines.length)
    for (const [line, remove] of shown) if (!wanted.some((remark) => remark.line === line)) remove()
    for (const { line } of wanted) if (!shown.has(line)) showAt(line)
  }

  function showAt(line: number) {
    const target = document.createElement('div')
    target.className = 'remark'
    lines[line]?.after(target)
    const part = mount(LineRemark, { target, props: { review, change, line, onleave: () => stand(line, 'focus') } })
    shown.set(line, () => {
      shown.delete(line)
      target.remove()
      void unmount(part)
    })
  }

  function clear() {
    for (const remove of [...shown.values()]) remove()
  }

  /** The button stands at this line now. */
  function stand(line: number, how?: 'focus') {
    const spot = spots[line]
    if (!spot) return
    button.ariaLabel = `Comment on ${spot.where}`
    button.dataset.place = `${line}`
    // A press on what is moved would be lost.
    if (button.parentNode !== lines[line]) lines[line]?.prepend(button)
    if (how) button.focus()
  }

  function begin(line: number) {
    const [spot, node] = [spots[line], lines[line]]
    if (!spot || !node) return
    if (!review.at(change, line)) {
      review.write({ change, line, where: spot.where, code: node.textContent, text: '' })
      show()
    }
    node.nextElementSibling?.querySelector<HTMLElement>('textarea, button')?.focus()
  }

  function press(event: MouseEvent) {
    const { target } = event
    // A finger may be on the number of another line; the keyboard is nowhere.
    if (target === button)
      return begin((event.detail > 0 ? lineAt(event.clientY) : undefined) ?? Number(button.dataset.place))
    if (target instanceof Element && target.matches('.show-all')) {
      clear()
      number()
      return show()
    }
    const line = lineOf(target)
    if (line !== undefined && isInGutter(event, line)) begin(line)
  }

  function hover({ target }: Event) {
    const line = lineOf(target)
    if (line !== undefined && document.activeElement !== button) stand(line)
  }

  function walk(event: KeyboardEvent) {
    const step = STEPS[event.key]
    if (event.target !== button || !step || event.altKey || event.ctrlKey || event.metaKey) return
    let next = Number(button.dataset.place) + step
    while (spots.length > next && next >= 0 && !spots[next]) next += step
    stand(next, 'focus')
    event.preventDefault()
    event.stopPropagation()
  }

  function lineOf(target: EventTarget | null): number | undefined {
    const node = target instanceof Element ? target.closest<HTMLElement>('[data-line]') : undefined
    const line = node ? lines.indexOf(node) : -1
    return line < 0 ? undefined : line
  }

  function lineAt(y: number): number | undefined {
    // Near the button: of many lines it would take long to know where each is.
    const near = [...(button.closest('.lines') ?? code).children].find((node) => {
      const { top, bottom } = node.getBoundingClientRect()
      return node !== button && top <= y && y < bottom
    })
    const line = near instanceof HTMLElement ? lines.indexOf(near) : -1
    return spots[line] && line
  }

  function isInGutter({ clientX }: MouseEvent, line: number): boolean {
    const node = lines[line] ?? frame
    return clientX < node.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(node).paddingLeft)
  }
}

/** A line says in its class what it is. */
function changeOf({ className, textContent }: HTMLElement): Change {
  return { kind: className as Change['kind'], text: textContent }
}
