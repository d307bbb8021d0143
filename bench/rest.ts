import { httpOf } from './process.ts'

/** A tool of the hub, called as a program does that speaks no MCP. */
export async function callTool<Answer>(url: string, tool: string, input: object): Promise<Answer> {
  const response = await fetch(`${httpOf(url)}/api/tools/${tool}`, { method: 'POST', body: JSON.stringify(input) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${tool} was answered with ${response.status}: ${text}`)
  return JSON.parse(text)
}
