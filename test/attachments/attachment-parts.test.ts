import { expect, test } from 'vitest'
import { startHub } from '../support/hub.ts'
import { uploaded } from '../support/uploads.ts'

test('[F23] a part of a file can be fetched alone, and one that is not there is refused', async () => {
  const { url } = await startHub()
  const { hash } = await uploaded(url, '0123456789')
  const get = (range: string) => fetch(`${url}/attachments/${hash}/a.txt`, { headers: { range } })
  for (const [range, text, told] of [
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-99', '789', 'bytes 7-9/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
  ] as const) {
    const answer = await get(range)
    expect([answer.status, await answer.text()]).toEqual([206, text])
    expect(answer.headers.get('content-range')).toBe(told)
    expect(answer.headers.get('content-length')).toBe(String(text.length))
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  }
  for (const range of ['bytes=0-1,3-4', 'lines=0-1', 'bytes=-', 'bytes=a-b']) {
    const answer = await get(range)
    expect([answer.status, await answer.text()]).toEqual([200, '0123456789'])
  }
  for (const range of ['bytes=10-', 'bytes=5-4', 'bytes=-0']) {
    const answer = await get(range)
    expect([answer.status, await answer.json()]).toEqual([416, { error: 'The file has only 10 bytes' }])
  }
})
