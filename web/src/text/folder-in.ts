/** A folder in it, on the system whose path it is. */
export function folderIn(folder: string, name: string): string {
  const separator = /^[a-z]:|^\\\\/i.test(folder) ? '\\' : '/'
  return folder.endsWith(separator) ? folder + name : folder + separator + name
}
