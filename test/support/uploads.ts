import type { Attachment } from '../../src/protocol/entries/attachment.ts'

export interface Upload {
  name?: string
  mime?: string
  headers?: Record<string, string>
}

/** Uploads as the page does, and says what came of it. */
export async function upload(
  url: string,
  content: BodyInit,
  { name = 'file.txt', mime = 'text/plain', headers }: Upload = {},
) {
  const response = await fetch(`${url}/api/attachments`, {
    method: 'POST',
    body: content,
    headers: { 'content-type': mime, 'x-name': encodeURIComponent(name), ...headers },
  })
  return { status: response.status, body: (await response.json()) as Attachment & { error?: string } }
}

/** A file that is there. */
export async function uploaded(url: string, content: BodyInit, about: Upload = {}): Promise<Attachment> {
  const { status, body } = await upload(url, content, about)
  if (status !== 200) throw new Error(body.error)
  return body
}
