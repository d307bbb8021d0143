/** The place of the module that knows what can be found of an entry; the log's thread loads it by itself. */
export function searchText(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './search-text.ts' : './search-text.js', import.meta.url)
}
