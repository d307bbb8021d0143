import { ParleyError } from '../../../protocol/errors.ts'
import { Gone } from '../upstream/gone.ts'
import { OddAnswer } from '../upstream/odd-answer.ts'

/** Why a call of a server failed, as its caller is told. */
export function callFailure(server: string, error: unknown, isLost: boolean): unknown {
  const { message: problem } = error as Error
  if (error instanceof OddAnswer) return new ParleyError('mount_odd', { server, problem }, error)
  if (error instanceof Gone) return new ParleyError('mount_down', { server, problem }, error)
  return isLost ? new ParleyError('mount_lost', { server, problem }, error) : error
}
