/** The languages that can be coloured. */
const LANGUAGES = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'dart',
  'dockerfile',
  'elixir',
  'go',
  'graphql',
  'ini',
  'java',
  'javascript',
  'json',
  'kotlin',
  'lua',
  'makefile',
  'markdown',
  'php',
  'powershell',
  'python',
  'r',
  'ruby',
  'rust',
  'scss',
  'sql',
  'swift',
  'typescript',
  'xml',
  'yaml',
] as const
export type Language = (typeof LANGUAGES)[number]

const ALSO: Record<string, Language> = {
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
export function languageOf(name: string): Language | undefined {
  const known = name.toLowerCase()
  return LANGUAGES.find((language) => language === known) ?? (Object.hasOwn(ALSO, known) ? ALSO[known] : undefined)
}

function names(language: Language, also: string): Record<string, Language> {
  return Object.fromEntries(also.split(' ').map((name) => [name, language]))
}
