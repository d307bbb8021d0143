import type { Line } from './statistics.ts'
import type { Workplace } from './workplace.ts'

export type Measure = (workplace: Workplace) => Promise<Line[]>

/** In the order of the table. Each is loaded only to be taken, so that one that cannot be loaded is one line. */
export const MEASURES: Record<string, () => Promise<Measure>> = {
  'cold-start': async () => (await import('./cold-start.ts')).coldStart,
  'round-trip': async () => (await import('./round-trip.ts')).roundTrip,
  'line-round-trip': async () => (await import('./line-round-trip.ts')).lineRoundTrip,
  opening: async () => (await import('./opening.ts')).opening,
  'first-welcome': async () => (await import('./first-welcome.ts')).firstWelcome,
  'undelivered-replies': async () => (await import('./undelivered-replies.ts')).undeliveredReplies,
  'asking-again': async () => (await import('./asking-again.ts')).askingAgain,
  'hub-killed': async () => (await import('./hub-killed.ts')).hubKilled,
  'attached-lines': async () => (await import('./attached-lines.ts')).attachedLines,
  memory: async () => (await import('./memory.ts')).memory,
  'progress-calls': async () => (await import('./progress-calls.ts')).progressCalls,
  'names-asked-for': async () => (await import('./names-asked-for.ts')).namesAskedFor,
  'resumable-streams': async () => (await import('./resumable-streams.ts')).resumableStreams,
  'refused-posts': async () => (await import('./refused-posts.ts')).refusedPosts,
  'connections-with-cookies': async () => (await import('./connections-with-cookies.ts')).connectionsWithCookies,
  posting: async () => (await import('./posting.ts')).posting,
  policy: async () => (await import('./policy.ts')).policy,
  'mounted-calls': async () => (await import('./mounted-calls.ts')).mountedCalls,
  'mounted-lists': async () => (await import('./mounted-lists.ts')).mountedLists,
  search: async () => (await import('./searching.ts')).searching,
  exporting: async () => (await import('./exporting.ts')).exporting,
  subscribers: async () => (await import('./subscribers.ts')).subscribers,
  'catching-up': async () => (await import('./catching-up.ts')).catchingUp,
  'nothing-new': async () => (await import('./nothing-new.ts')).nothingNew,
  'asking-at-once': async () => (await import('./asking-at-once.ts')).askingAtOnce,
  'growing-text': async () => (await import('./growing-text.ts')).growingText,
  'fan-out': async () => (await import('./fan-out.ts')).fanOut,
  'ten-agents': async () => (await import('./ten-agents.ts')).tenAgents,
  'post-to-prompt': async () => (await import('./post-to-prompt.ts')).postToPrompt,
  sleeping: async () => (await import('./sleeping.ts')).sleeping,
  'chunks-in-page': async () => (await import('./chunks-page.ts')).chunksInPage,
  'long-difference': async () => (await import('./long-difference.ts')).longDifference,
  page: async () => (await import('./page.ts')).page,
}
