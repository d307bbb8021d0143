/** Whether a path says where it is by itself, on any system. */
export function isAbsolutePath(path: string): boolean {
  return /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(path) && !path.includes('\0')
}
