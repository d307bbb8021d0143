/** The log's thread: everything that queued up is one transaction, durable before anybody hears of it. */
const { DatabaseSync } = require('node:sqlite')
const { parentPort, receiveMessageOnPort, workerData } = require('node:worker_threads')

const db = new DatabaseSync(workerData)
db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT)')
const insert = db.prepare('INSERT INTO row (text) VALUES (?)')

parentPort.on('message', (first) => {
  const texts = [first]
  for (let more = receiveMessageOnPort(parentPort); more; more = receiveMessageOnPort(parentPort))
    texts.push(more.message)
  db.exec('BEGIN')
  for (const text of texts) insert.run(text)
  db.exec('COMMIT')
  parentPort.postMessage(texts.length)
})
