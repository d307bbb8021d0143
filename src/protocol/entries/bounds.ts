/** Every id of an entry lies between them. */
export const BEFORE_ALL = '0'.repeat(16)
export const AFTER_ALL = '9'.repeat(16)
