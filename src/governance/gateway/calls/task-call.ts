import { isRecord } from '../../../protocol/text/record.ts'
import type { RawTool } from '../fingerprint.ts'
import type { Asking, Raw, Upstream } from '../upstream/upstream.ts'

/** Whether its server of the 2025 era runs it only as a task. */
export function isTask({ execution }: RawTool): boolean {
  return isRecord(execution) && execution.taskSupport === 'required'
}

/** The tool as clients see it: the gateway waits for the task, so that those that know no tasks can call it too. */
export function withoutTask({ execution: _, ...tool }: RawTool): RawTool {
  return tool as RawTool
}

/** Calls a tool that is a task, until the task has its result. */
export async function callTask({ request }: Pick<Upstream, 'request'>, params: Raw, asking: Asking): Promise<Raw> {
  const begun = await request('tools/call', { ...params, task: {} }, asking)
  const taskId = isRecord(begun.task) ? begun.task.taskId : undefined
  if (typeof taskId !== 'string') return begun
  asking.signal?.addEventListener('abort', cancel)
  try {
    return await request('tasks/result', { taskId }, asking)
  } finally {
    asking.signal?.removeEventListener('abort', cancel)
  }

  function cancel() {
    // One that has ended meanwhile refuses it.
    request('tasks/cancel', { taskId }).catch(() => {})
  }
}
