import { delimiter, isAbsolute } from 'node:path'
import { MARK } from '../io/mark.ts'

/**
 * The hub's environment for what it starts, without anything of Parley's own: with a token in it an agent could approve
 * its own calls. What is started is nobody else's process.
 */
export function launchEnvironment(environment = process.env): NodeJS.ProcessEnv {
  // Windows takes names in any case for the same.
  const others = Object.entries(environment).filter(([name]) => !/^PARLEY_/i.test(name))
  const paths = others.map(([name, value = '']) => [name, /^path$/i.test(name) ? absolutePlaces(value) : value])
  return { ...Object.fromEntries(paths), [MARK]: '' }
}

/** Any other place lies in the folder where a program is started: the programs there are that folder's. */
function absolutePlaces(path = ''): string {
  return path
    .split(delimiter)
    .filter((place) => isAbsolute(place))
    .join(delimiter)
}
