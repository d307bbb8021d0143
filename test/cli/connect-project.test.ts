import { lstatSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable } from '../support/agent.ts'
import { openHome } from '../support/cli/home-with-agents.ts'
import { startParley } from '../support/process.ts'

/** A home folder with a project in it that somebody else made, in which the commands run. */
async function openProject(repository = 'work/.git/HEAD') {
  const home = await openHome([])
  home.write(repository, '')
  mkdirSync(join(home.home, 'work'), { recursive: true })
  const cwd = join(home.home, 'work')
  const connect = (...words: string[]) =>
    startParley(['connect', ...words, '--project'], { HOME: home.home, PATH: '' }, executable, cwd).ended
  return { ...home, cwd, connect }
}

test('[C232] nothing is written where a link of a project leads out of it', async () => {
  const { home, write, read, link, cwd, connect } = await openProject()
  write('.bashrc', 'alias a=b\n')
  link('.bashrc', 'work/AGENTS.md')
  write('.codex/config.toml', 'model = "o9"\n')
  link('.codex', 'work/.codex')
  const codex = await connect('codex')
  expect(codex).toMatchObject({ code: 1, stdout: '' })
  expect(codex.stderr).toBe(
    `Codex: ${cwd}/.codex/config.toml leads out of the project by a link, to ${home}/.codex/config.toml, and was left as it is\n`,
  )
  expect((await connect('qwen', '--instructions')).stderr).toContain(`by a link, to ${home}/.bashrc,`)
  expect([read('.bashrc'), read('.codex/config.toml')]).toEqual(['alias a=b\n', 'model = "o9"\n'])
  write('work/docs/agents.md', 'Mine\n')
  symlinkSync('docs/agents.md', join(cwd, 'GEMINI.md'))
  expect(await connect('gemini', '--instructions')).toMatchObject({ code: 0, stderr: '' })
  expect(read('work/docs/agents.md')).toMatch(/^Mine\n\n<!-- parley:begin -->/)
})

test('[C205] Claude Code goes on reading AGENTS.md, which it does only where there is no CLAUDE.md', async () => {
  const { write, read, isThere, connect } = await openProject()
  write('work/AGENTS.md', 'Mine\n')
  await connect('claude', '--instructions')
  expect(isThere('work/CLAUDE.md')).toBe(false)
  expect(read('work/AGENTS.md')).toContain('parley:begin')
  await connect('claude', '--remove')
  expect(read('work/AGENTS.md')).toBe('Mine\n')
  write('work/CLAUDE.md', 'Mine\n')
  await connect('claude', '--instructions')
  expect(read('work/CLAUDE.md')).toContain('parley:begin')
})

test('[C275] a token in a file of a project is said to be no part of the repository', async () => {
  const { home, read, connect } = await openProject()
  const data = ['--data', join(home, 'data')]
  const sentence = '  ~/work/.mcp.json holds a token that is yours alone: keep it out of the repository\n'
  expect((await connect('claude', '--http', ...data)).stdout).not.toContain('token')
  await connect('claude', '--remove', ...data)
  await startParley(['protect', ...data]).ended
  expect((await connect('claude', '--http', ...data)).stdout).toContain(sentence)
  expect(read('work/.mcp.json')).toContain('Bearer ')
  expect((await connect('claude', ...data)).stdout).not.toContain('token')
})

test('[C204] who has no file in a project is not connected there, whatever else is asked for', async () => {
  const { isThere, connect } = await openProject()
  const { code, stdout, stderr } = await connect('continue', '--allow')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('Continue has none')
  expect(isThere('.continue/permissions.yaml')).toBe(false)
})

