import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../../protocol/text/record.ts'
import type { Servers } from './mounts-file.ts'

export type MountChange = 'new' | 'gone' | 'other' | 'paused' | 'resumed'

/** The change of each mount that stands in the file otherwise than before. */
export function changedMounts(before: Servers, now: Servers): [name: string, change: MountChange][] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].flatMap((name): [string, MountChange][] => {
    const change = changeOf(name, before, now)
    return change ? [[name, change]] : []
  })
}

function changeOf(name: string, before: Servers, now: Servers): MountChange | undefined {
  if (!Object.hasOwn(before, name)) return 'new'
  if (!Object.hasOwn(now, name)) return 'gone'
  const [was, is] = [apart(before[name]), apart(now[name])]
  if (!isDeepStrictEqual(was.config, is.config)) return 'other'
  if (was.isPaused === is.isPaused) return undefined
  return is.isPaused ? 'paused' : 'resumed'
}

function apart(written: unknown): { config: unknown; isPaused: boolean } {
  if (!isRecord(written)) return { config: written, isPaused: false }
  const { disabled, ...config } = written
  return { config, isPaused: disabled === true }
}
