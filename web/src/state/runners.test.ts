import { expect, test } from 'vitest'
import type { Request } from './link.svelte.ts'
import { Runners } from './runners.svelte.ts'

function begun() {
  const sent: Request[] = []
  const runners = new Runners((request) => void sent.push(request))
  runners.words = 'Fix the build'
  runners.start({ runner: 'api', mode: 'ask' })
  return { runners, sent, key: sent[0]?.key ?? '' }
}

test('[U187] a conversation is begun once, with its first message, mode and model', () => {
  const { runners, sent, key } = begun()
  runners.start({ runner: 'api' })
  expect(sent).toEqual([{ type: 'start', key, text: 'Fix the build', runner: 'api', mode: 'ask' }])
  runners.started(key, 'c1')
  expect(runners).toMatchObject({ begun: 'c1', words: '', starting: undefined })
})

test('[U187] what is refused is said, and the words stay', () => {
  const { runners, key } = begun()
  expect(runners.refuse('other', 'No')).toBe(false)
  expect(runners.refuse(key, 'There is no runner api')).toBe(true)
  expect(runners).toMatchObject({ problem: 'There is no runner api', words: 'Fix the build', starting: undefined })
})

test('[U187] nothing is begun without words', () => {
  const sent: Request[] = []
  const runners = new Runners((request) => void sent.push(request))
  runners.words = ' \n'
  runners.start({ runner: 'api' })
  expect(sent).toEqual([])
})
