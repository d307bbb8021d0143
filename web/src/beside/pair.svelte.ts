import { MediaQuery } from 'svelte/reactivity'
import type { Hub } from '../state/hub/hub.svelte.ts'
import { pageHistory } from '../state/page/page-history.ts'
import { besideIn, conversationIn, hashOf } from '../state/page/route.ts'
import { besideOf, ROOM } from './room.ts'

interface Second {
  hasFocus(): boolean
  focus(letters?: string): void
  stop(): void
}

/** The conversation and the one beside it: which that is, and which of both has the focus. */
export class Pair {
  /** The second conversation, once it is drawn. */
  second = $state<Second>()
  readonly #hub: Hub
  readonly #room = new MediaQuery(ROOM)
  /** The one in the address, whether there is room for it or not. */
  #wanted = $state(besideIn(location.hash))

  constructor(hub: Hub) {
    this.#hub = hub
  }

  get hasRoom(): boolean {
    return this.#room.current
  }

  /** The conversation to show beside. */
  get beside(): string | undefined {
    return this.#room.current ? this.#wanted : undefined
  }

  /** The address is another one. */
  follow() {
    this.#wanted = besideIn(location.hash)
  }

  /** Opens one, or closes it: then the focus must not vanish with it. */
  turn(focusFirst: () => void) {
    if (!this.hasRoom) return
    if (this.second?.hasFocus()) focusFirst()
    pageHistory.putBeside(this.#hub.beside ? undefined : besideOf(this.#hub.roster, this.#hub.shownId))
  }

  /** Links within the page are steps in the history; with Alt, what they lead to comes beside. */
  visit(event: MouseEvent) {
    const link = event.target instanceof Element && event.target.closest('a[href^="#/"]')
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return
    if (event.altKey && !this.hasRoom) return
    event.preventDefault()
    const hash = link.getAttribute('href') ?? ''
    if (event.altKey) pageHistory.putBeside(conversationIn(hash))
    else pageHistory.visit(hash)
  }

  /** The one with the focus, for keys that go from one conversation to another. */
  get place() {
    return this.second?.hasFocus()
      ? { shown: this.#wanted, go: (id: string) => pageHistory.putBeside(id) }
      : { shown: this.#hub.shownId, go: (id: string) => pageHistory.visit(hashOf(id)) }
  }
}
