/** Nothing when it was not percent-encoded as it should be. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return undefined
  }
}
