import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { callOf } from '../call.ts'
import { compilePathGlob, problemInPathGlob } from './path-glob.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'paths-')))
const site = join(home, 'site')
mkdirSync(join(site, 'src'), { recursive: true })
mkdirSync(join(home, 'etc', 'deep'), { recursive: true })
writeFileSync(join(home, 'etc', 'passwd'), '')
symlinkSync('../etc/passwd', join(site, 'innocent'))
symlinkSync(join(home, 'etc', 'deep'), join(site, 'out'))
symlinkSync(join(home, 'etc', 'new'), join(site, 'dangling'))
symlinkSync('loop', join(site, 'loop'))
symlinkSync(site, join(home, 'link-to-site'))
afterAll(() => rmSync(home, { recursive: true }))

/** Whether a path leads there for sure, and whether it may. */
function leads(pattern: string, path: string, cwd: string | undefined = site) {
  const { surely, perhaps } = compilePathGlob(pattern)
  const call = callOf({
    server: 's',
    tool: 't',
    arguments: {},
    principal: 'p',
    at: 0,
    cwd,
    bases: cwd ? [cwd] : undefined,
  })
  return [surely(call.readings(path), call), perhaps(call.readings(path), call)]
}
const YES = [true, true]
const NO = [false, false]
const PERHAPS = [false, true]

test.each([
  ['/a/b', '/a/b', YES],
  ['/a/b', '/a/b/c', NO],
  ['/a/*', '/a/b', YES],
  ['/a/*', '/a/.hidden', YES],
  ['/a/*', '/a/b/c', NO],
  ['/a/*', '/a', NO],
  ['/a/**', '/a', YES],
  ['/a/**', '/a/b/c', YES],
  ['/a/**', '/ab', NO],
  ['/a/**/*.ts', '/a/x.ts', YES],
  ['/a/**/*.ts', '/a/b/c/x.ts', YES],
  ['/a/**/b/**/c', '/a/b/b/x/c', YES],
  ['/a/**/b/**/c', '/a/x/c', NO],
  ['/**/.env', '/x/y/.env', YES],
  ['/**', '/', YES],
  ['/', '/', YES],
  ['/', '/a', NO],
  ['/a/b\\*', '/a/b*', YES],
  ['/a/b\\*', '/a/bc', NO],
  ['/a/\\*\\*', '/a/b/c', NO],
])('[G8] whether %j fits the path %j', (pattern, path, expected) => {
  expect(leads(pattern, path)).toEqual(expected)
})

test.each([
  ['/a/b/../c', '/a/c', YES],
  ['/a/./b//c/', '/a/b/c', YES],
  ['/../../a', '/a', YES],
  ['../x', join(home, 'x'), YES],
  ['', site, YES],
  ['src/../../etc/passwd', join(home, 'etc/passwd'), YES],
])('[G7] the path %j is resolved before it is matched', (path, pattern, expected) => {
  expect(leads(pattern, path)).toEqual(expected)
})

test.each([
  ['innocent', 'the file that a link leads to'],
  ['out/new/file', 'what is not there yet, behind a link'],
  ['dangling', 'a link to what is not there'],
  [join(home, 'link-to-site', 'innocent'), 'two links'],
  ['nothing/../innocent', 'a link beside what is not there'],
  ['./src/../innocent', 'a link beside a folder'],
])('[G7] the path %j is %s', (path) => {
  expect(leads(`${home}/etc/**`, path)).toEqual(YES)
  // A denial may mean the link too, a permission never does.
  const shown = path.startsWith(home) ? join(home, 'link-to-site') : site
  expect(leads(`${shown}/**`, path)).toEqual(PERHAPS)
})

test('[G7] a folder of a pattern may be a link itself', () => {
  expect(leads(`${home}/link-to-site/**`, join(site, 'src', 'a.ts'))).toEqual(YES)
  expect(leads(`${home}/link-to-site/**`, join(home, 'link-to-site', 'src', 'a.ts'))).toEqual(YES)
  expect(leads('./out/**', join(home, 'etc', 'deep', 'file'))).toEqual(YES)
  expect(leads(`${home}/link-to-site/src`, join(home, 'link-to-site', 'innocent'))).toEqual(NO)
})

