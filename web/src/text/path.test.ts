import { expect, test } from 'vitest'
import { endOfPath, isPath } from './path.ts'

test('[U381] paths are told from commands and addresses, and keep their end', () => {
  for (const path of ['/a/b', './a', '../a', '~/x', 'src/a.ts', 'C:\\a', '.github/x'])
    expect(isPath(path), path).toBe(true)
  for (const other of ['/bin/rm -rf /', 'https://x/y', 'npm test', 'cats', 'a.ts'])
    expect(isPath(other), other).toBe(false)
  expect(endOfPath('/home/ada/site/src/a.ts', 12)).toBe('…te/src/a.ts')
  expect(endOfPath('/bin/rm -rf /home/ada', 12)).toBe('/bin/rm -rf /home/ada')
})
