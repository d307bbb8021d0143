import type { Point } from './zoom.ts'

interface Gestures {
  isZoomed: () => boolean
  zoom: (factor: number, at: Point) => void
  move: (by: Point) => void
  /** Goes to the next one, or back. */
  go: (step: 1 | -1) => void
  /** Twice at the same place. */
  doubleTap: (at: Point) => void
}

/** Less is the trembling of a hand. */
const MOVED_PX = 6
const SWIPE_PX = 60
const DOUBLE_MS = 350
const DOUBLE_PX = 30
const WHEEL_PX = 400

/** Gestures of fingers, a mouse and a wheel on the place of a picture. */
export function gestures({ isZoomed, zoom, move, go, doubleTap }: Gestures) {
  return (place: HTMLElement) => {
    const down = new Map<number, Point>()
    let travelled: Point = { x: 0, y: 0 }
    let lastTap = { at: -Infinity, x: 0, y: 0 }
    let hasMoved = false
    let hasPinched = false

    const on: { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void } = {
      pointerdown(event) {
        if (event.button !== 0) return
        if (down.size === 0) {
          travelled = { x: 0, y: 0 }
          hasMoved = hasPinched = false
        }
        down.set(event.pointerId, pointOf(event))
      },
      pointermove(event) {
        const before = down.get(event.pointerId)
        if (!before) return
        const now = pointOf(event)
        const by = { x: now.x - before.x, y: now.y - before.y }
        const other = [...down].find(([id]) => id !== event.pointerId)?.[1]
        down.set(event.pointerId, now)
        travelled = { x: travelled.x + by.x, y: travelled.y + by.y }
        if (!hasMoved && !other && Math.hypot(travelled.x, travelled.y) < MOVED_PX) return
        hasMoved = true
        place.setPointerCapture(event.pointerId)
        if (other) {
          hasPinched = true
          zoom(distance(now, other) / Math.max(1, distance(before, other)), middle(now, other))
        }
        if (isZoomed()) move(other ? { x: by.x / 2, y: by.y / 2 } : by)
      },
      pointerup(event) {
        if (!down.delete(event.pointerId)) return
        if (!hasMoved) tap(event)
        else if (!isZoomed() && !hasPinched && Math.abs(travelled.x) > Math.max(SWIPE_PX, 2 * Math.abs(travelled.y)))
          go(travelled.x < 0 ? 1 : -1)
      },
      pointercancel({ pointerId }) {
        down.delete(pointerId)
      },
      wheel(event) {
        event.preventDefault()
        zoom(Math.exp(-event.deltaY / WHEEL_PX), pointOf(event))
      },
    }
    for (const [name, hear] of Object.entries(on)) place.addEventListener(name, hear as EventListener)
    // A person who drags does not want to close it.
    place.addEventListener('click', (event) => hasMoved && event.stopImmediatePropagation(), { capture: true })
    place.addEventListener('dragstart', (event) => event.preventDefault())

    function tap(event: PointerEvent) {
      const at = pointOf(event)
      const isSecond = event.timeStamp - lastTap.at < DOUBLE_MS && distance(at, lastTap) < DOUBLE_PX
      lastTap = isSecond ? { at: -Infinity, x: 0, y: 0 } : { at: event.timeStamp, ...at }
      if (isSecond && event.target !== place) doubleTap(at)
    }

    function pointOf({ clientX, clientY }: MouseEvent): Point {
      const { left, top, width, height } = place.getBoundingClientRect()
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
    }
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}

function middle(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
}
