import { sep } from 'node:path'

/** Whether a path is the folder or below it, both written without dots. */
export function isIn(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}
