import { SvelteMap } from 'svelte/reactivity'

/** The open questions whose end is on screen, in whichever timeline. */
class Sight {
  readonly #questions = new SvelteMap<string, true>()

  has(question: string): boolean {
    return this.#questions.has(question)
  }

  /** Watches the end of the question's text. */
  watch(question: string) {
    return (end: HTMLElement) => {
      const observer = new IntersectionObserver((looks) => {
        if (looks.at(-1)?.isIntersecting) this.#questions.set(question, true)
        else this.#questions.delete(question)
      })
      observer.observe(end)
      return () => {
        observer.disconnect()
        this.#questions.delete(question)
      }
    }
  }
}

export const sight = new Sight()
