export const HELP = `Parley: the hub where people and coding agents talk.

  parley serve     start the hub and print the address of its page
  parley stdio     be the MCP server of the agent that starts this process; plain "parley" does the same
                   when another program is at the other end of stdin
  parley demo      show a scripted agent at work, in a hub that runs already or in a new one

  --port N         listen on this port (or PORT; otherwise serve takes 4117, stdio any free one)
  --host ADDRESS   listen on this loopback address (127.0.0.1)
  --data FOLDER    keep the log here (or PARLEY_DATA; ~/.parley), or "memory" to keep nothing
  --help, --version

  PARLEY_SESSION   the conversation an agent process speaks in; otherwise a new one, named after its folder

Examples
  parley demo                               open the printed address and answer the agent
  parley serve --port 3003                  then add http://localhost:3003/mcp to your agent's MCP servers
  claude mcp add parley -- parley stdio     Claude Code starts Parley itself
  PARLEY_SESSION=website codex              agents that share a name share a conversation
`
