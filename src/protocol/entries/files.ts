export const ATTACHMENT_LIMIT_BYTES = 20 * 1024 * 1024
export const MOST_ATTACHMENTS = 10

export function attachmentPath({ hash, name }: { hash: string; name: string }): string {
  return `/attachments/${hash}/${encodeURIComponent(name)}`
}

/** Sides are only known of what browsers draw. */
export function isImage({ width }: { width?: number }): boolean {
  return width !== undefined
}

/** The files in a few words, for where there is one line. */
export function gistOfFiles(files: readonly { name: string; width?: number }[]): string {
  const [first, ...others] = files
  if (!first) return ''
  const images = files.every(isImage)
  if (others.length === 0) return images ? 'Image' : first.name
  return `${files.length} ${images ? 'images' : 'files'}`
}

/** The message for clients that only know text: the files are named on a line of their own. */
export function inWords(text: string, files: readonly { name: string }[] = []): string {
  if (files.length === 0) return text
  const names = `[Attached: ${files.map(({ name }) => name).join(', ')}]`
  return text.trim() === '' ? names : `${text}\n\n${names}`
}
