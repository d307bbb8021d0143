export const EXPORT_FORMATS = ['md', 'json', 'html'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_PATH = '/api/export/'

/** The address at which a hub exports a conversation as one file. */
export function exportPath(conversation: string, format: ExportFormat): string {
  return `${EXPORT_PATH}${encodeURIComponent(conversation)}?format=${format}`
}
