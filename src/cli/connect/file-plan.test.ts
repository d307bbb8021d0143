import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/hub.ts'
import { type FilePlan, putIn, takeOut } from './file-plan.ts'
import { jsonText } from './formats/json-text.ts'
import { careful } from './formats/text-format.ts'
import { entryPart, itemPart, valuePart } from './parts.ts'

const JSONC = jsonText({ comments: true })

test('[C273] a file is read once for each text that it has had, whatever is looked for in it', async () => {
  const texts: string[] = []
  const format = careful({
    ...JSONC,
    read(text) {
      texts.push(text)
      return JSONC.read(text)
    },
  })
  const path = join(await temporaryFolder(), 'settings.json')
  const before = '{\n  // mine\n  "list": ["a"]\n}\n'
  writeFileSync(path, before)
  const parts = [
    entryPart(format, ['servers', 'parley'], { command: 'node' }, false),
    valuePart(format, ['allow', 'parley'], true),
    itemPart(format, ['list'], 'b'),
  ]
  const plan: FilePlan = { path, isState: false, parts, wanted: parts }
  await putIn(plan)
  expect(texts).toHaveLength(1 + parts.length)
  await putIn(plan)
  expect(texts).toHaveLength(1 + parts.length)
  await takeOut(plan)
  expect(readFileSync(path, 'utf8')).toBe(before)
})
