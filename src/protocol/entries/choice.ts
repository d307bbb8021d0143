import * as z from 'zod/mini'

export const QuickReplies = z
  .array(
    z
      .string('must be text')
      .check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(200, 'is longer than 200 characters')),
    'must be a list of texts',
  )
  .check(z.maxLength(12, 'has more than 12 replies'))

/** What a question offers to choose from. */
export const Options = z
  .array(
    z.object({
      label: z
        .string('must be text')
        .check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(200, 'is longer than 200 characters')),
      description: z.optional(z.string('must be text').check(z.maxLength(1000, 'is longer than 1,000 characters'))),
    }),
    'must be a list of options',
  )
  .check(
    z.minLength(1, 'has no option'),
    z.maxLength(20, 'has more than 20 options'),
    z.refine((options) => new Set(options.map(({ label }) => label)).size === options.length, 'has an option twice'),
  )

export type Options = z.infer<typeof Options>
