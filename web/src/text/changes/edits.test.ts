import { expect, test, vi } from 'vitest'
import { addedAndRemoved } from './changes.ts'
import { compare, editsIn } from './edits.ts'

test('[U66] the edits of a call are found under the names that tools have for them', () => {
  const edit = { before: 'a', after: 'b' }
  const found = (args: object) => editsIn(JSON.stringify(args))
  expect(found({ file_path: 'x', old_string: 'a', new_string: 'b' })).toEqual({
    edits: [edit],
    names: ['old_string', 'new_string'],
    rest: { file_path: 'x' },
  })
  expect(found({ path: 'x', old_str: 'a', new_str: 'b' })?.edits).toEqual([edit])
  expect(found({ path: 'x', edits: [{ oldText: 'a', newText: 'b' }] })).toEqual({
    edits: [edit],
    names: ['edits'],
    rest: { path: 'x' },
  })
  expect(found({ command: 'ls' })).toBeUndefined()
  expect(found({ edits: [] })).toBeUndefined()
  expect(found({ edits: [{ old_string: 'a', new_string: 'b' }, 7] })).toBeUndefined()
  expect(editsIn('[1]')).toBeUndefined()
  expect(editsIn('no JSON')).toBeUndefined()
})

test('[U66] edits are compared line by line, and what differs too much is replaced whole', () => {
  const texts = (before: string, after: string) => compare([{ before, after }]).map(({ text }) => text)
  expect(texts('one\ntwo\nthree', 'one\n2\nthree')).toEqual([' one', '-two', '+2', ' three'])
  expect(texts('', 'new')).toEqual(['+new'])
  const [many, others] = ['a', 'b'].map((letter) =>
    Array.from({ length: 5000 }, (_, n) => `${letter}${n}`).join('\n'),
  ) as [string, string]
  expect(addedAndRemoved(compare([{ before: many, after: others }]))).toEqual({ added: 5000, removed: 5000 })
})

test('[U66] a short edit is compared line by line, however long a busy machine takes', () => {
  let now = 0
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 1000))
  const lines = compare([{ before: 'one\ntwo\nthree', after: 'one\n2\nthree' }])
  clock.mockRestore()
  expect(lines.map(({ text }) => text)).toEqual([' one', '-two', '+2', ' three'])
})

test('[A29] what an edit says besides stands above its lines, and one that says more than a line is no edit', () => {
  const edits = (more: object) => editsIn(JSON.stringify({ edits: [{ old_string: 'a', new_string: 'b', ...more }] }))
  const { edits: found = [] } = edits({ replace_all: true }) ?? {}
  expect(compare(found).map(({ text }) => text)).toEqual(['… "replace_all": true', '-a', '+b'])
  expect(edits({ times: 12 })).toBeUndefined()
  expect(edits({ old_str: { hidden: true } })).toBeUndefined()
})

test('[A29] a new file that is too long to compare removes nothing', () => {
  const lines = compare([{ before: '', after: 'line\n'.repeat(5000) }])
  expect(lines.filter(({ kind }) => kind !== 'added')).toEqual([])
})
