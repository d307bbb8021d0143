/** A test's own program, as it stands in a file of mounts. What one of them compiled, the next one need not. */
export function mountOf([program, ...args]: [program: string, ...string[]], env: Record<string, string> = {}) {
  const { NODE_COMPILE_CACHE = '' } = process.env
  return { command: process.execPath, args: [program, ...args], env: { NODE_COMPILE_CACHE, ...env } }
}
