import { expect, test } from 'vitest'
import { plainWords } from '../../src/chat/reading/plain-words.ts'
import { safeHtml } from '../../src/export/safe-html.ts'
import { safeMarkdown } from '../../src/export/safe-markdown.ts'
import { tokensOf } from '../../src/protocol/text/markdown.ts'
import { LONGEST_PROSE } from '../../src/protocol/text/tame.ts'
import { HOSTILE_MARKDOWN } from '../support/fuzz/hostile-markdown.ts'

/** Up to where a parser looks at it, and beyond. */
const SIZES = [1000, 10_000, LONGEST_PROSE - 200, 2 * LONGEST_PROSE]
/**
 * Of this thread, so that a busy machine changes little. Ten times what the slowest takes; what is quadratic took ten
 * times as long as this, or never ended.
 */
const ENDS_MS = 2000

const WORK: Record<string, (text: string) => unknown> = {
  'is drawn': tokensOf,
  'is exported as HTML': safeHtml,
  'is exported as Markdown': safeMarkdown,
  'is found': plainWords,
}

test.each(Object.keys(HOSTILE_MARKDOWN))('[U68] [S81] whatever reads %s comes to an end', (name) => {
  for (const size of SIZES) {
    const text = HOSTILE_MARKDOWN[name]?.(size) ?? ''
    for (const [what, work] of Object.entries(WORK)) {
      const before = process.threadCpuUsage()
      work(text)
      const { user, system } = process.threadCpuUsage(before)
      expect((user + system) / 1000, `${size} characters, of which each ${what}`).toBeLessThan(ENDS_MS)
    }
  }
})

test('[U68] what people and agents write is prose, also when it is long', () => {
  const section = (n: number) =>
    [
      `## Step ${n}: _rename_ the **files**`,
      `Use \`src/some_file_name_${n}.ts\` and see [the docs](https://example.com/a_b_c/${n}), or write to ada@example.com.`,
      '- one\n  - two\n    - three\n      1. four\n\n> quoted > more\n>> deeper',
      '| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |',
      `\`\`\`ts\nconst a_b = '${'x_y'.repeat(100)}' // ${'*'.repeat(60)}\n\`\`\``,
      `1. In an item:\n   \`\`\`ts\n${'   const a = 1\n'.repeat(10)}   \`\`\``,
      '- - - - - - - - - -',
      '--------------------------------------------------------------',
    ].join('\n\n')
  const text = Array.from({ length: 40 }, (_, n) => section(n)).join('\n\n')
  expect(text.length).toBeGreaterThan(30_000)
  expect(tokensOf(text)).toBeDefined()
  const html = safeHtml(text)
  for (const whole of ['<em>', '<strong>', '<a href=', '<table>', '<blockquote>', '<code>'])
    expect(html.split(whole).length, whole).toBeGreaterThan(40)
})

test('[U68] what is only in code does not make a text hostile', () => {
  const code = `${'_a'.repeat(5000)}\n${'> '.repeat(40)}\n${'a'.repeat(3000)}@${' '.repeat(300)}\n`
  for (const text of [`Look:\n\n\`\`\`\n${code}\`\`\`\n\nDone`, `\`\`\`\n${code}`, `~~~ts\n${code}~~~`])
    expect(tokensOf(text)).toBeDefined()
})

test('[U68] where the code ends is decided in one place, and what comes behind it is read like any words', () => {
  expect(tokensOf('```ts\nlet a\n```\nb *c*')?.map(({ type, raw }) => [type, raw])).toEqual([
    ['code', '```ts\nlet a\n```\n'],
    ['paragraph', 'b *c*'],
  ])
  const behind = (marks: number) => tokensOf(`\`\`\`\n\`\`\` x\n\`\`\`\n${'*a **b '.repeat(marks)}`)
  expect(behind(10)?.map(({ type }) => type)).toEqual(['code', 'paragraph'])
  expect(behind(3000)).toBeUndefined()
})
