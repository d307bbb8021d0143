import { serveOverStdio } from '../../src/mcp/stdio.ts'
import { buildServer } from '../../src/mcp/surface.ts'
import { parcelSurface } from './parcels.ts'

// A program whose MCP server is on stdio and which tells its parent of the parcels over another channel.
const { surface } = parcelSurface((told) => void process.send?.(told))
serveOverStdio({
  build: () => buildServer(surface, { name: 'local', role: 'agent' }),
  onAnswer() {},
  onClose() {},
  onError() {},
})
