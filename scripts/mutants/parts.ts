import { globSync } from 'node:fs'

/** What is mutated, and whose tests should notice; the quick ones first. */
export const PARTS: Record<string, { sources: string; tests: string[] }> = {
  policy: {
    sources: 'src/governance/policy',
    tests: [
      ...['', '/matching', '/file', '/learning'].map((room) => `src/governance/policy${room}`),
      'test/policy',
      'test/approvals',
    ],
  },
  calls: {
    sources: 'src/governance/calls',
    tests: ['src/governance/calls', 'test/calls', 'test/approvals'],
  },
  questions: {
    sources: 'src/chat/questions',
    tests: [
      'src/chat/questions',
      'src/chat',
      'src/chat/approvals',
      'src/chat/delivery',
      'test/questions',
      'test/limits',
    ],
  },
  delivery: {
    sources: 'src/chat/delivery',
    tests: ['src/chat/delivery', 'src/chat/people', 'src/chat/questions', 'test/delivery'],
  },
  line: {
    sources: 'src/line',
    tests: ['src/line', 'test/lines'],
  },
}

export function partOf(file: string): string {
  return Object.keys(PARTS).find((part) => file.startsWith(`${PARTS[part]?.sources}/`)) ?? ''
}

/** Those beside the code before those that start a hub. */
export function testsOf(parts: string[]): string[] {
  const folders = parts.flatMap((part) => PARTS[part]?.tests ?? [])
  const files = folders.flatMap((folder) => globSync(`${folder}/*.test.ts`).sort())
  const unique = [...new Set(files)]
  return [...unique.filter((file) => file.startsWith('src/')), ...unique.filter((file) => !file.startsWith('src/'))]
}
