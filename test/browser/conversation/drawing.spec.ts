import { type Chat, expect, test } from '../support/fixture.ts'

/** Texts, and what they are drawn as: without what every link and block has, and with code frames as `<pre>`. */
const DRAWN: [text: string, html: string][] = [
  ['# One *two*\n###### Six', '<h3 class="h1">One <em>two</em></h3><h3 class="h6">Six</h3>'],
  ['a\nb  \nc\\\nd', '<p>a<br>b<br>c<br>d</p>'],
  ['***a** b* ~~c~~ `d *e*`', '<p><em><strong>a</strong> b</em> <del>c</del> <code>d *e*</code></p>'],
  ['\\*a\\* \\<b> \\&amp; \\[c](d) \\\\', '<p>*a* &lt;b&gt; &amp;amp; [c](d) \\</p>'],
  ['- a\n  - b\n    1. c\n- d', '<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>'],
  ['5. a\n6. b', '<ol start="5"><li>a</li><li>b</li></ol>'],
  ['- a\n\n- b\n\n  c', '<ul><li><p>a</p></li><li><p>b</p><p>c</p></li></ul>'],
  ['> a\n> > b\n>\n> - c', quoted('<p>a</p><blockquote><p>b</p></blockquote><ul><li>c</li></ul>')],
  [
    '|a|b|c|\n|:-|:-:|-:|\n|1|**2**|x<br>y|',
    framed(
      '<thead><tr><th align="left">a</th><th align="center">b</th><th align="right">c</th></tr></thead>' +
        '<tbody><tr><td align="left">1</td><td align="center"><strong>2</strong></td><td align="right">x<br>y</td></tr></tbody>',
    ),
  ],
  ['a\n\n---\n\nb', '<p>a</p><hr><p>b</p>'],
  ['```c++ x\na\n\n b\n```\n\n    c', '<pre>c++: a\n\n b</pre><pre>text: c</pre>'],

  ['&amp; &copy; &#60; &#x3C; &NotEqualTilde; &#8364;', '<p>&amp; © &lt; &lt; ≂̸ €</p>'],
  [
    '&unknown; &copyright; &copy AT&T &#0; &amp;lt;',
    '<p>&amp;unknown; &amp;copyright; &amp;copy AT&amp;T \ufffd &amp;lt;</p>',
  ],
  [
    '&lt;b&gt;a&lt;/b&gt; `&amp;`\n\n```\n&amp;\n```',
    '<p>&lt;b&gt;a&lt;/b&gt; <code>&amp;amp;</code></p><pre>text: &amp;amp;</pre>',
  ],
  ['[&copy; a](https://a.b/?c=1&amp;d=2 "&quot;")', '<p><a href="https://a.b/?c=1&amp;d=2" title="&quot;">© a</a></p>'],

  [
    '[a][b] [B]\n\n[b]: https://a.b/ "T"',
    '<p><a href="https://a.b/" title="T">a</a> <a href="https://a.b/" title="T">B</a></p>',
  ],
  [
    '<https://a.b/?c&amp;d> www.a.b, a@b.cc',
    '<p><a href="https://a.b/?c&amp;amp;d">https://a.b/?c&amp;amp;d</a> <a href="http://www.a.b/">www.a.b</a>, <a href="mailto:a@b.cc">a@b.cc</a></p>',
  ],
  [
    '[**a** `b`](https://a.b/) [c](tel:1)',
    '<p><a href="https://a.b/"><strong>a</strong> <code>b</code></a> <a>c</a></p>',
  ],
  ['![](https://a.b/c.png) ![x]()', '<p><a href="https://a.b/c.png">Image: a.b</a> <a>Image: x</a></p>'],
  ['[![a *b*](https://a.b/c.png)](https://d.e/)', '<p><a href="https://d.e/">Image: a b</a></p>'],

  ['a <b>b <i>c</i></b> H<sub>2</sub>O</br><KBD>d</KBD>', '<p>a <b>b <i>c</i></b> H<sub>2</sub>O<br><kbd>d</kbd></p>'],
  ['a <b>b <i>c</b> d</i> e', '<p>a <b>b <i>c</i></b> d e</p>'],
  ['</b>a <b>b\n\nc</b>', '<p>a <b>b</b></p><p>c</p>'],
  ['<p>a<p>b **c**\n\nd', '<p>a</p><p>b **c**</p><p>d</p>'],
  [
    '<details>\n<summary>A &amp; b</summary>\n\n**c**\n\n```\nd\n```\n\n</details>\n\ne',
    '<details>\n<summary>A &amp; b</summary><p><strong>c</strong></p><pre>text: d</pre></details><p>e</p>',
  ],
  ['<details><summary>a</summary>b', '<details><summary>a</summary>b</details>'],
  ['<pre>\na <b>b</b>\n\n  &lt;c\n</pre>', '<pre>text: a b\n\n  &lt;c</pre>'],
  ['<pre>a<pre>b</pre>c</pre>', '<pre>text: abc</pre>'],
  ['Use <Button> or Map<string, Foo>', '<p>Use &lt;Button&gt; or Map&lt;string, Foo&gt;</p>'],
  ['<b class="x">a <!-- b --> <i id=c>', '<p>&lt;b class="x"&gt;a &lt;!-- b --&gt; &lt;i id=c&gt;</p>'],
  ['<details open>\n<summary>a</summary>\n&amp;', '&lt;details open&gt;\n&lt;summary&gt;a&lt;/summary&gt;\n&amp;amp;'],
]

