import { type CommandText, DATA } from './command-text.ts'

/** What stands for one word on the command line. */
function aboutOne(about: string, examples: CommandText['examples']) {
  return { about, words: '<NAME>', settings: ['data'], own: { data: DATA }, examples } as const
}

export const MOUNT_COMMANDS = {
  mount: {
    group: 'Give agents tools',
    about: 'mount MCP servers: agents call their tools through the gateway, at /mcp/gateway or stdio --surface gateway',
    settings: [],
    examples: [
      ['parley mount add files -- npx -y @modelcontextprotocol/server-filesystem .', 'its tools are files_…'],
      ['parley mount list', 'what is mounted, and whether it works'],
    ],
  },
  'mount add': {
    about: 'mount a server: the command that starts it, after --, or its --url',
    words: '<NAME...>',
    settings: ['data'],
    own: {
      data: DATA,
      url: { value: 'URL', about: 'where it is, if it is not started by a command' },
      header: {
        value: 'NAME:VALUE',
        many: true,
        about: 'with --url: sent with each request; may be given several times',
      },
      env: { value: 'NAME=VALUE', many: true, about: 'for its environment; may be given several times' },
      cwd: { value: 'FOLDER', about: 'where it is started (here)' },
    },
    examples: [
      ['parley mount add memory -- npx -y @modelcontextprotocol/server-memory', ''],
      ['parley mount add far --url https://far.example/mcp --header x-key:secret', ''],
    ],
  },
  'mount list': {
    about: 'show what is mounted: its state, its tools, and what is wrong',
    settings: ['data'],
    own: { data: DATA },
    examples: [
      ['parley mount list', ''],
      ['parley mount list --data ./talks', 'of another data folder'],
    ],
  },
  'mount pause': aboutOne('end a server and take its tools away until it is resumed', [
    ['parley mount pause files', ''],
    ['parley mount pause files --data ./talks', ''],
  ]),
  'mount resume': aboutOne('start a server again that was paused', [
    ['parley mount resume files', ''],
    ['parley mount resume files --data ./talks', ''],
  ]),
  'mount remove': aboutOne('end a server and forget it', [
    ['parley mount remove files', ''],
    ['parley mount remove files --data ./talks', ''],
  ]),
  'mount login': aboutOne('sign in to a server at an address, in the browser; its tokens stay in the data folder', [
    ['parley mount login tracker', ''],
    ['parley mount login tracker --data ./talks', ''],
  ]),
  'mount logout': aboutOne('forget how you signed in to a server', [
    ['parley mount logout tracker', ''],
    ['parley mount logout tracker --data ./talks', ''],
  ]),
  'mount logs': aboutOne('print the last lines that a server wrote, and what became of it', [
    ['parley mount logs files', ''],
    ['parley mount logs files --data ./talks', ''],
  ]),
} as const satisfies Record<string, CommandText>
