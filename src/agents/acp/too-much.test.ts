import { expect, test } from 'vitest'
import { drivenAgent } from '../../../test/support/driven/driven-agent.ts'

test.for([
  ['deep', 'Nothing is taken of a message of Robo: what it sent is nested more than 200 deep'],
  ['long', 'Nothing is taken of a message of Robo: what it sent is longer than 32 MiB'],
] as const)(
  '[O322] a message without bounds is not taken, which people and its sender hear: %s',
  async ([kind, notice]) => {
    const { prompt, asked, of, says, shownTools } = await drivenAgent()
    const turn = prompt(`do excessive ${kind}`)
    const { text, settled } = await asked()
    expect(text).toBe('plain')
    settled({ outcome: 'approved' })
    expect(await turn).toMatchObject({ outcome: 'ended' })
    expect(of('notice').map((told) => told.text)).toContain(notice)
    expect(of('ask')).toHaveLength(1)
    expect(shownTools().map(({ id }) => id)).toEqual(['plain'])
    expect(says()).toBe('done.')
  },
)
