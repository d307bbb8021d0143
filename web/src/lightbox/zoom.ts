/** How much larger than fitting it is, and how far its middle is from that of the frame. */
export interface Zoom {
  scale: number
  x: number
  y: number
}

interface Size {
  width: number
  height: number
}

/** The place for a picture, and the picture as it fits into it. */
export interface Frame extends Size {
  picture: Size
}

/** A point, as seen from the middle of the frame. */
export interface Point {
  x: number
  y: number
}

export const FITTING: Zoom = { scale: 1, x: 0, y: 0 }
const LARGEST = 8

/** The part of the picture at the point stays there. */
export function zoomed(zoom: Zoom, factor: number, at: Point, frame: Frame): Zoom {
  const scale = Math.min(LARGEST, Math.max(1, zoom.scale * factor))
  const grown = scale / zoom.scale
  return within({ scale, x: at.x - (at.x - zoom.x) * grown, y: at.y - (at.y - zoom.y) * grown }, frame)
}

export function moved({ scale, x, y }: Zoom, by: Point, frame: Frame): Zoom {
  return within({ scale, x: x + by.x, y: y + by.y }, frame)
}

/** No edge of it comes farther in than it has to. */
function within({ scale, x, y }: Zoom, { width, height, picture }: Frame): Zoom {
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
