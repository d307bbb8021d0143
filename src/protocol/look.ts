/** So many looks a mark has in one colour and with the same letters. */
export const LOOKS = 10

/** The last part of a folder, as people call it. */
export function folderName(folder: string): string {
  return folder.split(/[/\\]/).findLast((part) => part !== '') ?? folder
}

/** What the marks of agents in a folder show of it. */
export function folderLetter(folder = ''): string {
  return letterOf(folderName(folder)).toLowerCase()
}

export function letterOf(text: string): string {
  return /[\p{L}\p{N}]/u.exec(text)?.[0] ?? ''
}
