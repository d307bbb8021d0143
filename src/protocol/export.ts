export const EXPORT_FORMATS = ['md', 'json', 'html'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_PATH = '/api/export/'

/** Only in answers to whoever has the secret of the data folder: so a process knows that it met the hub of its folder. */
export const OWNER_HEADER = 'parley-owner'

/** Where a hub gives a conversation away as one file. */
export function exportPath(conversation: string, format: ExportFormat): string {
  return `${EXPORT_PATH}${encodeURIComponent(conversation)}?format=${format}`
}
