import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Marked } from 'marked'
import { expect, test } from 'vitest'
import { createExports } from '../../src/export/exports.ts'
import type { Attachment } from '../../src/protocol/entries/attachment.ts'
import { ask, person } from '../support/chat.ts'
import { startHub, temporaryFolder } from '../support/hub.ts'
import { png } from '../support/images.ts'
import { uploaded } from '../support/uploads.ts'

const PICTURE = new Uint8Array(png(64, 48))
const LARGE = new Uint8Array(randomBytes(5_000_000))
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const HOSTILE_NAMES = [
  '<img src=x onerror=alert(1)>.png',
  'a](javascript:alert(1)).pdf',
  '"><script>alert(1)<script>.txt',
  "' onfocus='alert(1)' x='.txt",
  '![x](y) `code` **bold** &lt;b&gt;.md',
  'report\u202Efdp.exe',
  'two\nlines\u2028> # Forged.txt',
]

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const say = (text: string, attachments?: Attachment[]) => ({ text, attachments })

/** Every kind of entry that carries files, some of them more than once. */
async function hubWithFiles(data?: string) {
  const hub = await startHub(data)
  const { chat, url } = hub
  const [view, ada] = [hub.view, person(chat, 'ada')]
  const picture = await uploaded(url, PICTURE, { name: 'shot.png', mime: 'image/png' })
  const large = await uploaded(url, LARGE, { name: 'report.pdf', mime: 'application/pdf' })
  const drawing = await uploaded(url, SVG, { name: 'plan.svg', mime: 'image/svg+xml' })
  const elsewhere = await uploaded(url, 'Not for you', { name: 'secret.txt' })
  for (const { hash } of [picture, large, drawing, elsewhere]) await ada.files.uploaded(hash)
  await ada.say('work', say('Both of them', [large, picture]))
  await view.record('work', { kind: 'progress', by: 'codex', text: 'Drawn', attachments: [drawing] })
  const id = await ask(view, { by: 'codex', text: 'Good?', attachments: [picture] })
  await ada.answer(id, '', undefined, [{ ...large, name: 'again.pdf' }])
  await view.say('other', say('Elsewhere', [elsewhere]))
  return { ...hub, picture, large, drawing }
}

async function exported(url: string, format: string): Promise<string> {
  const response = await fetch(`${url}/api/export/work?format=${format}`)
  expect(response.status).toBe(200)
  return response.text()
}

test('[X19] JSON has the entries as they are and the content of each file once', async () => {
  const { view, url, picture, large, drawing } = await hubWithFiles()
  const { entries, files } = JSON.parse(await exported(url, 'json'))
  const logged = (await view.page('work', { limit: 100 })).entries
  expect(entries.map(({ body }: { body: unknown }) => body)).toEqual(logged.map(({ body }) => body))
  expect(entries[0].body.attachments).toEqual([large, picture])
  expect(Object.keys(files)).toEqual([large.hash, picture.hash, drawing.hash])
  expect(files[large.hash] === base64(LARGE)).toBe(true)
  expect([files[picture.hash], files[drawing.hash]]).toEqual([base64(PICTURE), btoa(SVG)])
})

test('[X19] Markdown names each file with its size and says where its content is', async () => {
  const { url } = await hubWithFiles()
  const text = await exported(url, 'md')
  const where = 'which is in the HTML and JSON exports'
  expect(text).toContain(`> Both of them\n\n- Attached: report.pdf (5 MB), ${where}\n- Attached: shot.png (`)
  expect(text).toMatch(/\* Codex: Drawn\n\n- Attached: plan\.svg \(71 bytes\), which/)
  expect(text).toMatch(
    /\n\*\*ada\*\*, \d\d:\d\d\n\n- Attached: again\.pdf \(5 MB\), which is in the HTML and JSON exports\n$/,
  )
  expect(text).not.toContain('secret')
})

test('[X20] HTML shows what browsers draw, has the rest as downloads, and each content once', async () => {
  const { url, picture } = await hubWithFiles()
  const html = await exported(url, 'html')
  const [image = ''] = html.match(/<img[^>]*>/g) ?? []
  expect(image).toBe(`<img alt="shot.png" width="64" height="48" src="data:image/png;base64,${base64(PICTURE)}">`)
  expect(picture.size).toBe(PICTURE.length)
  const links = Array.from(html.matchAll(/<a class="file"[^>]*>/g), ([tag]) => tag)
  const download = (id: number, name: string, content: string) =>
    `<a class="file" id="file-${id}" download="${name}" href="data:application/octet-stream;base64,${content}">`
  expect(links.length).toBe(4)
  expect(links[0] === download(1, 'report.pdf', base64(LARGE))).toBe(true)
  expect(links.slice(1)).toEqual([
    download(3, 'plan.svg', btoa(SVG)),
    '<a class="file" href="#file-2">',
    '<a class="file" href="#file-1">',
  ])
  expect(html.split('base64,').length - 1).toBe(3)
  expect(html).toContain('<bdi>again.pdf</bdi> <small>5 MB, the same as above</small>')
})

