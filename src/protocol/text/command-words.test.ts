import { expect, test } from 'vitest'
import { commandWords } from './command-words.ts'

test('[O60] a command is parted into words as a shell would, and nothing else of a shell is done', () => {
  expect(commandWords('gemini --acp')).toEqual(['gemini', '--acp'])
  expect(commandWords(`  node '/a folder/agent.ts'  --name "two words" `)).toEqual([
    'node',
    '/a folder/agent.ts',
    '--name',
    'two words',
  ])
  expect(commandWords(`a\\ b "c \\"d\\" \\e" 'f\\g' h'i'"j" ''`)).toEqual(['a b', 'c "d" \\e', 'f\\g', 'hij', ''])
  expect(commandWords('agent $HOME > x | y && z')).toEqual(['agent', '$HOME', '>', 'x', '|', 'y', '&&', 'z'])
  expect(commandWords('C:\\tools\\agent.exe')).toEqual(['C:\\tools\\agent.exe'])
})

test('[O60] a command that is empty or has a quote that is not closed is refused', () => {
  expect(() => commandWords('agent "--name')).toThrow('A quote is not closed in the command agent "--name')
  for (const empty of ['', '  ', "''"]) expect(() => commandWords(empty)).toThrow('The command is empty')
})
