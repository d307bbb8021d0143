/** Its last part, as people call it. */
export function folderName(folder: string): string {
  return folder.split(/[/\\]/).findLast((part) => part !== '') ?? folder
}

/** A folder in it, on the system whose path it is. */
export function folderIn(folder: string, name: string): string {
  const separator = /^[a-z]:|^\\\\/i.test(folder) ? '\\' : '/'
  return folder.endsWith(separator) ? folder + name : folder + separator + name
}
