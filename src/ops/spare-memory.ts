import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface SpareMemoryParts {
  /** The share of the time since it was last asked for in which anything was done. */
  busy?(): number
  /** The size of the heap, with what is free in it. */
  heapBytes?(): number
  collect?(): void
}

// At work the next look is soon, so that rest is noticed when it begins.
const LOOK_AT_WORK_MS = 250
const LOOK_AT_REST_MS = 1000
const AT_REST = 0.05
/** What is worth the pause: V8 keeps what it once had for as long as it is asked for little. */
const WORTH_BYTES = 16 * 2 ** 20

/** Once the process has come to rest, the system gets back the memory that work has left behind. */
export function giveBackAtRest(parts: SpareMemoryParts = {}) {
  const { busy = createBusy(), heapBytes = heapOfThisThread, collect = createCollector() } = parts
  let kept = 0
  let timer = setTimeout(look, LOOK_AT_REST_MS).unref()
  return { close: () => clearTimeout(timer) }

  function look() {
    const isAtRest = busy() < AT_REST
    if (isAtRest && heapBytes() - kept >= WORTH_BYTES) {
      collect()
      kept = heapBytes()
    }
    timer = setTimeout(look, isAtRest ? LOOK_AT_REST_MS : LOOK_AT_WORK_MS).unref()
  }
}

function createBusy() {
  let before = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    return utilization
  }
}

function heapOfThisThread(): number {
  return getHeapStatistics().total_heap_size
}

/** Only this kind of collection shrinks the young generation. What is compiled is needed again, and stays. */
function createCollector() {
  let gc: NodeJS.GCFunction | undefined
  return () => {
    gc ??= exposed()
    setFlagsFromString('--no-flush-bytecode')
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    setFlagsFromString('--flush-bytecode')
  }
}

/** A process that was not started with the flag has no other way to its collector. */
function exposed(): NodeJS.GCFunction {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}
