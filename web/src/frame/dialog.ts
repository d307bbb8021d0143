import { pageHistory } from '../state/page/page-history.ts'

/** A modal dialog brings the focus trap, the inert page behind it, Escape, and the focus back. Back closes it, too. */
export function modal(dialog: HTMLDialogElement): () => void {
  dialog.showModal()
  const closed = pageHistory.open(() => dialog.close())
  dialog.addEventListener('close', closed, { once: true })
  return closed
}

/** A press on the place itself, and so beside what is in it, closes its dialog; one that only ends there does not. */
export function closesBeside(place: HTMLElement) {
  let began = false
  place.addEventListener('pointerdown', ({ target }) => {
    began = target === place
  })
  place.addEventListener('click', ({ target }) => {
    if (began && target === place) place.closest('dialog')?.close()
  })
}
