import { LineCounter, parseDocument } from 'yaml'
import { remembered } from './remembered.ts'
import { unclear } from './text-format.ts'

export const documentOf = remembered(2, (text) => {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, logLevel: 'error' })
  const [error] = document.errors
  if (error) throw unclear(`is not valid (line ${lineCounter.linePos(error.pos[0]).line})`)
  return document
})
