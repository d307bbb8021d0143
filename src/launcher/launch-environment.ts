import { MARK } from '../io/mark.ts'

/**
 * The hub's environment for what it starts, without anything of Parley's own: with a token in it an agent could approve
 * its own calls. What is started is nobody else's process.
 */
export function launchEnvironment(environment = process.env): NodeJS.ProcessEnv {
  // Windows takes names in any case for the same.
  const others = Object.entries(environment).filter(([name]) => !/^PARLEY_/i.test(name))
  return { ...Object.fromEntries(others), [MARK]: '' }
}
