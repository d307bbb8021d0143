import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/hub.ts'
import type { CommandText } from './command-text.ts'
import { COMMANDS, flagsOf, SHELLS } from './commands.ts'
import { completionOf } from './completion.ts'

/** What a real bash offers at the end of a line. */
async function offered(line: string, cwd?: string): Promise<string[]> {
  const words = line.split(' ').map((word) => `'${word}'`)
  const script = `${completionOf('bash')}
COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _parley; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', script], { cwd })
  return stdout.split('\n').filter(Boolean)
}

test.each([
  ['parley ex', ['export']],
  ['parley s', ['stdio', 'serve', 'status', 'stop', 'service']],
  ['parley --v', ['--version']],
  ['parley token ', ['create', 'list', 'revoke', 'link', '--help']],
  ['parley token create ada --', ['--data', '--role', '--session', '--expires', '--help']],
  ['parley token create --role ', ['human', 'agent', 'orchestrator', 'admin']],
  ['parley stdio --surface a', ['agent', 'assistant']],
  ['parley serve --log ', ['debug', 'info', 'warn', 'error']],
  ['parley serve --data stdio --max-m', ['--max-message']],
  ['parley serve --port ', []],
  ['parley export website -', ['--data', '--format', '--output', '--help']],
  ['parley completion ', ['bash', 'zsh', 'fish', '--help']],
  ['parley help tok', ['token']],
])('[C83] bash completes "%s"', async (line, words) => {
  expect(await offered(line)).toEqual(words)
})

test('[C83] bash completes folders, also those with blanks in their names', async () => {
  const cwd = await temporaryFolder()
  await mkdir(join(cwd, 'my talks'))
  await mkdir(join(cwd, 'mine'))
  expect((await offered('parley serve --data m', cwd)).sort()).toEqual(['mine', 'my talks'])
})

test.each(SHELLS)('[C83] the completions of %s name every command and every flag', (shell) => {
  const script = completionOf(shell)
  for (const [name, text] of Object.entries<CommandText>(COMMANDS)) {
    expect(script).toContain(name)
    for (const [flag] of flagsOf(text)) expect(script).toMatch(new RegExp(`(--|-l )${flag}\\b`))
  }
})
