/**
 * The environment of this process for what it drives, without anything of Parley's own: with a token in it an agent could
 * approve its own calls. `secrets` are names of others that it must not see either.
 */
export function agentEnvironment(environment = process.env, secrets: string[] = []): NodeJS.ProcessEnv {
  return Object.fromEntries(
    // Windows takes names in any case for the same.
    Object.entries(environment).filter(([name]) => !/^PARLEY_/i.test(name) && !secrets.includes(name)),
  )
}
