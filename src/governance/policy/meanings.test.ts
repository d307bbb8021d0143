import { expect, test } from 'vitest'
import { isNull, numbersIn, textsIn, truthIn } from './meanings.ts'

test.each([
  [200, [200]],
  ['200', [200]],
  [' 200\n', [200]],
  ['200.0', [200]],
  ['2e2', [200]],
  ['0xC8', [200]],
  ['$200', [200]],
  ['-€ 200', [-200]],
  ['200 EUR', [200]],
  ['1_000', [1000, 1]],
  ['1,5', [15, 1.5]],
  ['1,000', [1000, 1]],
  ["1'000", [1000, 1]],
  ['２００', [200]],
  ['-inf', [Number.NEGATIVE_INFINITY]],
  [true, [1]],
  ['twenty', []],
  ['', []],
  [null, []],
  [[200], []],
])('[G153] the numbers that %j may be are %j', (value, numbers) => {
  expect(numbersIn(value)).toEqual(numbers)
})

test.each([
  [true, true],
  ['True', true],
  [' yes ', true],
  [1, true],
  ['1', true],
  ['off', false],
  [0, false],
  ['n', false],
  [2, undefined],
  ['maybe', undefined],
  [null, undefined],
])('[G153] whether %j may be true is %s', (value, truth) => {
  expect(truthIn(value)).toBe(truth)
})

test('[G153] what is longer than a word or a number can be is looked at no further', () => {
  const blank = ' '.repeat(96)
  expect([`${blank}true`, `${blank} true`].map(truthIn)).toEqual([true, undefined])
  expect([`${blank}null`, `${blank} null`].map(isNull)).toEqual([true, false])
  expect([`${' '.repeat(9999)}7`, `${' '.repeat(10_000)}7`].map(numbersIn)).toEqual([[7], []])
})

test('[G153] a value is also the text that it is written as, and a text what is left without blanks', () => {
  expect([5, true, ' main\n', 'main', null, ['main']].map(textsIn)).toEqual([
    ['5'],
    ['true'],
    [' main\n', 'main'],
    ['main'],
    [],
    [],
  ])
  expect([null, ' NULL ', 'nulls', undefined, 0].map(isNull)).toEqual([true, true, false, false, false])
})

test('[G289] a number counts with the digits, groups and codes of whoever writes it', () => {
  const numbers = { '٢٠٠': 200, '२००': 200, '1.000,50': 1000.5, '1.000.000': 1_000_000, '1’000': 1000 }
  for (const [text, number] of Object.entries({ ...numbers, 'EUR 200': 200, USD200: 200, '"200"': 200, '=200': 200 }))
    expect(numbersIn(text)).toContain(number)
  for (const text of ['x200', 'Euro 200', 'abc']) expect(numbersIn(text)).toEqual([])
  expect(numbersIn('36.625')).toEqual([36.625])
})
