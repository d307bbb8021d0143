/** A server's words about the sign-in that it wants. */
export interface Challenge {
  scope?: string
  /** The address where it tells who signs people in. */
  metadata?: string
}

/** A server lets nobody in without a person who signs in to it; or only so far, where `isForMore`. */
export class NeedsSignIn extends Error {
  readonly challenge: Challenge
  readonly isForMore: boolean

  constructor(challenge: Challenge = {}, isForMore = false) {
    super('it needs sign-in')
    this.challenge = challenge
    this.isForMore = isForMore
  }
}
