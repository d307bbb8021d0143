import { expect, test } from 'vitest'
import { lastQuestion } from './last-question.ts'

const TEXTS: [string, string][] = [
  ['Deploy now?', 'Deploy now?'],
  ['It is ready. Shall I **deploy** it? It takes a minute.', 'Shall I deploy it?'],
  ['Which one?\n\n- SQLite\n- PostgreSQL, which several hubs can share', 'Which one?'],
  ['Is it this? Or that?', 'Or that?'],
  ['He asked “Why?” and left.\n\nTell me.', 'Tell me.'],
  ['Delete it (really?)\n\n```sql\nselect ?\n```', 'Delete it (really?)'],
  ['First this.\n\n# A plan\n\nThen that', 'Then that'],
  ['準備ができました。デプロイしますか？お知らせください。', 'デプロイしますか？'],
  ['كل شيء جاهز. هل أنشر الآن؟', 'هل أنشر الآن؟'],
  ['Όλα έτοιμα. Να συνεχίσω;', 'Να συνεχίσω;'],
  ['Պատրաստ է։ Շարունակե՞մ։', 'Շարունակե՞մ։'],
  ['¿Sigo? Dime.', '¿Sigo?'],
  ['See https://example.org/?a=b for more.\n\nGo on', 'Go on'],
  [`${'Long before? '.repeat(500)}\n\nAnd now?`, 'And now?'],
  [`Look:\n\n\`\`\`ts\n${'a()\n'.repeat(500)}\`\`\`\n\nShall I go on?`, 'Shall I go on?'],
  [`Shall I apply it?\n\n\`\`\`ts\n${'a()\n'.repeat(500)}\`\`\`\n`, 'Shall I apply it?'],
  ['```\nonly code\n```', '```\nonly code\n```'],
]

test.each(TEXTS)('[U121] the last question of %j', (text, question) => {
  expect(lastQuestion(text)).toBe(question)
})

test('[U121] whatever is asked, something is said of it, in a moment', () => {
  for (const text of ['?', '*', '[](', '>'.repeat(5000), `${'*a **b '.repeat(3000)}?`, '\u202e?'])
    expect(lastQuestion(text)).not.toBe('')
})
