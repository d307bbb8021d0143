import { serveOverStdio } from '../../src/mcp/stdio.ts'
import { buildServer } from '../../src/mcp/surface.ts'
import { localPrincipal } from '../../src/protocol/principal.ts'
import { parcelSurface } from './parcels.ts'

// A program whose MCP server is on stdio and which tells its parent of the parcels over another channel.
const { surface } = parcelSurface((told) => void process.send?.(told))
serveOverStdio({
  build: () => buildServer(surface, localPrincipal('agent')),
  onAnswer() {},
  onClose() {},
  onError() {},
})
