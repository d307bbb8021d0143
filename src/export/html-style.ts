/** The signs of the page, in a grey for light and dark: an image cannot take the colour of the words beside it. */
const FILE = icon('M6.5 3.5h7L18 8v12.5H6.5zM13 3.7V8.5h4.8')
const UP = icon('M12 19V5M5.5 11.5L12 5l6.5 6.5')
const DOWNLOAD = icon('M12 4v11M6.5 10l5.5 5.5 5.5-5.5M5 20h14')

/**
 * Colours are light or dark as the reader's system has it; on paper always dark on white, and no message is torn apart
 * if it fits.
 */
export const STYLE = `
:root { color-scheme: light dark; --page: #faf9f6; --text: #24221e; --muted: #655f55; --line: #e3dfd7; --soft: #f0eee8;
  --agent: #ffffff; --person: #e1eeea; --accent: #0f6e66; --bad: #a92a1e }
@media (prefers-color-scheme: dark) { :root { --page: #1a1917; --text: #ebe9e3; --muted: #a8a297; --line: #35332e;
  --soft: #2a2925; --agent: #23221f; --person: #1f3632; --accent: #5cc6b6; --bad: #f0938a } }
* { box-sizing: border-box }
body { max-width: 50rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; background: var(--page); color: var(--text);
  font: 400 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif;
  overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; letter-spacing: -0.01em }
header p, .head, .note { color: var(--muted); font-size: 0.875rem }
header p { margin: 0.4rem 0 0 }
h2 { display: flex; align-items: center; gap: 0.9rem; margin: 2.25rem 0 1rem; color: var(--muted); font-size: 0.875rem;
  font-weight: 560 }
h2::before, h2::after { content: ""; flex: 1; border-top: 1px solid var(--line) }
article { margin: 0.9rem 0; padding: 0.7rem 1rem; border: 1px solid var(--line); border-radius: 0.9rem;
  background: var(--agent) }
article.person { margin-left: 12%; background: var(--person); border-color: transparent }
article.agent { margin-right: 12% }
.head { margin: 0 0 0.2rem }
.head b { color: var(--text); font-weight: 620 }
.text > :first-child { margin-top: 0 }
.text > :last-child { margin-bottom: 0 }
.heading { font-weight: 650 }
.h1 { font-size: 1.25em }
.h2 { font-size: 1.12em }
a { color: var(--accent) }
pre, code { font: 0.86em/1.55 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace }
pre { margin: 0.6rem 0; padding: 0.7rem 0.9rem; border-radius: 0.6rem; background: var(--soft); white-space: pre-wrap }
:not(pre) > code { padding: 0.1em 0.3em; border-radius: 0.3em; background: var(--soft) }
pre code { font-size: 1em }
blockquote { margin: 0.6rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--muted) }
blockquote > *, li > p { margin: 0.3rem 0 }
.task { margin-left: -1.2rem; list-style: none }
table { border-collapse: collapse }
th, td { padding: 0.25rem 0.7rem; border: 1px solid var(--line); text-align: left; vertical-align: top }
img { max-width: 100% }
.files { display: flex; flex-direction: column; align-items: flex-start; gap: 0.6rem; margin: 0.6rem 0 }
article > .files { margin-bottom: 0.25rem }
.images { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 0.6rem; max-width: 100% }
figure { max-width: 100%; margin: 0; border-radius: 0.6rem }
figure img { display: block; width: auto; height: auto; max-height: 34rem; border-radius: 0.6rem; background: var(--soft) }
figure:not(:only-child) img { max-height: 18rem }
figcaption { width: 0; min-width: max(100%, 8rem); margin-top: 0.25rem }
figcaption, .file small { color: var(--muted); font-size: 0.8rem; line-height: 1.4 }
.file { display: flex; align-items: center; gap: 0.7rem; width: 21rem; max-width: 100%; margin: 0;
  padding: 0.45rem 0.85rem 0.45rem 0.45rem; border: 1px solid var(--line); border-radius: 0.75rem; color: var(--text);
  background: color-mix(in srgb, var(--page) 60%, transparent); text-decoration: none }
.file::before { flex: none; width: 2.5rem; height: 2.5rem; border-radius: 0.5rem; content: "";
  background: ${FILE} center / 1.35rem no-repeat var(--soft) }
.file::after { flex: none; width: 1.2rem; height: 1.2rem }
.file[download]::after { background: ${DOWNLOAD}; content: "" }
.file[href^="#"]::after { background: ${UP}; content: "" }
.file > span { flex: 1; min-width: 0; font-size: 0.875rem; line-height: 1.4 }
.file bdi, .file small { display: block }
.file bdi { font-weight: 560 }
a.file:hover { border-color: var(--accent) }
:target { outline: 2px solid var(--accent); outline-offset: 3px }
.missing { border: 1px dashed var(--muted) }
ul.options { margin: 0.6rem 0 0; padding-left: 1.2rem; color: var(--muted) }
details { margin: 0.6rem 0 }
summary { color: var(--muted); font-size: 0.875rem; cursor: pointer }
.note { margin: 0.6rem 0 }
.bad { color: var(--bad) }
@media (max-width: 40rem) { article.person { margin-left: 1.5rem } article.agent { margin-right: 1.5rem } }
@media print {
  :root { color-scheme: light; --page: #fff; --text: #000; --muted: #444; --line: #bbb; --soft: #f4f4f4; --agent: #fff;
    --person: #f0f0f0; --accent: #000; --bad: #000 }
  body { max-width: none; padding: 0; font-size: 10.5pt }
  article, pre, tr, figure, .file, .note { break-inside: avoid-page }
  h2, .head { break-after: avoid-page }
  article.person { border-color: var(--line) }
  summary { list-style: none }
  details::details-content { content-visibility: visible; block-size: auto }
}
`

function icon(path: string): string {
  const stroke = "fill='none' stroke='#878175' stroke-width='1.9' stroke-linecap='round' stroke-linejoin='round'"
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' ${stroke}><path d='${path}'/></svg>`
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`
}
