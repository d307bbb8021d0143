import type { LanguageFn } from 'highlight.js'

type Load = () => Promise<{ default: LanguageFn }>

/** Each in a file of its own, loaded for the first block in it. */
const LANGUAGES: Record<string, Load> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dart: () => import('highlight.js/lib/languages/dart'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scss: () => import('highlight.js/lib/languages/scss'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

const ALSO: Record<string, string> = {
  ...names('bash', 'sh zsh shell console shellsession'),
  ...names('cpp', 'c++ cc cxx h hpp'),
  ...names('csharp', 'c# cs'),
  ...names('dockerfile', 'docker'),
  ...names('elixir', 'ex exs'),
  ...names('go', 'golang'),
  ...names('ini', 'toml cfg conf'),
  ...names('javascript', 'js jsx mjs cjs'),
  ...names('json', 'jsonc json5 jsonl'),
  ...names('kotlin', 'kt kts'),
  ...names('makefile', 'make mk'),
  ...names('markdown', 'md mdx'),
  ...names('powershell', 'ps1 pwsh'),
  ...names('python', 'py py3 pycon'),
  ...names('ruby', 'rb'),
  ...names('rust', 'rs'),
  ...names('scss', 'less sass'),
  ...names('sql', 'sqlite postgres postgresql mysql'),
  ...names('typescript', 'ts tsx mts cts'),
  ...names('xml', 'html xhtml svg vue svelte'),
  ...names('yaml', 'yml'),
}

/** The name it is highlighted under; undefined when it is not. */
export function languageOf(name: string): string | undefined {
  const known = name.toLowerCase()
  return Object.hasOwn(LANGUAGES, known) ? known : Object.hasOwn(ALSO, known) ? ALSO[known] : undefined
}

export async function loadLanguage(name: string): Promise<LanguageFn | undefined> {
  return (await LANGUAGES[name]?.())?.default
}

function names(language: string, also: string): Record<string, string> {
  return Object.fromEntries(also.split(' ').map((name) => [name, language]))
}
