import { Marked } from 'marked'
import { expect, test } from 'vitest'
import { createExports } from '../../src/export/exports.ts'
import { safeHtml } from '../../src/export/safe-html.ts'
import { safeMarkdown } from '../../src/export/safe-markdown.ts'
import { storedBody } from '../../src/protocol/entries/stored.ts'
import type { ExportFormat } from '../../src/protocol/frames/export.ts'
import { ask, person } from '../support/chat.ts'
import { HOSTILE } from '../support/fuzz/hostile-texts.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { recordIn } from '../support/log.ts'

const say = (text: string) => ({ text })
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
/** As a careless renderer does it, which passes every tag on. */
const careless = new Marked({ gfm: true })
const TAG =
  /<(?!\/?(?:p|br|h[1-6]|blockquote|pre|code|ul|ol|li|em|strong|del|hr|table|thead|tbody|tr|th|td|input|a)\b)[^>]*>?/i

async function talkativeHub() {
  const hub = await startHub()
  const { chat, view } = hub
  const ada = person(chat, 'ada')
  await view.tell('work', { by: 'codex', text: 'Hello **there**\n\n```ts\nlet a: Array<string>\n```' })
  const asked = await ask(view, {
    by: 'codex',
    text: 'Which?',
    options: [{ label: 'Red', description: 'like a rose' }, { label: 'Blue' }],
  })
  await ada.choose(asked, ['Blue'])
  const call = await ask(view, {
    by: 'codex',
    text: 'Allow?',
    approval: { tool_name: 'Bash', input: '{"command":"ls"}' },
  })
  await ada.deny(call, 'Not now')
  const approval = { tool_name: 'Bash', input: '{"path":"pwd"}' }
  const again = await ask(view, { by: 'codex', text: 'Allow?', approval })
  await ask(view, { by: 'codex', text: 'And this?', approval })
  await ada.allowAlways(again, undefined)
  await ask(view, { by: 'codex', text: 'Allow?', approval: { ...approval, input: '{"path":"id"}' } })
  await person(chat, 'bob').revoke('work', 'Bash')
  await view.record('work', {
    kind: 'tool_result',
    by: 'codex',
    tool_name: 'Read',
    result: 'line 1\nline 2',
    success: true,
  })
  await view.record('work', { kind: 'thinking', by: 'codex', reasoning: 'Hmm' })
  await view.record('work', { kind: 'turn', by: 'codex' })
  await view.tell('work', { by: 'codex', text: 'iVBORw0KGgo=', mime: 'image/png' })
  await view.rename('work', 'Paint: the “shed”')
  return hub
}

