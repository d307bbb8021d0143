import type { Attachment } from '../../../../src/protocol/entries/attachment.ts'

/** The person's attempt at one open question. It outlives turning to another one, and a command that fails. */
export class Attempt {
  minimised = $state(false)
  choices = $state.raw<string[]>([])
  /** The words written for it, until all answers of its exchange are sent; of a call the reason to deny it. */
  words = $state('')
  files = $state.raw<Attachment[]>([])
  /** The values in the fields of the arguments while they are being edited. */
  edited = $state<string[]>()
  /** The end of the arguments was on screen, or the person chose to see more of them. */
  seen = $state(false)
  /** The person chose to see more of them. */
  whole = $state(false)

  get isAnswered(): boolean {
    return this.choices.length > 0 || this.words !== '' || this.files.length > 0
  }

  toggle(choice: string) {
    const others = this.choices.filter((chosen) => chosen !== choice)
    this.choices = others.length < this.choices.length ? others : [...others, choice]
  }
}
