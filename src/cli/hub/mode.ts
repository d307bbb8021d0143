/** The mode of a hub, and what an agent could do there. */
export function modeOf(isProtected: boolean): string {
  return isProtected
    ? 'protected: people sign in, with parley open, and agents of this folder can neither answer nor approve'
    : 'open: any program of yours can answer and approve; parley protect ends that'
}
