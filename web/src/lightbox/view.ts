/** How much larger than fitting it is, and how far its middle is from that of the room. */
export interface View {
  scale: number
  x: number
  y: number
}

interface Size {
  width: number
  height: number
}

/** The place for a picture, and the picture as it fits into it. */
export interface Room extends Size {
  picture: Size
}

/** Seen from the middle of the room. */
export interface Point {
  x: number
  y: number
}

export const FITTING: View = { scale: 1, x: 0, y: 0 }
const LARGEST = 8

/** The part of the picture at the point stays there. */
export function zoomed(view: View, factor: number, at: Point, room: Room): View {
  const scale = Math.min(LARGEST, Math.max(1, view.scale * factor))
  const grown = scale / view.scale
  return within({ scale, x: at.x - (at.x - view.x) * grown, y: at.y - (at.y - view.y) * grown }, room)
}

export function moved({ scale, x, y }: View, by: Point, room: Room): View {
  return within({ scale, x: x + by.x, y: y + by.y }, room)
}

/** No edge of it comes farther in than it has to. */
function within({ scale, x, y }: View, { width, height, picture }: Room): View {
  return {
    scale,
    x: between(x, (picture.width * scale - width) / 2),
    y: between(y, (picture.height * scale - height) / 2),
  }
}

function between(value: number, most: number): number {
  const limit = Math.max(0, most)
  return Math.min(limit, Math.max(-limit, value))
}
