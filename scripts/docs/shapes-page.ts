import { page, sentence } from './markdown.ts'
import { literalIn, type Shape, variantsOf, type Words } from './shapes.ts'

/** What frames, tools and resources have in common. Sections link to further ones, until there are no more. */
export function shapesPage(words: Words): string {
  const sections = new Map<Shape, string[]>()
  for (const shape of words.linked) sections.set(shape, section(words, shape))
  const inOrder = [...sections].sort(([one], [other]) => (one.name < other.name ? -1 : 1))
  return page(
    '# Shapes',
    'Objects that [frames](frames.md), [tools](tools.md) and [resources](resources.md) share. An **entry id** is 16 digits; ids grow through the whole log, and sort as text. A **name** has 1 to 200 characters and no control characters. A **text** takes at most 1 MiB.',
    ...inOrder.flatMap(([, parts]) => parts),
  )
}

function section(words: Words, { name, schema, comments }: Shape): string[] {
  const variants = variantsOf(schema)
  const head = [`## ${name}`, ...(comments.about ? [sentence(comments.about)] : [])]
  if (variants.length === 0) return [...head, words.fieldTable(schema, comments, name)]
  return [
    ...head,
    'One of these:',
    ...variants.flatMap((variant, n) => {
      const said = comments.variants[n]
      const kind = ['kind', 'type', 'until'].map((field) => literalIn(variant, field)).find(Boolean) ?? 'otherwise'
      return [
        `### ${name}: ${kind}`,
        ...(said?.about ? [sentence(said.about)] : []),
        words.fieldTable(variant, said, [name, kind].filter(Boolean).join('.')),
      ]
    }),
  ]
}