test('[U18] each part of Markdown is drawn as what it is, and only a few bare tags are more than text', async ({
  hub,
  visit,
}) => {
  await hub.say('work', [...DRAWN.map(([text]) => text), 'The end'])
  const chat = await visit('/', { height: 6000 })
  await expect(chat.bubble('The end')).toBeVisible()
  await expect(chat.timeline.locator('.markdown')).toHaveCount(DRAWN.length + 1)
  expect((await drawn(chat)).slice(0, -1)).toEqual(DRAWN.map(([, html]) => html))
  const blocks = chat.timeline.locator('.markdown > *:not(.code)')
  expect(new Set(await blocks.evaluateAll((all) => all.map((block) => block.getAttribute('dir'))))).toEqual(
    new Set(['auto']),
  )
})

/** Texts that turned into markup in the hands of a parser and a sanitiser that read them differently. */
const TURNING = [
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.hacked=1&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=window.hacked=1>">',
  '<noscript><p title="</noscript><img src=x onerror=window.hacked=1>">',
  '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=window.hacked=1 src>">',
  '<p><style><!--</p><img src=x onerror=window.hacked=1>--></style>',
  '<xmp><p title="</xmp><img src=x onerror=window.hacked=1>">',
  '<code><img src=x onerror=window.hacked=1></code>',
  '<pre>\n<script>window.hacked=1</script>\n</pre>',
  '&lt;img src=x onerror=window.hacked=1&gt; &#60;script>window.hacked=1&#60;/script>',
  '![<img src=x onerror=window.hacked=1>](/x.png)',
  '[<svg onload=window.hacked=1>](https://a.b "\\"><img src=x onerror=window.hacked=1>")',
  '```"><img src=x onerror=window.hacked=1>\nx\n```',
  '```html\n<img src=x onerror=window.hacked=1><script>window.hacked=1</script>\n```',
  '|<img src=x onerror=window.hacked=1>|\n|-|\n|<script>window.hacked=1</script>|',
]
const ELEMENTS =
  'a, b, blockquote, br, code, del, details, em, h3, hr, i, img, ins, kbd, li, mark, ol, p, s, strong, sub, summary, sup,' +
  ' table, tbody, td, th, thead, tr, u, ul, .task, .table, .code, .code *'

test('[U19] no text of an agent becomes anything but the few elements of Markdown', async ({ hub, visit }) => {
  await hub.say('work', [...TURNING, 'The end'])
  const chat = await visit('/', { height: 4000 })
  await expect(chat.bubble('The end')).toBeVisible()
  await expect(chat.timeline.locator('.hljs-tag').first()).toBeVisible()
  await expect(chat.timeline.locator('.markdown')).toHaveCount(TURNING.length + 1)
  expect(await chat.page.evaluate(() => 'hacked' in window)).toBe(false)
  await expect(chat.timeline.locator('.markdown').locator(`:not(${ELEMENTS})`)).toHaveCount(0)
  await expect(chat.timeline.locator('.markdown').locator('script, style, svg, form, [onerror], [onload]')).toHaveCount(
    0,
  )
  await expect(chat.bubble('noscript').locator('.markdown')).toHaveText(TURNING[2] ?? '')
  const coloured = chat.timeline.locator('code').filter({ has: chat.page.locator('.hljs-tag') })
  await expect(coloured).toHaveText('<img src=x onerror=window.hacked=1><script>window.hacked=1</script>')
})

function quoted(html: string): string {
  return `<blockquote>${html}</blockquote>`
}

function framed(rows: string): string {
  return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${rows}</table></div>`
}

function drawn({ timeline }: Chat): Promise<string[]> {
  return timeline.locator('.markdown').evaluateAll((all) =>
    all.map((bubble) => {
      const copy = bubble.cloneNode(true) as HTMLElement
      for (const frame of copy.querySelectorAll('.code')) {
        const code = document.createElement('pre')
        code.textContent = `${frame.querySelector('.name')?.textContent}: ${frame.querySelector('pre')?.textContent}`
        frame.replaceWith(code)
      }
      return copy.innerHTML
        .replaceAll(/ dir="(?:auto|ltr)"/g, '')
        .replaceAll(' target="_blank" rel="noopener noreferrer"', '')
    }),
  )
}
