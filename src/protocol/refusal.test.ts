import { expect, test } from 'vitest'
import { ParleyError } from './errors.ts'
import { ifRefused, isRefusal, refusalFor } from './refusal.ts'

const SETTLED = new ParleyError('question_settled')

test('[G325] a refusal is told by its code, and every other error is thrown', () => {
  expect(isRefusal(SETTLED)).toBe(true)
  expect(isRefusal(SETTLED, 'disk_full', 'question_settled')).toBe(true)
  expect(isRefusal(SETTLED, 'disk_full')).toBe(false)
  expect(ifRefused(({ code }) => code, 'question_settled')(SETTLED)).toBe('question_settled')
  expect(() => ifRefused(() => '', 'disk_full')(SETTLED)).toThrow(SETTLED)
  expect(() => ifRefused(() => '')(new TypeError('a fault'))).toThrow('a fault')
})

test('[G325] what is no refusal is reported, and answered as a fault of the hub', () => {
  const reported: unknown[] = []
  const fault = new TypeError('a fault')
  expect(refusalFor(SETTLED, (error) => reported.push(error))).toBe(SETTLED)
  expect(refusalFor(fault, (error) => reported.push(error)).code).toBe('internal')
  expect(reported).toEqual([fault])
})
