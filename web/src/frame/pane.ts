import { getContext, setContext } from 'svelte'
import type { AgentPlace } from '../text/agent.ts'

const BESIDE = 'beside'
const PLACE = 'place'
const PANE = '[data-pane]'

/** All that is drawn in it is of the second conversation. */
export function beBeside() {
  setContext(BESIDE, true)
}

export function placeHere(): (() => AgentPlace) | undefined {
  return getContext(PLACE)
}

/** How parts of a conversation are called, so that no name and no id is there twice when two of them are. */
export function namesHere() {
  const isBeside = getContext(BESIDE) === true
  return {
    isBeside,
    id: (name: string) => (isBeside ? `${name}-beside` : name),
    label: (name: string) => (isBeside ? `${name}, beside` : name),
  }
}

/** The same for a part whose agents are in this conversation. */
export function namesAt(place: () => AgentPlace) {
  setContext(PLACE, place)
  return namesHere()
}

/** Whether what happened in no conversation, or in this part's, is for this part: without a place it is for the first. */
export function isFor(part: Element, { target }: Event): boolean {
  const place = target instanceof Element ? target.closest(PANE) : null
  return part.closest(PANE) === (place ?? document.querySelector(PANE))
}
