import { expect, test } from 'vitest'
import type { Request } from '../state/hub/link.svelte.ts'
import { Starting } from './starting.svelte.ts'

function begun() {
  const sent: Request[] = []
  const starting = new Starting((request) => void sent.push(request))
  starting.words = 'Fix the build'
  starting.start({ runner: 'api', mode: 'ask' })
  return { starting, sent, key: sent[0]?.key ?? '' }
}

test('[U187] a conversation is begun once, with its first message, mode and model', () => {
  const { starting, sent, key } = begun()
  starting.start({ runner: 'api' })
  expect(sent).toEqual([{ type: 'start', key, text: 'Fix the build', runner: 'api', mode: 'ask' }])
  starting.take(key, 'c1')
  expect(starting).toMatchObject({ begun: 'c1', words: '', key: undefined })
})

test('[U187] what is refused is said, and the words stay', () => {
  const { starting, key } = begun()
  expect(starting.refuse('other', 'No')).toBe(false)
  expect(starting.refuse(key, 'Runner "api" is gone')).toBe(true)
  expect(starting).toMatchObject({ problem: 'Runner "api" is gone', words: 'Fix the build', key: undefined })
})

test('[U187] nothing is begun without words', () => {
  const sent: Request[] = []
  const starting = new Starting((request) => void sent.push(request))
  starting.words = ' \n'
  starting.start({ runner: 'api' })
  expect(sent).toEqual([])
})

test('[U208] its files go with the first message, alone too, and come back when it is refused', () => {
  const sent: Request[] = []
  const starting = new Starting((request) => void sent.push(request))
  const shot = { hash: '0'.repeat(64), name: 'shot.png', mime: 'image/png', size: 9, width: 1, height: 1 }
  starting.uploads.giveBack([shot])
  starting.start({ runner: 'api' })
  expect(sent).toMatchObject([{ type: 'start', text: '', attachments: [shot], runner: 'api' }])
  expect(starting.uploads.list).toEqual([])
  starting.refuse(sent[0]?.key, 'Runner "api" is gone')
  expect(starting.uploads.list.map(({ name }) => name)).toEqual(['shot.png'])
})
