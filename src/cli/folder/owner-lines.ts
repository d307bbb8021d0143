import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { type Folder, openFolder } from '../../export/folder.ts'
import { hubOrFolder } from './hub-or-folder.ts'
import { type Chunks, ownerGet } from './owner-get.ts'

interface Ways<Of> {
  /** Where the hub of the folder lists them, one JSON object a line. */
  path: string
  /** Where no hub runs. */
  inFolder(folder: Folder): AsyncIterable<Of>
  /** What is not wanted is not kept either. */
  isWanted?(one: Of): boolean
}

/** What the hub of a folder lists for its owner, or the folder itself where no hub runs. */
export function listedFor<Of>(data: string, { path, inFolder, isWanted = () => true }: Ways<Of>): Promise<Of[]> {
  return hubOrFolder(
    async () => {
      const chunks = await ownerGet(data, path)
      return chunks && wantedOf(parsed<Of>(chunks), isWanted)
    },
    async () => {
      const folder = await openFolder(data)
      try {
        return await wantedOf(inFolder(folder), isWanted)
      } finally {
        await folder.close()
      }
    },
  )
}

async function wantedOf<Of>(all: AsyncIterable<Of>, isWanted: (one: Of) => boolean): Promise<Of[]> {
  const wanted: Of[] = []
  for await (const one of all) if (isWanted(one)) wanted.push(one)
  return wanted
}

async function* parsed<Of>(chunks: Chunks): AsyncGenerator<Of> {
  // An empty line only says that the hub goes on.
  for await (const line of createInterface({ input: Readable.from(chunks) })) if (line !== '') yield JSON.parse(line)
}
