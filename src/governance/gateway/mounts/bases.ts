import { statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, resolve } from 'node:path'
import type { MountConfig, ProcessConfig } from './mount-config.ts'

/** Programs that these start work elsewhere, or see other files. */
const ELSEWHERE =
  /^(?:(?:ba|da|z|k|fi|pw|c|tc)?sh|busybox|cmd|powershell|env|sudo|su|doas|runuser|docker|podman|nerdctl|kubectl|ssh|wsl|chroot|bwrap|nsenter|unshare|firejail|flatpak|systemd-run)$/

/** Lists of folders that programs are looked for in, and not what a server is for. */
const SEARCHED = /^(?:PATH|NODE_PATH|PYTHONPATH|CLASSPATH|LD_LIBRARY_PATH)$/i

/**
 * The folders that a server may open a relative path from: where it works, and each that its mount names, because some
 * are told so what they are for. Nothing is known of one at an address, in a container or behind a shell.
 */
export function basesOf(config: MountConfig): string[] | undefined {
  if ('url' in config) return undefined
  const { command, args = [], env = {}, cwd = '.' } = config as ProcessConfig
  if ([command, ...args].some(isElsewhere)) return undefined
  const works = resolve(cwd)
  const given = Object.entries(env).flatMap(([name, text]) => (SEARCHED.test(name) ? [] : [text]))
  const home = env.HOME ?? homedir()
  const named = [...args, ...given].flatMap(placesIn).map((text) => resolve(works, text.replace(/^~(?=\/|$)/, home)))
  return [...new Set([works, ...named.filter(isFolder)])]
}

function isElsewhere(word: string): boolean {
  return ELSEWHERE.test(basename(word).replace(/\.exe$/i, ''))
}

/** A text, and what is in it where it is an option, a list, an address or JSON. */
function placesIn(text: string): string[] {
  const parts = text.split(/[=,;:"[\]]/).map((part) => part.replace(/^-+\w*(?=[~/])/, ''))
  return [text, ...parts].filter((part) => part !== '')
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