test('[G9] where `..` follows a link, both ways to read it count', () => {
  // The text is in the site; the system looks beside the folder that the link leads to.
  expect(leads(`${site}/**`, 'out/../src')).toEqual(PERHAPS)
  expect(leads(`${home}/etc/**`, 'out/../passwd')).toEqual(PERHAPS)
})

test('[G9] a path in the shape of `~` or of an address of a file counts as both that it may mean', () => {
  expect(leads('./**', '~/secret')).toEqual(PERHAPS)
  expect(leads('~/**', '~/secret')).toEqual(PERHAPS)
  expect(leads('~/**', join(homedir(), 'x'))).toEqual(YES)
  const address = pathToFileURL(join(home, 'etc', 'passwd')).href
  expect(leads('./**', address)).toEqual(PERHAPS)
  expect(leads(`${home}/etc/**`, address)).toEqual(PERHAPS)
  expect(leads('./**', 'file:%2f')).toEqual(PERHAPS)
})

test('[G9] a path that nobody can resolve never fits for sure, and always perhaps', () => {
  expect(leads('/a/**', 'b', '')).toEqual(PERHAPS)
  expect(leads('/a/**', 'b', 'somewhere')).toEqual(PERHAPS)
  expect(leads('./**', '/a', '')).toEqual(PERHAPS)
  expect(leads(`${site}/**`, 'loop')).toEqual(PERHAPS)
  expect(leads(`${site}/**`, 'zero\0')).toEqual(PERHAPS)
  expect(leads(`${site}/**`, 'a/../'.repeat(5000))).toEqual(PERHAPS)
})

test('[G9] where one of the folders that a path may be in is not whole, nobody knows where it leads', () => {
  const { surely, perhaps } = compilePathGlob('/a/**')
  const verdicts = (...bases: string[]) => {
    const call = callOf({ server: 's', tool: 't', arguments: {}, principal: 'p', at: 0, bases })
    return [surely(call.readings('b'), call), perhaps(call.readings('b'), call)]
  }
  expect([verdicts('/a', '/a/c'), verdicts('/a', 'c'), verdicts('/a', '/d'), verdicts()]).toEqual([
    YES,
    PERHAPS,
    PERHAPS,
    PERHAPS,
  ])
})

test('[G288] so is one that only its server can tell: of a variable, the home of somebody, or an address that is none', () => {
  for (const path of ['$DATA/x', `\${DATA}`, '~ada/x', '~root', 'file:///a%2fb', 'file://other/a', 'fi\nle://x/y'])
    expect(leads('/a/**', path)).toEqual(PERHAPS)
  expect(leads(`${home}/etc/**`, `"${home}/etc/passwd"`)).toEqual(PERHAPS)
  for (const path of ['$5', 'a$b/c', '~5 apples', 'a~b']) expect(leads('./**', path)).toEqual(YES)
})

test('[G8] "./" is where the agent works, also when that is behind a link', () => {
  expect(leads('./**', 'src/a.ts')).toEqual(YES)
  expect(leads('./**', 'src/a.ts', join(home, 'link-to-site'))).toEqual(YES)
  expect(leads('./*.ts', join(site, 'a.ts'), join(home, 'link-to-site'))).toEqual(YES)
  expect(leads('.', '.')).toEqual(YES)
  expect(leads('./**', '../etc')).toEqual(NO)
  expect(leads('./**', `${site}-too/x`)).toEqual(NO)
})

test.each([
  ['src/**', /^fits no path/],
  ['/a/', /write "\/a\/\*\*"/],
  ['/a/../b', /^has a "\."/],
  ['/a//b', /^has "\/\/"/],
  ['/a/b**', /^has "\*\*" beside/],
  ['./../b', /^has a "\."/],
  ['/a\\/b', /^has a backslash before/],
  ['/a/{b,c}', /^has a "{"/],
  ['', 'must not be empty'],
])('[G13] the pattern %j of a path is refused', (pattern, problem) => {
  expect(problemInPathGlob(pattern)).toMatch(problem)
})
