import { expect, test } from 'vitest'
import { filledIn, parseMount } from './mount-config.ts'

const the = (name: string) => `\${${name}}`

test('[G30] variables stand in arguments, environment, address and headers, with or without a default', () => {
  const env = { TOKEN: 'secret', EMPTY: '', PORT: '80' }
  const config = (value: object) => filledIn(parseMount('box', value), env)
  expect(
    config({
      command: 'run',
      args: [`--key=${the('TOKEN')}`, the('NONE:-a b')],
      env: { A: the('EMPTY'), B: the('EMPTY:-c') },
    }),
  ).toEqual({ command: 'run', args: ['--key=secret', 'a b'], env: { A: '', B: 'c' } })
  expect(
    config({
      type: 'http',
      url: `http://box:${the('PORT')}/mcp`,
      headers: { authorization: `Bearer ${the('TOKEN')}` },
    }),
  ).toEqual({
    type: 'http',
    url: 'http://box:80/mcp',
    headers: { authorization: 'Bearer secret' },
  })
  expect(() => config({ command: 'run', args: [the('NONE')] })).toThrow('The variable NONE is not set')
})

test('[G30] what is no server is refused in one sentence', () => {
  for (const [value, problem] of [
    [7, 'The input must be an object'],
    [{}, '"command" must be text'],
    [{ command: '' }, '"command" must not be empty'],
    [{ command: 'run', args: 'all' }, '"args" must be a list of texts'],
    [{ url: 'http://box', type: 'stdio' }, '"type" must be stdio, http, streamable-http or sse'],
  ] as const)
    expect(() => parseMount('box', value)).toThrow(problem)
  expect(() => parseMount('agent', { command: 'run' })).toThrow('A server cannot be called agent')
  expect(() => filledIn(parseMount('box', { url: 'box' }), {})).toThrow('Its url must begin with http')
})