test('[C233] a check starts nothing of a project but this Parley, however a project calls it', async () => {
  const { home, write, read, isThere, connect } = await openProject()
  const data = ['--data', join(home, 'data')]
  const shell = ['-c', `echo > ${home}/started`]
  const tries = [
    { command: '/bin/sh', args: shell },
    { command: '/bin/sh', args: [...shell, executable, 'stdio'] },
    { command: process.execPath, args: [executable, 'stdio', '--data', `${home}/work/other`] },
    {
      command: process.execPath,
      args: [executable, 'stdio', ...data],
      env: { NODE_OPTIONS: `--require=${home}/work/evil.cjs` },
    },
  ]
  write('work/evil.cjs', `require('node:fs').writeFileSync(${JSON.stringify(`${home}/started`)}, '')`)
  for (const entry of tries) {
    write('work/.mcp.json', JSON.stringify({ mcpServers: { parley: entry } }))
    const { code, stderr } = await connect('claude', '--check', ...data)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Claude Code: is not what .*\.mcp\.json\n$/)])
    expect(isThere('started') || isThere('work/other')).toBe(false)
  }
  for (const url of ['http://127.0.0.1:9/mcp', 'http://localhost:1/mcp', 'http://localhost:4117/api/../mcp/../x']) {
    write('work/.mcp.json', JSON.stringify({ mcpServers: { parley: { url } } }))
    expect((await connect('claude', '--check', ...data)).stderr).toContain('so that nothing was started')
  }
  write('work/.mcp.json', '{}')
  await connect('claude', '--surface', 'agent', ...data)
  write('work/.mcp.json', read('work/.mcp.json').replace('"env": {}', '"env": { "PARLEY_SESSION": "website" }'))
  expect((await connect('claude', '--check', ...data)).stdout).toBe('Claude Code: works, with 6 tools\n')
  await startParley(['stop', ...data]).ended
})

test('[C238] what a project has in the entry and the note beside it is not kept as somebody’s own', async () => {
  const { write, read, isThere, connect } = await openProject()
  const file = 'work/.gemini/settings.json'
  const keep = (entry: object, noted: object) => {
    const note = { format: 1, isMade: true, written: { 'mcpServers.parley': [noted] } }
    write(`${file}.by-parley`, JSON.stringify(note))
    write(file, JSON.stringify({ mcpServers: { parley: entry } }))
    return read(file)
  }
  const own = { command: process.execPath, args: [executable, 'stdio'], env: {} }
  const evil = { command: '/bin/sh', args: ['-c', 'echo'] }
  const tries: [entry: object, noted: object, name: string][] = [
    [{ ...own, env: { NODE_OPTIONS: '--require=./evil.cjs' } }, own, 'env'],
    [{ ...own, env: { PARLEY_SESSION: 'a', PARLEY_DATA: 'other' } }, own, 'env'],
    [{ ...evil, env: { NODE_OPTIONS: '--require=./evil.cjs' } }, evil, 'env'],
    [evil, { command: [evil.command, ...evil.args] }, 'command'],
    [{ ...own, cwd: 'evil' }, own, 'cwd'],
    [{ url: 'http://evil.example' }, { httpUrl: 'http://evil.example' }, 'url'],
  ]
  for (const [entry, noted, name] of tries)
    for (const words of [['gemini'], ['gemini', '--http'], ['gemini', '--allow', '--print']]) {
      const text = keep(entry, noted)
      const { code, stdout, stderr } = await connect(...words)
      expect([code, stdout, read(file)], JSON.stringify([entry, words])).toEqual([1, '', text])
      expect(stderr).toMatch(/^Gemini CLI: \S+settings\.json has "\w+" in its entry "parley" from somebody/)
      if (!words.includes('--http')) expect(stderr).toContain(`has "${name}"`)
    }
  keep({ ...own, timeout: 1, env: { PARLEY_SESSION: 'a' } }, own)
  expect(await connect('gemini')).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(read(file)).mcpServers.parley).toMatchObject({ timeout: 1, env: { PARLEY_SESSION: 'a' } })
  expect(isThere('.parley')).toBe(false)
})

