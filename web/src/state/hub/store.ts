/**
 * Stores a value for the page. A browser has about 5 MB; what there is no room for is only not there after a reload.
 */
export function keepIn(store: Pick<Storage, 'setItem'>, name: string, value: string) {
  try {
    store.setItem(name, value)
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error
  }
}
