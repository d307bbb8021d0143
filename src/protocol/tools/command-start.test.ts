import { expect, test } from 'vitest'
import { commandOffer, perhapsBegins, surelyBegins, wordsOfStart } from './command-start.ts'

const offered = (command: unknown) => {
  const offer = commandOffer({ command })
  return offer && ('begins' in offer ? `${offer.begins} …` : offer.same)
}

test('[G179] what is offered of a command is its beginning, or the very same where that says nothing of it', () => {
  expect(offered('npm test')).toBe('npm test …')
  expect(offered('  npm  test -- -t "one two"')).toBe('npm test …')
  expect(offered('npm run build --watch')).toBe('npm run build …')
  expect(offered('./gradlew check')).toBe('./gradlew check …')
  expect(offered(['git', 'status', '-s'])).toBe('git status …')
  expect(offered(['/bin/bash', '-lc', 'cargo test'])).toBe('cargo test …')
  for (const same of [
    'ls',
    'rm -rf build',
    'npm run',
    'npm test && rm -rf /',
    'FOO=1 npm test',
    'cat ~/.ssh/id',
    '"npm" test',
  ])
    expect(offered(same)).toBe(same)
  expect(offered(['bash', '-c', 'npm test; ls'])).toEqual(['bash', '-c', 'npm test; ls'])
  expect([commandOffer({}), offered(''), offered(7), offered([]), offered([1])]).toEqual(Array(5).fill(undefined))
  expect(commandOffer({ cmd: 'npm test' })).toEqual({ place: 'cmd', begins: 'npm test' })
})

const HIDDEN = [';', '&', '&&', '|', '||', '\n', '\r', '>', '<', '`', '$(', '${', '(', '{', '\\']

test.each(HIDDEN)('[G179] a command that goes on behind its beginning with %j is not it', (character) => {
  const more = `npm test ${character} rm -rf / `
  expect(surelyBegins(more, ['npm', 'test'])).toBe(false)
  expect(surelyBegins(['sh', '-c', more], ['npm', 'test'])).toBe(false)
  expect(surelyBegins(`npm test${character}rm`, ['npm', 'test'])).toBe(false)
})

test('[G179] a beginning is of whole words, at the beginning', () => {
  for (const fits of ['npm test', ' npm test', 'npm test -- -t "a b"'])
    expect(surelyBegins(fits, ['npm', 'test'])).toBe(true)
  expect(surelyBegins(['npm', 'test', 'a b'], ['npm', 'test'])).toBe(true)
  for (const other of ['npm tests', 'npm', 'sudo npm test', 'npm\ttest', 'npm "test"', 'PATH=. npm test'])
    expect(surelyBegins(other, ['npm', 'test'])).toBe(false)
})

test('[G179] for a rule that denies it is enough that one of the commands may begin so', () => {
  for (const may of [
    'git push',
    'npm test; git  push -f',
    'sh -c "git push"',
    '(git push)',
    'true &&\tgit push',
    'g\\it push',
  ])
    expect(perhapsBegins(may, ['git', 'push'])).toBe(true)
  expect(perhapsBegins(['bash', '-lc', 'ls; git push'], ['git', 'push'])).toBe(true)
  expect(perhapsBegins('git pushy', ['git', 'push'])).toBe(false)
  expect([wordsOfStart('npm test'), wordsOfStart('npm  test'), wordsOfStart('a; b'), wordsOfStart('')]).toEqual([
    ['npm', 'test'],
    undefined,
    undefined,
    undefined,
  ])
})

test('[G284] of a program that runs what follows it only the very same is offered, and of a list that a shell would take for more', () => {
  for (const same of [
    'env bash x.sh',
    'sudo ls',
    '/usr/bin/nice npm test',
    'xargs rm',
    'ssh host ls',
    'command npm test',
  ])
    expect(offered(same)).toBe(same)
  const list = ['npm', 'test', '&&', 'rm']
  expect(offered(list)).toEqual(list)
  expect(surelyBegins(list, ['npm', 'test'])).toBe(false)
  expect(commandOffer({ script: 'npm test' })).toEqual({ place: 'script', begins: 'npm test' })
})

test('[G286] a command that is denied is found behind its folder, quotes and what a shell makes nothing of', () => {
  const hidden = [
    '/usr/bin/git push',
    'g"i"t push',
    "gi''t push",
    'git \\\npush',
    'gi$()t push',
    `g\${x}it push`,
    '!git push',
  ]
  for (const may of hidden) expect(perhapsBegins(may, ['git', 'push'])).toBe(true)
  expect(perhapsBegins('echo "digit" push', ['git', 'push'])).toBe(false)
})

test('[G346] a shell that lies elsewhere is a program like any other', () => {
  for (const shell of ['./bash', '/tmp/sh', 'bin/zsh', '/home/ada/bin/bash']) {
    expect(surelyBegins([shell, '-c', 'npm test'], ['npm', 'test'])).toBe(false)
    expect(offered([shell, '-c', 'npm test'])).toEqual([shell, '-c', 'npm test'])
  }
  for (const shell of ['sh', '/bin/bash', '/usr/bin/zsh', '/opt/homebrew/bin/bash'])
    expect(surelyBegins([shell, '-lc', 'npm test'], ['npm', 'test'])).toBe(true)
})

test('[G346] where what follows is run, by whatever runs it, only the very same is offered', () => {
  for (const same of [
    'flock lock npm test',
    'chroot root ls',
    'tmux new-session ls',
    'docker exec web npm test',
    'docker compose run web ls',
    'docker container exec web ls',
    'docker run ubuntu ls',
    'kubectl exec pod ls',
    'uv run python x.py',
    'pnpm exec sudo ls',
    'bundle exec ruby x.rb',
  ])
    expect(offered(same)).toBe(same)
  expect(offered('docker build x')).toBe('docker build …')
  expect(offered('pnpm run build')).toBe('pnpm run build …')
  expect(offered('bun test')).toBe('bun test …')
})
