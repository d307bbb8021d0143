import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { stateFile } from './state-file.ts'

test('[O171] runners whose long names begin alike have files of their own', () => {
  const names = ['計画と設計と実装と試験の書類', '計画と設計と実装と試験の書類その二'].map(
    (name) => `Claude Code in ${name}`,
  )
  const files = names.map((name) => basename(stateFile('/data', name)))
  expect(new Set(files).size).toBe(2)
  for (const file of files) expect(file.length).toBeLessThan(150)
  expect(stateFile('/data', 'Codex in work')).toBe('/data/runs/Codex%20in%20work.db')
})
