/** Some browsers do not have them, and TypeScript does not know them. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): unknown }
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }

/** The address of a script that the policy of the page lets become a worker, and no other one by this name. */
export function ownScript(name: string, script: string): string {
  const policy = trustedTypes?.createPolicy(name, { createScriptURL: () => script })
  return (policy?.createScriptURL('') ?? script) as string
}
