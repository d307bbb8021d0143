import type { Told } from '../../../protocol/frames/link-limits.ts'

/** Hears a frame, which took so many characters. */
export type Hear = (frame: unknown, length: number) => void

/** What a connection may take up, where that is bounded. Each throws when it is too much. */
export interface LineGuest {
  /** It is a line's now. */
  isLine(): void
  tells(those: readonly Told[]): void
  /** A call of this length. What comes back, where it counts, is to be called when it is over. */
  asks(length: number): (() => void) | undefined
  /** It was told something, and may not have read it. */
  reads(): void
  opensPort(about: { port: number; url: string }): void
}
