import { expect, test } from 'vitest'
import { sumOf, touchedBy } from './touched.ts'

const args = (input: object) => JSON.stringify(input)

test('[U373] a step tells the files that it changed and how many lines of them, and all steps together their sum', () => {
  const edit = touchedBy({ args: args({ file_path: 'src/a.ts', old_string: 'one\ntwo', new_string: 'one\n2\n3' }) })
  expect(edit).toEqual({ paths: ['src/a.ts'], added: 2, removed: 1 })
  const changes = [
    { path: 'src/a.ts', old_text: 'beta\n', new_text: 'BETA\n' },
    { path: 'new.ts', new_text: 'one\ntwo\n' },
  ]
  const told = touchedBy({ args: args({}), changes })
  expect(told).toEqual({ paths: ['src/a.ts', 'new.ts'], added: 3, removed: 1 })
  expect(touchedBy({ args: args({ command: 'ls' }) })).toBeUndefined()
  expect(sumOf([edit, told].filter((one) => one !== undefined))).toEqual({
    paths: ['src/a.ts', 'new.ts'],
    added: 5,
    removed: 2,
  })
  expect(sumOf([])).toBeUndefined()
})

test('[U373] what is too long to be compared at once is counted all the same', () => {
  const lines = Array.from({ length: 30_000 }, (_, n) => `line ${n}`)
  const changes = [
    { path: 'a', old_text: lines.join('\n'), new_text: lines.with(7, 'seven').concat('more').join('\n') },
  ]
  expect(touchedBy({ changes })).toEqual({ paths: ['a'], added: 2, removed: 1 })
})
