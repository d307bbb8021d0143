import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFitting } from '../../scripts/mutants/fitting.ts'
import { mutantsIn } from '../../scripts/mutants/planting.ts'
import { sample } from '../../scripts/mutants/sample.ts'
import { judge, namedSurvivors } from '../../scripts/mutants/survivors.ts'

const CODE = `
export function grade(points: number, names: string[]) {
  const seen: string[] = []
  if (points < 3 || !names.length) return 'low'
  for (const name of names.filter((one) => one !== 'x')) seen.push(name)
  ;[points] = [points + 1]
  return seen.some((one) => one > 'b') ? \`\${points}\` : (seen[0] ?? 'none')
}`

test('[R23] code with mutants in it does as before, until one is made, and then only that', () => {
  const { mutants, planted } = mutantsIn('grade.ts', CODE)
  const numbered = mutants.map((mutant, n) => ({ ...mutant, id: n + 1 }))
  const text = stripTypeScriptTypes(planted(numbered, '').replace('export ', ''))
  const withMutant = (active: number) =>
    new Function('mutant', `${text}; return grade`)((id: number) => id === active) as (
      points: number,
      names: string[],
    ) => string
  const results = (active: number) => {
    const grade = withMutant(active)
    return [grade(3, ['a', 'x']), grade(2, ['a']), grade(5, []), grade(4, ['a', 'c']), grade(4, ['x'])]
  }
  expect(results(0)).toEqual(['a', 'low', 'low', '5', 'none'])
  const found = numbered.map(({ id, name }) => [name, results(id)])
  const told = Object.fromEntries(found)
  expect(told['`points < 3 ¦¦ !names.length` → `false`']).toEqual(['a', 'a', 'none', '5', 'none'])
  expect(told['`points < 3` → `(points) <= (3)`']).toEqual(['low', 'low', 'low', '5', 'none'])
  expect(told["`names.filter((one) => one !== 'x')` → `names`"]).toEqual(['4', 'low', 'low', '5', '5'])
  expect(told['`seen.push(name) ;` gone']).toEqual(['none', 'low', 'low', 'none', 'none'])
  expect(told["`seen[0] ?? 'none'` → `seen[0]`"]).toEqual(['a', 'low', 'low', '5', undefined])
})

test('[R23] what every value has is no method with another beside it', () => {
  const { mutants } = mutantsIn('text.ts', 'export const text = (one: number) => one.toString()')
  expect(mutants).toEqual([])
})

test('[R23] an order can be turned round, and else no mutation of it makes a difference', () => {
  const { mutants } = mutantsIn('order.ts', 'export const inOrder = (a: string, b: string) => (a < b ? -1 : 1)')
  expect(mutants.map(({ name }) => name)).toEqual(['`a < b` → `!(a < b)`'])
})

test('[R23] what the compiler refuses is no mutant', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fitting-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const text = `
export function nameOf(given: string | undefined, kind: 'a' | 'b'): string {
  const unused = given ?? 'none'
  if (kind === 'a') return unused
  return given === undefined ? 'b' : given
}`
  writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "lib": ["es5"], "types": [], "strict": true } }')
  writeFileSync(join(folder, 'name.ts'), text)
  const fitting = openFitting(folder)
  const { mutants } = mutantsIn('name.ts', text)
  const passed = [...fitting(mutants)]
  const refused = mutants.filter((one) => !passed.includes(one)).map(({ name }) => name)
  expect(refused).toEqual([
    "`given ?? 'none'` → `given`",
    "`'a'` → `''`",
    '`unused` → `undefined`',
    "`given === undefined ? 'b' : given` → `undefined`",
    '`given === undefined` → `(given) !== (undefined)`',
  ])
  expect(
    sample(
      mutants.map((one) => ({ ...one, file: 'src/line/name.ts' })),
      100,
      '1',
      (some) => some.values().filter(({ name }) => !refused.includes(name)),
    ),
  ).toHaveLength(mutants.length - refused.length)
})

test('[R23] a mutant that no test notices is a failure, unless it is named', () => {
  const mutants = [
    { id: 1, file: 'src/line/a.ts', line: 4, name: '`a` gone' },
    { id: 2, file: 'src/line/b.ts', line: 5, name: '`a` gone' },
  ]
  const named = namedSurvivors(
    '# Why\n\n| file | mutant | why |\n| --- | --- | --- |\n| `src/line/a.ts` | `a` gone | as it was |\n',
  )
  expect(named).toEqual([{ file: 'src/line/a.ts', name: '`a` gone', reason: 'as it was' }])
  const killed = { killed: 2, by: 'a test', why: 'it failed' }
  expect(judge(mutants, [], named)).toMatchObject({ well: false })
  expect(judge(mutants, [], named).said).toContain('survived: src/line/b.ts:5 `a` gone, where no test comes')
  expect(judge(mutants, [killed], named)).toMatchObject({ well: true })
  expect(judge(mutants, [killed], []).said[0]).toMatch(/^survived: src\/line\/a\.ts:4/)
})

test('[R23] the mutants that are chosen are others only with another seed, as many of each part', () => {
  const all = ['src/line/a.ts', 'src/chat/questions/b.ts'].flatMap((file) =>
    Array.from({ length: 50 }, (_, n) => ({ file, name: `${n}` })),
  )
  const chosen = sample(all, 10, '1')
  expect(chosen.map(({ file }) => file)).toEqual([
    ...Array(5).fill('src/chat/questions/b.ts'),
    ...Array(5).fill('src/line/a.ts'),
  ])
  expect(sample(all.toReversed(), 10, '1')).toEqual(chosen)
  expect(sample([...all, { file: 'src/governance/calls/c.ts', name: 'new' }], 15, '1')).toEqual(
    expect.arrayContaining(chosen),
  )
  expect(sample(all, 10, '2')).not.toEqual(chosen)
})

test('[R24] what is named as a mutant that survives can still be made, and has its reason', () => {
  const named = namedSurvivors()
  expect(named.length).toBeGreaterThan(0)
  const gone = named.filter(
    ({ file, name }) => !mutantsIn(file, readFileSync(file, 'utf8')).mutants.some((mutant) => mutant.name === name),
  )
  expect(gone).toEqual([])
  expect(named.filter(({ reason }) => reason.split(' ').length < 4)).toEqual([])
})
