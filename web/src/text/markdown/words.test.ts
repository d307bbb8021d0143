import { expect, test } from 'vitest'
import { gist } from './markdown.ts'

test('[U70] what is said or listed in one line has the words of a text without its marks', () => {
  expect(gist('# Report\n**All** _green_,\nsee [the log](https://example.com)')).toBe('Report All green, see the log')
  expect(gist('- one\n  - two\n\n    three\n- [x] done')).toBe('one two three done')
  expect(gist('|a|b|\n|-|-|\n|`1`|~~2~~|\n\n> said\n\n```ts\nconst a = 1\n```')).toBe('a b 1 2 said const a = 1')
  expect(gist('<details><summary>More</summary>a<br>b <b>c</b></details>')).toBe('More a b c')
  expect(gist('Use <Button> \\*now\\* <https://a.b>')).toBe('Use <Button> *now* https://a.b')
  expect(gist('![a *picture*](https://example.com/a.png)\n\n---\n\n[a]: https://example.com')).toBe('a picture')
  expect(gist('x'.repeat(5000))).toHaveLength(400)
})