test('[X21] a missing file is said to be missing, and the export goes on', async () => {
  const data = await temporaryFolder()
  const { view, url, large } = await hubWithFiles(data)
  await view.say('work', say('The last word'))
  await rm(join(data, 'files', large.hash.slice(0, 2), large.hash))
  const { entries, files } = JSON.parse(await exported(url, 'json'))
  expect([entries.at(-1).body.text, files[large.hash]]).toEqual(['The last word', null])
  const markdown = await exported(url, 'md')
  expect(markdown).toMatch(
    /- Attached: report\.pdf \(5 MB\), which is missing\n[\s\S]*again\.pdf \(5 MB\), which is missing\n[\s\S]*The last word\n$/,
  )
  const html = await exported(url, 'html')
  expect(html.match(/<p class="file missing">/g)).toHaveLength(2)
  expect(html).toMatch(
    /<bdi>report\.pdf<\/bdi> <small>5 MB, missing when this was exported<\/small>[\s\S]*The last word[\s\S]*<\/html>\n$/,
  )
})

test('[X12] hostile names of files make no tag, no link, no line and no turn of their own', async () => {
  const { chat, url } = await startHub()
  const ada = person(chat, 'ada')
  const picture = await uploaded(url, PICTURE)
  const other = await uploaded(url, 'Hello')
  for (const { hash } of [picture, other]) await ada.files.uploaded(hash)
  // Not through a door, which would refuse or clean some of them.
  for (const name of HOSTILE_NAMES)
    for (const file of [picture, other])
      await ada.say(
        'work',
        say('', [
          { ...file, name },
          { ...file, name },
        ]),
      )
  const html = await exported(url, 'html')
  const body = html.slice(html.indexOf('<main>'))
  for (const [tag] of body.matchAll(/<[^>]*>?/g))
    expect(tag).toMatch(
      /^<(?:\/?(?:main|body|html|h2|article|p|b|time|div|figure|figcaption|bdi|span|small|a)|(?:article|p|div) class="\w+"|time datetime="[^"]+"|figure id="file-\d"|img alt="[^"]*" width="64" height="48" src="data:image\/png;base64,[^"]+"|a class="file" (?:href="#file-\d"|id="file-\d" download="[^"]*" href="data:application\/octet-stream;base64,[^"]+"))>$/,
    )
  expect(html).not.toContain('\u202e')
  const markdown = await exported(url, 'md')
  for (const line of markdown
    .split(/\r\n?|[\n\u2028]/)
    .filter(Boolean)
    .slice(2))
    expect(line).toMatch(/^## |^\*\*ada\*\*, \d\d:\d\d$|^- Attached: .*\), which is in the HTML and JSON exports$/)
  expect(markdown).not.toContain('\u202e')
  expect(await new Marked({ gfm: true }).parse(markdown)).not.toMatch(/<(?!\/?(?:h1|h2|p|strong|ul|li)\b)/)
  const json = await exported(url, 'json')
  expect(json).not.toContain('<')
  const names = JSON.parse(json).entries.map(
    (entry: { body: { attachments: Attachment[] } }) => entry.body.attachments[0]?.name,
  )
  expect([...new Set(names)]).toEqual(HOSTILE_NAMES)
})

test('[X13] files are read a piece at a time, and one who stops reading leaves none open', async () => {
  const { view, files, large, picture } = await hubWithFiles()
  const steps: string[] = []
  const watched = { base64: (hash: string) => reading(hash, files.base64(hash) ?? expect.fail()) }
  // Left in the middle of the large one, what comes after it is never opened.
  for (const [format, expected] of [
    ['json', [`open ${large.hash}`, `close ${large.hash}`]],
    ['html', [picture, large].flatMap(({ hash }) => [`open ${hash}`, `close ${hash}`])],
    ['md', []],
  ] as const) {
    steps.length = 0
    const { chunks } = await createExports({ files: watched }).open({ source: view, name: 'work', format })
    let taken = 0
    for await (const chunk of chunks) {
      expect(chunk.length).toBeLessThan(1_000_000)
      taken += chunk.length
      if (taken > 2_000_000) break
    }
    expect(steps).toEqual(expected)
  }

  async function* reading(hash: string, content: AsyncIterable<string>) {
    steps.push(`open ${hash}`)
    try {
      yield* content
    } finally {
      steps.push(`close ${hash}`)
    }
  }
})
