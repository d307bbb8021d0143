import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { MountConfig, ProcessConfig } from './mount-config.ts'

/** What these start works elsewhere, or sees other files. */
const ELSEWHERE =
  /^(?:(?:ba|da|z|k|fi|pw)?sh|cmd|powershell|env|sudo|su|doas|docker|podman|nerdctl|kubectl|ssh|wsl|chroot|runuser|unshare|nsenter|bwrap|firejail|systemd-run)$/

/**
 * The folders that a server may open a relative path from: where it works, and each that its mount names, because some
 * are told so what they are for. Nothing is known of one at an address, in a container or behind a shell.
 */
export function basesOf(config: MountConfig): string[] | undefined {
  if ('url' in config) return undefined
  const { command, args = [], env = {}, cwd = '.' } = config as ProcessConfig
  if (ELSEWHERE.test(basename(command).replace(/\.exe$/i, ''))) return undefined
  const works = resolve(cwd)
  const named = [...args, ...Object.values(env)].map((text) => resolve(works, text.replace(/^-[^=]*=/, '')))
  return [...new Set([works, ...named.filter(isFolder)])]
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch (error) {
    // No path at all, or one that nobody may look at.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
