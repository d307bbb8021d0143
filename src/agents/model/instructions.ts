import { POST, YIELD } from './chat-tools.ts'

/** What a model is told about where it is, before what its user has to say. */
export function instructionsFor({ folder, strictChat, own }: { folder: string; strictChat: boolean; own?: string }) {
  const said = strictChat
    ? `Only what you post with ${POST} is said; plain text counts as thinking, and nobody answers it.`
    : `Plain text is said to the person; ${POST} says something too.`
  const told = [
    'You talk with a person in a chat. Write Markdown.',
    said,
    `Call ${YIELD} when you have nothing more to do until the person speaks.`,
    `The folder that it is about is ${folder}.`,
  ].join(' ')
  return own ? `${told}\n\n${own}` : told
}
