import { type MessagePort, parentPort } from 'node:worker_threads'
import { type LogFile, serveStore } from '../../src/log/sqlite/sqlite-serving.ts'

parentPort?.on('message', ([port, place]: [MessagePort, LogFile]) => serveStore(port, place))
