import type { Told } from '../../../protocol/frames/link-limits.ts'

/** Hears a frame, which takes so much of what all may take. */
export type Hear = (frame: unknown, weight: number) => void

/** What a connection may take up, where that is bounded. Each throws when it is too much. */
export interface LineGuest {
  /** It is a line's now. */
  isLine(): void
  tells(those: readonly Told[]): void
  /** A call of this weight. What comes back, where it counts, is to be called when it is over. */
  asks(weight: number): (() => void) | undefined
  /** It was told something, and may not have read it. */
  reads(): void
  opensPort(about: { port: number; url: string }): void
}
