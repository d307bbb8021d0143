import { parentPort, workerData } from 'node:worker_threads'
import { serveStore } from './sqlite-serving.ts'

if (!parentPort) throw new Error('sqlite-worker.ts runs as a worker thread')
serveStore(parentPort, workerData)