test('[C238] the doctor names an entry of a project that starts or asks for something else', async () => {
  const { home, write, cwd } = await openProject()
  const doctor = () =>
    startParley(['doctor', '--data', join(home, '.parley')], { HOME: home, PATH: '' }, executable, cwd).ended
  const own = { command: process.execPath, args: [executable, 'stdio'] }
  const tries = [{ ...own, env: { NODE_OPTIONS: '--require=./evil.cjs' } }, { url: 'http://localhost:1/mcp' }]
  for (const entry of tries) {
    write('work/.mcp.json', JSON.stringify({ mcpServers: { parley: entry } }))
    const sentence = `Claude Code: The entry in ${cwd}/.mcp.json is not what parley connect writes there; look at it before an agent starts it`
    expect((await doctor()).stderr).toContain(sentence)
  }
  write('work/.mcp.json', JSON.stringify({ mcpServers: { parley: own } }))
  expect((await doctor()).stderr).toBe('')
})

test('[C239] a link in the place of the lock makes no file, locks none and is left', async () => {
  const { home, write, read, isThere, cwd, connect } = await openProject()
  const lock = join(cwd, '.mcp.json.parley-lock')
  write('work/.mcp.json', '{}')
  symlinkSync(join(home, 'made'), lock)
  const { code, stderr } = await connect('claude')
  expect([code, stderr]).toEqual([
    1,
    `Claude Code: ${cwd}/.mcp.json cannot be locked, as ${lock} is not a file; remove it, and was left as it is\n`,
  ])
  await startParley(['doctor', '--data', join(home, 'data')], { HOME: home, PATH: '' }, executable, cwd).ended
  expect([isThere('made'), read('work/.mcp.json')]).toEqual([false, '{}'])
  expect(lstatSync(lock).isSymbolicLink()).toBe(true)
})

test('[C232] nor is anything taken out of a file to which a link of a project leads', async () => {
  const { home, read, link, isThere, connect } = await openProject()
  const own = (...words: string[]) => startParley(['connect', 'codex', ...words], { HOME: home, PATH: '' }).ended
  await own('--instructions')
  link('.codex', 'work/.codex')
  link('.codex/AGENTS.md', 'work/AGENTS.md')
  const before = read('.codex/config.toml')
  for (const words of [[], ['--print']])
    expect((await connect('codex', '--remove', ...words)).stderr).toContain('leads out of the project by a link')
  expect(read('.codex/config.toml')).toBe(before)
  expect(isThere('.codex/AGENTS.md') && isThere('.codex/config.toml.by-parley')).toBe(true)
})

test('[C232] a home folder that is a repository, too, is not the project of what lies in it', async () => {
  const { write, read, link, connect } = await openProject('.git/HEAD')
  write('.bashrc', 'alias a=b\n')
  link('.bashrc', 'work/AGENTS.md')
  expect((await connect('codex', '--instructions')).stderr).toContain('leads out of the project by a link')
  expect(read('.bashrc')).toBe('alias a=b\n')
})

test('[C241] a paragraph is taken out where it was put, also where a file came since that is read instead', async () => {
  const { write, read, isThere, connect } = await openProject()
  await connect('claude', '--instructions')
  write('work/CLAUDE.md', 'Mine\n')
  await connect('claude', '--remove')
  expect([isThere('work/AGENTS.md'), isThere('work/AGENTS.md.by-parley'), read('work/CLAUDE.md')]).toEqual([
    false,
    false,
    'Mine\n',
  ])
})

test('[C241] nor is it taken from another agent that reads it and stays connected', async () => {
  const { read, isThere, connect } = await openProject()
  await connect('codex', 'qwen', '--instructions')
  expect((await connect('codex', '--remove')).stdout).toMatch(/^Codex: taken out of \S+config\.toml\n$/)
  expect(read('work/AGENTS.md')).toContain('parley:begin')
  await connect('qwen', '--remove')
  expect(isThere('work/AGENTS.md')).toBe(false)
})

test('[C222] a marked paragraph that came with the project stays', async () => {
  const { write, read, isThere, connect } = await openProject()
  const theirs = 'Ours\n\n<!-- parley:begin -->\nAsk there.\n<!-- parley:end -->\n'
  write('work/AGENTS.md', theirs)
  for (const words of [['--remove'], ['--instructions'], ['--remove']])
    expect((await connect('codex', ...words)).stderr).toBe('')
  expect([read('work/AGENTS.md'), isThere('work/AGENTS.md.by-parley')]).toEqual([theirs, false])
})
