import { mustNotBeClosed, openTokens } from '../../doors/http/access/open-tokens.ts'
import { mustBeOurs } from '../../doors/socket/folder.ts'
import { noMemory } from '../config.ts'
import type { Typed } from '../program.ts'
import { modeOf } from './mode.ts'

/** Turns signing in on or off, for a folder. A running hub takes notice by itself. */
export async function protect({ config, flags }: Typed) {
  noMemory(config.data, 'PARLEY_TOKENS protects it')
  mustBeOurs(config.data)
  const tokens = openTokens(config)
  const turnsOn = flags.off === undefined
  if (!turnsOn) mustNotBeClosed(config.data)
  const changed = turnsOn ? await tokens.protect() : await tokens.unprotect()
  const isNew = changed && tokens.exist() === turnsOn
  console.log(`${isNew ? 'From now on it is' : 'It is'} ${modeOf(tokens.exist())}`)
  if (turnsOn)
    console.log('Agents started as parley stdio go on without a token; over HTTP they need one: parley token create')
  else if (tokens.exist()) console.log('There are tokens, which still protect it: parley token list')
}
