import { expect, test } from 'vitest'
import { isTame, LONGEST } from './tame.ts'
import { tokensOf } from './tokens.ts'
import { wordsOf } from './words.ts'

/** Generous: the machine may be busy. What is refused took seconds or never ended. */
const LIMIT_MS = 1500

const steps = (length: number, line: (n: number) => string) => Array.from({ length }, (_, n) => line(n)).join('\n')
const HOSTILE: Record<string, (size: number) => string> = {
  quotes: (size) => '>'.repeat(size),
  'spaced quotes': (size) => '> '.repeat(size / 2),
  lists: (size) => `${'- '.repeat(size / 2)}x`,
  'numbered lists': (size) => `${'1. '.repeat(size / 3)}x`,
  'quotes and lists': (size) => `${'> - '.repeat(size / 4)}x`,
  'deeper quotes': (size) => steps(Math.sqrt(2 * size), (n) => `${'>'.repeat(n)} x`),
  'deeper lists': (size) => steps(Math.sqrt(size), (n) => `${' '.repeat(2 * n)}- x`),
  underscores: (size) => '_a'.repeat(size / 2),
  stars: (size) => '*'.repeat(size),
  'open stars': (size) => '**a '.repeat(size / 4),
  'closed stars': (size) => 'a** '.repeat(size / 4),
  'inner stars': (size) => 'a***b'.repeat(size / 5),
  tildes: (size) => '~~a '.repeat(size / 4),
  brackets: (size) => '['.repeat(size),
  links: (size) => '[a](b) '.repeat(size / 7),
  'open links': (size) => '[a]('.repeat(size / 4),
  images: (size) => '![a]('.repeat(size / 5),
  backticks: (size) => steps(Math.sqrt(2 * size), (n) => '`'.repeat(n)),
  tags: (size) => '<b>'.repeat(size / 3),
  comments: (size) => '<!--'.repeat(size / 4),
  'a mailbox': (size) => `${'a'.repeat(size)}@`,
  mailboxes: (size) => 'a@b.c '.repeat(size / 6),
  addresses: (size) => 'http://a.b '.repeat(size / 11),
  'a long table': (size) => `|a|a|a|a|\n|-|-|-|-|\n${'|a|a|a|a|\n'.repeat(size / 10)}`,
  'a wide table': (size) => ['|a', '|-', '|a'].map((cell) => `${cell.repeat(size / 6)}|`).join('\n'),
  tasks: (size) => '- [ ] a\n'.repeat(size / 8),
  headings: (size) => '# a\n'.repeat(size / 4),
  lines: (size) => 'a\n'.repeat(size / 2),
  blanks: (size) => `a${' '.repeat(size)}\nb`,
  definitions: (size) => '[a]: b\n'.repeat(size / 7),
  fences: (size) => '```\n'.repeat(size / 4),
  escapes: (size) => '\\'.repeat(size),
}

for (const [name, make] of Object.entries(HOSTILE)) {
  test(`[U68] ${name} are told apart from prose or parsed in no time`, () => {
    for (const size of [1000, 10_000, LONGEST - 10, 1_000_000]) {
      const text = make(size)
      const started = performance.now()
      if (isTame(text)) wordsOf(tokensOf(text))
      expect(performance.now() - started, `${size} characters`).toBeLessThan(LIMIT_MS)
    }
  })
}

test('[U68] what people and agents write is prose, also when it is long', () => {
  const section = (n: number) =>
    [
      `## Step ${n}: _rename_ the **files**`,
      `Use \`src/some_file_name_${n}.ts\` and see [the docs](https://example.com/a_b_c/${n}), or write to ada@example.com.`,
      '- one\n  - two\n    - three\n      1. four\n\n> quoted > more\n>> deeper',
      '| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |',
      `\`\`\`ts\nconst a_b = '${'x_y'.repeat(100)}' // ${'*'.repeat(60)}\n\`\`\``,
      '- - - - - - - - - -',
      '--------------------------------------------------------------',
    ].join('\n\n')
  const text = Array.from({ length: 50 }, (_, n) => section(n)).join('\n\n')
  expect(text.length).toBeGreaterThan(30_000)
  expect(isTame(text)).toBe(true)
})

test('[U68] what is only in code does not make a text hostile', () => {
  expect(
    isTame(`Look:\n\n\`\`\`\n${'_a'.repeat(5000)}\n${'> '.repeat(40)}\n${'a'.repeat(3000)}@\n\`\`\`\n\nDone`),
  ).toBe(true)
  expect(isTame(`\`\`\`\n${'_a'.repeat(5000)}`)).toBe(true)
})
