import { expect, test } from 'vitest'
import { withoutConversation } from './forget-conversation.ts'

const TEXT = `// Ours
{
  "rules": [
    // About production
    { "decision": "deny_abort", "tool": "drop", "conversation": "prod" }, // as agreed
    { "id": "both", "decision": "allow", "tool": "list", "conversation": ["prod", "sta*"] },
    // Allowed by ada on 2026-01-02 in prod
    { "decision": "allow", "tool": "read" },
    // Allowed by ada on 2026-01-02 in production
    { "decision": "allow", "tool": "write", "conversation": "pro*" },
    // Allowed by ada on 2026-01-03 in prod
    { "decision": "allow", "tool": "go", "conversation": ["prod"] }
  ]
}
`

test('[S150] what was for a forgotten conversation alone goes, and everything else stays as it is', () => {
  const { text, gone } = withoutConversation(TEXT, 'prod', 'policy.jsonc')
  expect(text).toBe(`// Ours
{
  "rules": [
    // About production
 // as agreed
    { "id": "both", "decision": "allow", "tool": "list", "conversation": ["sta*"] },
    // Allowed by ada on 2026-01-02
    { "decision": "allow", "tool": "read" },
    // Allowed by ada on 2026-01-02 in production
    { "decision": "allow", "tool": "write", "conversation": "pro*" },
  ]
}
`)
  expect(gone.map(({ tool }) => tool)).toEqual([['drop'], ['go']])
  expect(withoutConversation(text, 'prod', 'policy.jsonc')).toEqual({ text, gone: [] })
  expect(withoutConversation(TEXT, 'other', 'policy.jsonc')).toEqual({ text: TEXT, gone: [] })
})

test('[S150] a list that names others alone keeps how it is written', () => {
  const text =
    '{ "rules": [{ "decision": "allow", "conversation": [ "one",  "two" ] }, { "conversation": "prod", "decision": "ask" }] }'
  expect(withoutConversation(text, 'prod', 'policy.jsonc').text).toContain('[ "one",  "two" ]')
})

test('[S150] a name with signs of patterns is only itself', () => {
  const one = String.raw`{ "rules": [{ "decision": "allow", "conversation": "a\\*" }, { "decision": "allow", "conversation": "a*" }] }`
  const { text, gone } = withoutConversation(one, 'a*', 'policy.jsonc')
  expect(text).toBe('{ "rules": [ { "decision": "allow", "conversation": "a*" }] }')
  expect(gone).toHaveLength(1)
})

test('[S150] a policy that cannot be read is left, and it is said where it names the conversation', () => {
  const broken = '{ "rules": [{ "decision": "allow", "conversation": "prod" ] }'
  expect(withoutConversation(broken, 'other', 'policy.jsonc')).toEqual({ text: broken, gone: [] })
  expect(() => withoutConversation(broken, 'prod', 'policy.jsonc')).toThrow('policy.jsonc:1:')
})

test('[S150] the line goes with its rule where nothing else is on it, also at its very beginning', () => {
  const forgotten = (text: string) => withoutConversation(text, 'prod', 'policy.jsonc').text
  const rule = '{ "decision": "ask", "conversation": "prod" }'
  expect(forgotten(`{ "rules": [\n${rule},\n{ "decision": "ask" }\n] }`)).toBe(
    '{ "rules": [\n{ "decision": "ask" }\n] }',
  )
  expect(forgotten(`{ "rules": [\n\t${rule}\n] }`)).toBe('{ "rules": [\n] }')
  expect(forgotten(`{ "rules": [ ${rule} ] }`)).toBe('{ "rules": [  ] }')
  expect(forgotten(`{ "rules": [{ "decision": "ask" }, ${rule}, { "decision": "ask" }] }`)).toBe(
    '{ "rules": [{ "decision": "ask" },  { "decision": "ask" }] }',
  )
})

test('[S150] of several conversations those that stay are named as before, and no other rule is', () => {
  const text = (names: string) =>
    `{ "rules": [{ "decision": "ask", "conversation": ${names} }, { "decision": "allow", "conversation": "other" }] }`
  const { text: changed, gone } = withoutConversation(text('["a", "prod", "b"]'), 'prod', 'policy.jsonc')
  expect([changed, gone]).toEqual([text('["a", "b"]'), []])
  expect(withoutConversation(text('["prod", "prod"]'), 'prod', 'policy.jsonc').gone).toHaveLength(1)
})
