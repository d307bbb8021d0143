import { type AgentPlace, markOf, SHAPES } from '../../text/agent.ts'

const SIZE = 96

/** The mark of an agent as a picture, for what draws no page. */
export function markIcon(by: string, at: AgentPlace): string {
  const { letters, hue, shape, open } = markOf(by, at)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SIZE
  const draw = canvas.getContext('2d')
  if (!draw) return '/icon-192.png'
  const path = new Path2D(SHAPES[shape])
  const own = `oklch(0.48 0.13 ${hue})`
  draw.scale(SIZE / 24, SIZE / 24)
  draw.lineWidth = 2
  draw.lineJoin = 'round'
  draw.strokeStyle = own
  draw.fillStyle = open ? '#fff' : own
  draw.fill(path)
  draw.stroke(path)
  draw.fillStyle = open ? own : '#fff'
  draw.font = `700 ${letters.length > 2 ? 8.5 : 11.5}px sans-serif`
  draw.textAlign = 'center'
  draw.fillText(letters, 12, 16.2)
  return canvas.toDataURL()
}