async function exported(url: string, name: string, format: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}/api/export/${encodeURIComponent(name)}?format=${format}`, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

test('[X11] [A22] Markdown has everything that was said and done, in order', async () => {
  const { url } = await talkativeHub()
  const { status, headers, text } = await exported(url, 'work', 'md')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(headers.get('content-disposition')).toBe(
    `attachment; filename="Paint- the _shed_.md"; filename*=UTF-8''Paint-%20the%20%E2%80%9Cshed%E2%80%9D.md`,
  )
  const parts = [
    '# Paint: the “shed”',
    '**Codex**, ',
    '> Hello **there**',
    '> ```ts\n> let a: Array<string>\n> ```',
    '> Which?\n>\n> - Red: like a rose\n> - Blue',
    '**ada**, ',
    '> Blue',
    '**Codex** asks to use Bash, ',
    '> {"command":"ls"}',
    'Denied by ada: Not now',
    '> {"path":"pwd"}',
    'Allowed by the standing permission of ada',
    'Always allowed by ada',
    '**Codex** uses Bash, by the standing permission of ada, ',
    '> {"path":"id"}',
    'bob took back: Bash asks again',
    '**Codex** got an answer from Read, ',
    '> line 1\n> line 2',
    '> Hmm',
    'An image (image/png)',
    'The title is now “Paint: the “shed””',
  ]
  let at = 0
  for (const part of parts) {
    expect(text.indexOf(part, at), `${part} in ${text}`).toBeGreaterThanOrEqual(at)
    at = text.indexOf(part, at)
  }
})

test('[X11] JSON has every entry as it is in the log', async () => {
  const { url, view } = await talkativeHub()
  const { headers, text } = await exported(url, 'work', 'json')
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  const { entries, ...about } = JSON.parse(text)
  expect(about).toEqual({
    conversation: 'work',
    title: 'Paint: the “shed”',
    exported_at: expect.any(String),
    files: {},
  })
  const logged = (await view.page('work', { limit: 100 })).entries
  expect(entries).toEqual(
    logged.map(({ id, at, key, body }) => ({ id, at: new Date(at).toISOString(), ...(key && { key }), body })),
  )
})

test('[X11] HTML is one whole file with a policy of its own', async () => {
  const { url } = await talkativeHub()
  const { headers, text } = await exported(url, 'work', 'html')
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(text).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/)
  expect(text).toContain('content-security-policy" content="default-src \'none\'')
  for (const part of [
    'Hello <strong>there</strong>',
    '<li>Red: like a rose</li>',
    'data:image/png;base64,iVBORw0KGgo=',
  ])
    expect(text).toContain(part)
  expect(text).not.toMatch(/<script|<link|https?:/)
})

test('[X11] an export has what was said when it was asked for, however long it takes', async () => {
  const { view, files } = await startHub()
  await Promise.all(Array.from({ length: 150 }, (_, n) => view.say('work', say(`said ${n}`))))
  const { chunks } = await createExports({ files }).open({ source: view, name: 'work', format: 'json' })
  let text = ''
  for await (const chunk of chunks) {
    text += chunk
    await view.say('work', say('meanwhile'))
  }
  const { entries } = JSON.parse(text) as { entries: { body: { text: string } }[] }
  expect(entries.map(({ body }) => body.text)).toEqual(Array.from({ length: 150 }, (_, n) => `said ${n}`))
})

test('[X12] hostile text in Markdown stays text in any renderer, and stays a quotation', async () => {
  const { url, view } = await startHub()
  for (const text of HOSTILE) {
    const html = await careless.parse(safeMarkdown(text))
    expect(html.match(TAG)?.[0], `${text}\n→ ${html}`).toBeUndefined()
    expect(html).not.toMatch(/<img|onerror=(?!alert\(1\)(?:>|&gt;|\/))/)
    await view.say('work', say(text))
    await view.say('work', { ...say(text), mime: 'text/plain' })
    await view.record('work', { kind: 'tool_result', by: 'codex', tool_name: 'x', result: text, success: false })
    await view.record('work', { kind: 'error', by: 'codex', error: text })
    await view.rename('work', `${text.replace(/\p{Cc}/gu, '').slice(0, 150)}x`)
  }
  const { text } = await exported(url, 'work', 'md')
  for (const line of text.split(/\r\n?|\n/).filter((line) => line !== '' && !line.startsWith('>')))
    expect(line).toMatch(/^(#|##) |^\*\*|^\*\d\d:\d\d\* |^The conversation work in Parley/)
  expect((await careless.parse(text)).match(TAG)?.[0]).toBeUndefined()
})

test('[X12] hostile text in HTML makes no tag, no attribute and no address of its own', async () => {
  for (const text of HOSTILE) {
    const html = safeHtml(text)
    for (const [tag] of html.matchAll(/<[^>]*>?/g))
      expect(tag, text).toMatch(
        /^<\/?(?:p|p class="heading h\d"|br|blockquote|pre|code|ul|ol|li|li class="task"|em|strong|del|hr|table|thead|tbody|tr|th|td|a|a href="(?:https?|mailto):[^"<>]*" rel="noopener noreferrer")>$/,
      )
  }
  expect(safeHtml('[a](https://a.invalid) &amp; `x`')).toBe(
    '<p><a href="https://a.invalid" rel="noopener noreferrer">a</a> &amp; <code>x</code></p>\n',
  )
})

test('[X12] hostile text in JSON is safe inside a script element too', async () => {
  const { url, view } = await startHub()
  for (const text of HOSTILE) await view.say('work', say(text))
  const { text } = await exported(url, 'work', 'json')
  expect(text).not.toContain('<')
  const { entries } = JSON.parse(text) as { entries: { body: { text: string } }[] }
  expect(entries.map(({ body }) => body.text)).toEqual(HOSTILE)
})

test('[X13] a page is read when the one before was taken', async () => {
  const { view, files } = await startHub()
  await Promise.all(Array.from({ length: 1000 }, (_, n) => view.say('work', say(`said ${n}`))))
  let pages = 0
  const source = {
    ...view,
    logged: (...range: Parameters<typeof view.logged>) => {
      pages++
      return view.logged(...range)
    },
  }
  for (const format of ['md', 'json', 'html'] as ExportFormat[]) {
    pages = 0
    const { chunks } = await createExports({ files }).open({ source, name: 'work', format })
    const taking = chunks[Symbol.asyncIterator]()
    for (const read of [0, 1, 2]) {
      const { value } = await taking.next()
      expect([pages, value.length < 100_000]).toEqual([read, true])
    }
    while (!(await taking.next()).done);
    expect(pages).toBe(11)
  }
})

test('[X13] a reader that goes away in the middle leaves nothing behind', async () => {
  const { view, url } = await startHub()
  await Promise.all(Array.from({ length: 300 }, (_, n) => view.say('work', say(`${n} ${'x'.repeat(20_000)}`))))
  const leaving = new AbortController()
  const response = await fetch(`${url}/api/export/work`, { signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
  expect((await exported(url, 'work', 'json')).status).toBe(200)
})

test('[X14] unknown names are refused with the nearest ones, and titles are names too', async () => {
  const { view, url } = await startHub()
  for (const name of ['website', 'web-shop', 'twin 1', 'twin 2', '100% a/b?#']) await view.say(name, say('Hello'))
  await view.rename('web-shop', 'The shop')
  for (const name of ['twin 1', 'twin 2']) await view.rename(name, 'Twin')
  const refusal = async (name: string, format = 'md') => {
    const { status, text } = await exported(url, name, format)
    return [status, JSON.parse(text).error]
  }
  expect(await refusal('websit')).toEqual([404, 'Unknown conversation "websit"; did you mean "website"?'])
  expect(await refusal('the shop')).toEqual([404, 'Unknown conversation "the shop"; did you mean "web-shop"?'])
  expect(await refusal('Twin')).toEqual([404, 'Unknown conversation "Twin"; did you mean "twin 2" or "twin 1"?'])
  expect((await refusal('x'.repeat(50)))[1]).toMatch(/; the newest are "twin 2" or "twin 1" or "web-shop"$/)
  expect(await refusal('website', 'pdf')).toEqual([400, 'Unknown format "pdf"; known: md, json, html'])
  expect((await fetch(`${url}/api/export/%E0%A4%A`)).status).toBe(404)
  expect((await exported(url, 'The shop', 'md')).text).toMatch(/^# The shop/)
  expect(JSON.parse((await exported(url, '100% a/b?#', 'json')).text).conversation).toBe('100% a/b?#')
})

test('[X14] whoever may see one conversation exports that one, and agents none', async () => {
  const { view, url, tokens } = await startHub()
  for (const name of ['mine', 'minx']) await view.say(name, say('Hello'))
  const ada = bearer((await tokens.create({ name: 'ada', conversation: 'mine' })).secret)
  const bob = bearer((await tokens.create({ name: 'bob' })).secret)
  const codex = bearer((await tokens.create({ name: 'codex', role: 'agent' })).secret)
  expect((await exported(url, 'mine', 'md', ada)).status).toBe(200)
  expect((await exported(url, 'minx', 'md', bob)).status).toBe(200)
  expect(await exported(url, 'minx', 'md', ada)).toMatchObject({
    status: 404,
    text: '{"error":"Unknown conversation \\"minx\\""}',
  })
  expect((await exported(url, 'mine', 'md', codex)).status).toBe(403)
  for (const headers of [{}, bearer('guess')]) expect((await exported(url, 'mine', 'md', headers)).status).toBe(401)
})

test('[X22] exports tell of an entry that this version does not know, and JSON has it as it is', async () => {
  const data = await temporaryFolder()
  const poll = { kind: 'poll <b>', options: ['Red', { nested: [null, 1.5] }] }
  const [hello, bye] = [say('Hello'), say('Bye')].map((words) => ({
    kind: 'message',
    author: 'user',
    by: 'ada',
    ...words,
  }))
  await recordIn(data, { work: [hello, storedBody(JSON.stringify(poll)), storedBody('{"kind":'), bye] })
  const { url } = await startHub(data)
  const { text: markdown } = await exported(url, 'work', 'md')
  expect(markdown).toMatch(/> Hello\n\n\*\d\d:\d\d\* A newer version of Parley can export this \\\(poll &lt;b/)
  const { text: html } = await exported(url, 'work', 'html')
  expect(html).toMatch(
    /<p class="note"><time [^>]*>[\d:]*<\/time> A newer version of Parley can export this \(poll &#60;b&#62;\)<\/p>/,
  )
  const { entries } = JSON.parse((await exported(url, 'work', 'json')).text)
  expect(entries.map(({ body }: { body: unknown }) => body)).toEqual([hello, poll, '{"kind":', bye])
})

test('[X23] every type that is neither Markdown nor an image is a block of code, and JSON is indented', async () => {
  const { url, view } = await startHub()
  const tell = (mime: string, text: string) => view.tell('work', { by: 'codex', text, mime })
  await view.say('work', { text: '{"a":["<b>"]}', mime: 'application/json', structured: true })
  await tell('text/markdown; charset=utf-8', '**bold**')
  for (const mime of ['text/html', 'image/svg+xml', 'application/x-unknown'])
    await tell(mime, `<script>${mime}</script>`)
  const markdown = (await exported(url, 'work', 'md')).text
  expect(markdown).toContain('> ```json\n> {\n>   "a": [\n>     "<b>"\n>   ]\n> }\n> ```\n')
  expect(markdown).toContain('> ```\n> <script>text/html</script>\n> ```\n')
  const html = (await exported(url, 'work', 'html')).text
  expect(html).toContain('<pre>{\n  &#34;a&#34;: [\n    &#34;&#60;b&#62;&#34;\n  ]\n}</pre>')
  expect(html).toContain('<pre>&#60;script&#62;image/svg+xml&#60;/script&#62;</pre>')
  for (const text of [markdown, html]) expect(text).toMatch(/\*\*bold\*\*|<strong>bold<\/strong>/)
})
