import { inOneLine } from '../../../src/protocol/tools/target.ts'

/** A call's title in the agent's words; many write commands and files as code, which a line cannot show. */
export function titleOf(title: string): string {
  return inOneLine(title.replace(/`([^`]+)`/g, '$1'))
}
