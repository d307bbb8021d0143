import { expect, test } from 'vitest'
import { paragraphIn, withoutParagraph, withParagraph } from './paragraph.ts'

const BEGIN = '<!-- parley:begin -->'
const END = '<!-- parley:end -->'

/** Texts that have a mark of their own already. */
const TEXTS = [
  'One.\nThe mark `<!-- parley:begin -->` starts it.\nKeep me\n',
  `One.\n${BEGIN}\nwithout an end\n`,
  `${END}\nKeep me\n`,
  `a\r\n${BEGIN} b ${END}\r\nc\r\n`,
  '',
]

test.each(TEXTS)('[C242] a text that names its marks loses nothing: %j', (text) => {
  const once = withParagraph(text, 'Ask here.')
  expect(paragraphIn(once)).toBe('Ask here.')
  expect(withParagraph(once, 'Ask there.')).toBe(once.replace('Ask here.', 'Ask there.'))
  expect(withoutParagraph(once)).toBe(text)
  expect(withoutParagraph(`${once}More\n`)).toContain('More\n')
  expect(withoutParagraph(text)).toBe(text)
})

test.each(['  ', '\ufeff', '\r\n\t'])('[C204] behind %j alone a paragraph is found again', (text) => {
  const once = withParagraph(text, 'Ask here.')
  expect(once.startsWith(text)).toBe(true)
  expect(withParagraph(once, 'Ask here.')).toBe(once)
  expect(withoutParagraph(once).trim()).toBe('')
})
