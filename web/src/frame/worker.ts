/** Lets the page open without its hub, and knows whether the hub has a newer one. */
export function installWorker() {
  // A page without https has none.
  const workers = import.meta.env.PROD ? navigator.serviceWorker : undefined
  const registered = workers?.register(scriptUrl() as string).catch(goWithout)
  return { isOutdated }

  /** Whether the hub has another page by now: it may have been updated while it was away. */
  async function isOutdated(): Promise<boolean> {
    if (!import.meta.env.PROD) return false
    try {
      // Whether it comes now or with the next visit makes no difference.
      ;(await registered)?.update().catch(goWithout)
      const page = await (await fetch('/', { cache: 'no-cache' })).text()
      return !page.includes(new URL(import.meta.url).pathname)
    } catch (error) {
      // It has gone again.
      if (!(error instanceof TypeError)) throw error
      return false
    }
  }
}

/** A worker is not let in, or its hub has just gone: the page works without a newer one, and without any. */
function goWithout(error: unknown): undefined {
  if (!(error instanceof TypeError || error instanceof DOMException)) throw error
}

/** Some browsers do not have them, and TypeScript does not know them. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): unknown }
}

/** The policy of the page lets no other script become a worker. */
function scriptUrl() {
  const url = '/sw.js'
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('parley-worker', { createScriptURL: () => url })
  return policy?.createScriptURL('') ?? url
}
