import * as z from 'zod/mini'

/*
 * Must be loaded before the SDK: its schemas would compile code of their own when they are first used, which takes
 * longer than the first answer may. Ours never do.
 */
z.config({ jitless: true })
