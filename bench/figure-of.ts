import { patiently } from './patience.ts'
import type { Running } from './process.ts'

/** What a process that listens for it says on stderr when it is asked by a signal: the number in these words. */
export function figureOf({ child }: Pick<Running, 'child'>, what: string, words: RegExp): Promise<number> {
  const told = new Promise<number>((resolve) => {
    let said = ''
    child.stderr.on('data', hear)
    child.kill('SIGUSR2')

    function hear(text: Buffer) {
      said += text
      const figure = words.exec(said)?.[1]
      if (figure === undefined) return
      child.stderr.off('data', hear)
      resolve(Number(figure))
    }
  })
  return patiently(what, told)
}
