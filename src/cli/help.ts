export const HELP = `Parley: the hub where people and coding agents talk.

  parley serve     start the hub and print the address of its page
  parley stdio     be the MCP server of the agent that starts this process; plain "parley" does the same
                   when another program is at the other end of stdin
  parley demo      show a scripted agent at work, in a hub that runs already or in a new one
  parley token     say who may call the hub; without tokens, every program of this machine may, as either side
    create NAME      make a token and print it this once; a NAME that has one gets a new one and stays who it was
    list             show whose tokens there are
    revoke NAME      let NAME in no more, also where NAME is signed in
    link NAME        make a link that signs one browser in as NAME, once
  parley export NAME   print a conversation, by its name or title, also while a hub runs

  --port N         listen on this port (or PORT; otherwise serve takes 4117, stdio any free one)
  --host ADDRESS   listen on this address (127.0.0.1); one that others can reach needs tokens
  --data FOLDER    keep the log and the tokens here (or PARLEY_DATA; ~/.parley), or "memory" to keep nothing
  --role ROLE      of a new token: human (unless told), agent, orchestrator or admin
  --session NAME   of a new token: this conversation only
  --expires TIME   of a new token: after 45m, 12h or 30d
  --format FORMAT  of an export: md (unless told), json or html, one file that needs nothing else
  --output FILE    of an export: write it there, in the format of its ending unless told
  --surface NAME   what stdio serves: bridge (as it is), agent, human, assistant, loop or ui
  --max-wait SECONDS   after this long a waiting call comes back as pending (or PARLEY_MAX_WAIT; as its client needs), 0: never
  --max-rate N         commands a second for each principal (500), four times as many at once
  --max-connections N  WebSockets and MCP requests open at the same time (10000)
  --max-message BYTES  the longest text (1048576, which is the most)
  --max-unread BYTES   what a WebSocket client may leave unread before it has to wait (1048576)
  --heartbeat SECONDS  how often a WebSocket client must show that it is there (25)
  --log LEVEL          what is told on stderr: debug, info (unless told), warn or error
  --log-content        tell there what people and agents say, too
  --help, --version

  PARLEY_SESSION   the conversation an agent process speaks in; otherwise a new one, named after its folder
  PARLEY_MAX_RATE, PARLEY_MAX_CONNECTIONS, PARLEY_MAX_MESSAGE, PARLEY_MAX_UNREAD, PARLEY_HEARTBEAT, PARLEY_LOG,
  PARLEY_LOG_CONTENT=1   the same as the flags of these names
  PARLEY_TOKENS    more tokens for the hub, as name:role:token, separated by commas
  PARLEY_TOKEN     the token that the demo agent shows to the hub

Examples
  parley demo                               open the printed address and answer the agent
  parley serve --port 3003                  then add http://localhost:3003/mcp to your agent's MCP servers
  claude mcp add parley -- parley stdio     Claude Code starts Parley itself
  PARLEY_SESSION=website codex              agents that share a name share a conversation
  parley token create ada                   from now on the hub asks everyone for a token
  parley token create codex --role agent --session website --expires 30d
  parley export website --output website.html
  parley token link ada                     open the printed link in a browser
`
