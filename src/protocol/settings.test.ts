import { expect, test } from 'vitest'
import { givenBy, hubSettings, problemIn } from './settings.ts'

const sentence = (where: string, wrong: string) =>
  `${where} takes exact origins like http://localhost:5173, not "${wrong}"`

test('[C59] origins are written as browsers write them, each once, whatever separates them', () => {
  const text =
    'HTTP://LocalHost:5173/, https://app.example:443 http://localhost:80,\nhttp://localhost:5173 http://[::1]:1'
  expect(problemIn({ 'allow-origin': text }, {})).toBeUndefined()
  const { origins } = hubSettings({ 'allow-origin': text })
  expect(origins).toEqual(['http://[::1]:1', 'http://localhost', 'http://localhost:5173', 'https://app.example'])
  expect(hubSettings({}).origins).toEqual([])
  expect(hubSettings(givenBy({ 'allow-origin': 'http://a' }, { PARLEY_ALLOW_ORIGINS: 'http://b' })).origins).toEqual([
    'http://a',
  ])
})

test.each([
  '*',
  'null',
  'localhost:5173',
  'app.example',
  'http://',
  'http://a/b',
  'http://a//',
  'http://a?b',
  'http://a#b',
  'http://a:70000',
  'http://ada:pw@a',
  'http://*.example',
  'http://*',
  'file:///index.html',
  'file://',
  'ws://a',
  'http://a\\b',
  ',',
])('[C59] %j is no origin, and the sentence names the flag or the variable', (wrong) => {
  const given = { 'allow-origin': wrong }
  expect(problemIn(given, given)).toBe(sentence('--allow-origin', wrong))
  expect(problemIn(given, {})).toBe(sentence('PARLEY_ALLOW_ORIGINS', wrong))
})
