import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLaunching } from '../support/driven/launching.ts'
import { connect } from '../support/socket.ts'

test('[F31] files of a conversation are for who may start agents here, in folders that the owner allowed', async () => {
  const { page, folder, view, hub } = await openLaunching({})
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/a.ts'), 'one')
  await view.record('work', { kind: 'title', title: 'work', folder })
  await view.record('far', { kind: 'title', title: 'far', folder: '/' })
  await view.tell('bare', { by: 'codex', text: 'Hello' })
  const ask = async (client: Pick<typeof page, 'say' | 'next'>, more: Record<string, unknown>, answer = 'refused') => {
    client.say({ key: 'k', ...more })
    return client.next(answer)
  }
  const find = { type: 'find_files', conversation: 'work', query: 'a.t' }
  const show = { type: 'show_file', conversation: 'work', path: 'src/a.ts' }
  expect(await ask(page, find, 'files_found')).toMatchObject({ key: 'k', paths: ['src/a.ts'], has_more: false })
  expect(await ask(page, show, 'file')).toMatchObject({ key: 'k', path: 'src/a.ts', size: 3, text: 'one' })
  expect(await ask(page, { ...find, conversation: 'far' })).toMatchObject({ code: 'folder_forbidden' })
  expect(await ask(page, { ...find, conversation: 'bare' })).toMatchObject({ code: 'folderless' })
  expect(await ask(page, { ...show, path: '../../etc/passwd' })).toMatchObject({ code: 'file_outside' })
  expect(await ask(page, { ...show, path: 'none' })).toMatchObject({ code: 'file_gone' })
  expect(await ask(page, { ...show, path: 'a\0b' })).toMatchObject({ error: '"path" must not have a zero in it' })
  const { secret } = await hub.tokens.create({ name: 'eve', role: 'human' })
  const other = await connect(hub.url, '/ws?dialect=timeline', undefined, { authorization: `Bearer ${secret}` })
  other.say({ type: 'hello' })
  await other.next('welcome')
  for (const wanted of [find, show, { ...find, conversation: 'far' }, { ...show, path: 'none' }])
    expect(await ask(other, wanted)).toMatchObject({ code: 'forbidden_role' })
})
