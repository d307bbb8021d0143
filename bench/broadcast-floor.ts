import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The least that could tell many subscribers: open event streams, and one text written to all of them on a POST. */
const streams = new Set<ServerResponse>()
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(': open\n\n')
    streams.add(response)
    return
  }
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    for (const stream of streams) stream.write(text)
    response.end('{}')
  })
})
server.listen(0, '127.0.0.1', () => console.error(`http://localhost:${(server.address() as AddressInfo).port}`))
process.stdin.on('end', () => process.exit()).resume()
