const NOTES_HZ = [659, 880]
const NOTE_SECONDS = 0.14
const LOUDNESS = 0.12

/** Two short notes, from one of the tabs that are open. */
export async function ding() {
  // Nobody touched the page yet: the browser would keep the sound back and play it at the first touch.
  if (!navigator.userActivation?.hasBeenActive) return
  // A page without https has no locks.
  if (!navigator.locks) return play()
  await navigator.locks.request('parley.ding', { ifAvailable: true }, (lock) => (lock ? play() : undefined))
}

function play(): Promise<void> {
  const context = new AudioContext()
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const [place, frequency] of NOTES_HZ.entries()) {
    const start = context.currentTime + place * NOTE_SECONDS
    const [note, volume] = [context.createOscillator(), context.createGain()]
    note.frequency.value = frequency
    volume.gain.setValueAtTime(LOUDNESS, start)
    volume.gain.exponentialRampToValueAtTime(0.001, start + 2 * NOTE_SECONDS)
    note.connect(volume).connect(context.destination)
    note.start(start)
    note.stop(start + 2 * NOTE_SECONDS)
    if (place === NOTES_HZ.length - 1) note.onended = () => resolve(context.close())
  }
  return promise
}
