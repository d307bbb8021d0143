import type { AlwaysCommand } from '../../../src/protocol/entries/approval.ts'
import type { Approval, Settlement } from '../../../src/protocol/entries/entry.ts'
import { alwaysCommand, inputIn } from '../../../src/protocol/tools/always-command.ts'
import { commandInWords } from '../../../src/protocol/tools/command-in-words.ts'
import { agentName } from './agent.ts'
import { clamped } from './clamped.ts'
import { ownName } from './tool-name.ts'
import { visible } from './visible.ts'

/** The agent that asks, as its card shows it. */
export interface Asking {
  by: string
  folder?: string
}

/** The scopes in which a call can always be allowed, and what that allows, in words. */
export function alwaysOffers(
  approval: Approval,
  { by, folder }: Asking,
): { scope: Settlement['scope']; name: string; note: string }[] {
  const command = alwaysCommand(inputIn(approval.input))
  const what = inWords(command) ?? everyCallOf(approval)
  const where = folder ? ` in ${visible(folder)}` : ''
  const begins = command?.begins === undefined ? undefined : `Allow ${commandIn(command)}`
  const here = folder ? 'in this folder' : 'for this agent'
  return [
    {
      scope: undefined,
      name: begins ? `${begins} in this conversation` : 'In this conversation',
      note: `${what}. Can be taken back here`,
    },
    {
      scope: 'agent',
      name: begins ? `${begins} ${here}` : 'For this agent',
      note: `${what}, by ${agentName(by)}${where}, in every conversation. ${IN_SETTINGS}`,
    },
    {
      scope: 'everyone',
      name: begins ? `${begins} for everyone` : 'For everyone',
      note: `${what}, by every agent, in every conversation. ${IN_SETTINGS}`,
    },
  ]
}

const IN_SETTINGS = 'Can be taken back here and in the settings'

/** The permission, as briefly as a button has it. */
export function alwaysWhat(approval: Approval): string {
  return briefly(alwaysCommand(inputIn(approval.input))) ?? toolOf(approval)
}

/** The command of what is always allowed. */
export function commandIn(command: AlwaysCommand): string {
  const words = visible(commandInWords(command))
  return command.begins === undefined ? clamped(words) : `“${words}”`
}

function briefly(command: AlwaysCommand | undefined): string | undefined {
  if (!command) return undefined
  return command.begins === undefined ? 'exactly this command' : commandIn(command)
}

function inWords(command: AlwaysCommand | undefined): string | undefined {
  if (!command) return undefined
  const { begins, beside = {} } = command
  const what = begins === undefined ? 'Exactly this command' : 'One command that begins this way'
  const names = Object.keys(beside).map(visible)
  return names.length > 0 ? `${what}, with the same ${clamped(names.join(', '))}` : what
}

/** The permission is for no command of any tool; only of one that runs some it is news. */
function everyCallOf(approval: Approval): string {
  const every = `Every call of ${toolOf(approval)}`
  return RUNNER.test(ownName(approval)) ? `${every} that runs no command` : every
}

const RUNNER = /bash|shell|terminal|exec|command|cmd|(?:^|[^a-z])run(?:[^a-z]|$)/i

function toolOf(approval: Approval): string {
  return clamped(visible(ownName(approval)))
}
