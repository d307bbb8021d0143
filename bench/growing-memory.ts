import { openBareShape, openParleyShape, type Shape } from './bare-shape/bare-shape.ts'
import { gatherCrowd } from './crowd.ts'
import { inFlight } from './in-flight.ts'
import { type Result, written } from './statistics.ts'
import { CONVERSATION, textOf } from './texts.ts'
import type { Workplace } from './workplace.ts'

const SIZES = { full: { posts: 10_000, pages: 1000 }, smallest: { posts: 20, pages: 2 } }
const IN_FLIGHT = 64
const POSTS_LIMIT_MB = 40
const PAGE_LIMIT_KB = 45

/** How much more memory a line and its hub hold after many posts, and the hub for each page that is connected. */
export async function growingMemory(workplace: Workplace): Promise<Result[]> {
  const { size, settle } = workplace
  const { posts, pages } = SIZES[size]
  const bare = {
    posts: await afterPosts(await openBareShape(workplace)),
    page: await forPages(await openBareShape(workplace), '/'),
  }
  const parley = {
    posts: await afterPosts(await openParleyShape(workplace)),
    page: await forPages(await openParleyShape(workplace), '/ws?dialect=timeline', { type: 'hello' }),
  }
  const afterwards = `RSS of line and hub, more after ${written(posts)} posts`
  const each = 'RSS for each connected page'
  return [
    { measure: `${afterwards}; bare shape`, unit: 'MB', baseline: bare.posts, parley: parley.posts },
    {
      measure: `${afterwards}; limit`,
      unit: 'MB',
      baseline: POSTS_LIMIT_MB,
      parley: parley.posts,
      target: { atMostTimes: 1 },
    },
    { measure: `${each}; bare shape`, unit: 'KB', baseline: bare.page, parley: parley.page },
    { measure: `${each}; limit`, unit: 'KB', baseline: PAGE_LIMIT_KB, parley: parley.page, target: { atMostTimes: 1 } },
  ]

  async function afterPosts({ hub, agent }: Shape): Promise<number> {
    const { running: line, call } = await agent(CONVERSATION)
    await settle()
    const before = line.rssMb() + hub.rssMb()
    await inFlight(posts, IN_FLIGHT, (n) => call('send_progress', { text: textOf(n) }))
    await settle()
    const more = line.rssMb() + hub.rssMb() - before
    await line.stop()
    await hub.stop()
    return more
  }

  async function forPages({ hub, url }: Shape, path: string, hello?: object): Promise<number> {
    // What the first ones bring with them is not theirs.
    const first = await gatherCrowd(url + path, 2, hello)
    await settle()
    const before = hub.rssMb()
    const crowd = await gatherCrowd(url + path, pages, hello)
    await settle()
    const kb = ((hub.rssMb() - before) * 1024) / pages
    for (const { leave } of [first, crowd]) leave()
    await hub.stop()
    return kb
  }
}
