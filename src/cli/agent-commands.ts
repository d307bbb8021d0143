import { DELIVERY_TIMINGS } from '../protocol/entries/run-settings.ts'
import { LINE_SETTINGS } from '../protocol/settings.ts'
import { type CommandText, DATA, PARLEY_TOKENS } from './command-text.ts'
import { CLIENT_NAMES } from './connect/client-names.ts'

export const AGENT_COMMANDS = {
  connect: {
    group: 'Connect agents',
    about: 'register Parley with the agents that are installed here, or with those that are named',
    words: '[CLIENT...]',
    known: CLIENT_NAMES,
    settings: ['data', 'port', 'surface'],
    own: {
      data: DATA,
      project: { about: 'in the configuration of this folder, not in your own' },
      http: { about: 'by its address, without a process for each agent' },
      allow: { about: 'let its tools be used without a question on every call' },
      instructions: { about: 'tell the agent, in its standing instructions, to ask here' },
      print: { about: 'show what would change, and change nothing' },
      check: { about: 'start what each agent would start, and tell whether it works' },
      remove: { about: 'take it out again, and leave every file as it was' },
    },
    examples: [
      ['parley connect codex gemini --allow', 'these two, without a question on every call'],
      ['parley connect --remove', 'as it was before'],
    ],
  },
  doctor: {
    group: 'Connect agents',
    about: 'name what is wrong on this machine, and how to mend it',
    settings: ['data', 'port'],
    own: { data: DATA },
    examples: [
      ['parley doctor', ''],
      ['parley doctor --data ./talks', 'of another data folder'],
    ],
  },
  stdio: {
    group: 'Connect agents',
    about: 'run as the MCP server of the agent that starts this process',
    settings: LINE_SETTINGS,
    variables: {
      PARLEY_SESSION:
        'its conversation; otherwise its run’s or a new one (surfaces human, orchestrator, chat: the common one)',
      PARLEY_TOKENS,
      PARLEY_TOKEN: 'the token that it shows to a hub that asks for one',
    },
    examples: [
      ['claude mcp add parley -- parley stdio', 'Claude Code starts it by itself'],
      ['PARLEY_SESSION=website codex', 'agents that share a name share a conversation'],
    ],
  },
  agents: {
    group: 'Connect agents',
    about: 'list the agents that can be started from the page, which of them are installed here, and how to sign in',
    settings: [],
    own: { json: { about: 'as JSON' } },
    examples: [
      ['parley agents', ''],
      ['parley agents --json', 'for programs'],
    ],
  },
  run: {
    group: 'Connect agents',
    about: 'let people start conversations with an agent, or with all that are installed, and drive it from the page',
    settings: LINE_SETTINGS.filter((name) => name !== 'surface' && name !== 'max-wait'),
    own: {
      data: DATA,
      acp: { value: 'COMMAND', about: 'an agent that speaks the Agent Client Protocol' },
      model: { value: 'PROVIDER:NAME', about: 'a model: anthropic, openai, ollama or vllm, and its name' },
      command: { value: 'COMMAND', about: 'a program that reads what was said on stdin and writes its answer' },
      cwd: { value: 'FOLDER', about: 'where the agent works (here)' },
      name: { value: 'NAME', about: 'what people see in the list of runners (the agent and the folder)' },
      conversation: { value: 'NAME', about: 'drive this conversation and no other' },
      default: { about: 'answer where nobody else does, also when there are other runners' },
      'no-gateway': { about: 'with --acp or --model: leave out the tools of mounted servers' },
      'max-sessions': { value: 'N', about: 'agents at the same time (5); the longest idle one sleeps, or others wait' },
      idle: {
        value: 'MINUTES',
        about: 'how long an agent has nothing to do before it sleeps until it is spoken to (15)',
      },
      delivery: {
        value: 'WHEN',
        words: ['delivery', DELIVERY_TIMINGS],
        about:
          'what is said during a turn waits for the next one, or steers it where the agent can: next, steer (next)',
      },
      'strict-chat': { about: 'with --model: only what it posts is said, its plain text counts as thinking' },
      instructions: { value: 'FILE', about: 'with --model: more instructions for it' },
      mcp: {
        value: 'NAME=SERVER',
        many: true,
        about: 'with --model: tools of this command or URL; may be given several times',
      },
      'base-url': { value: 'URL', about: 'with --model: where its API is' },
      state: { value: 'FILE', about: 'the file for what must survive a crash (one in the data folder)' },
    },
    variables: { PARLEY_TOKENS, PARLEY_TOKEN: 'the token that it shows to a hub that asks for one' },
    examples: [
      ['parley run', 'all agents that are installed, in this folder'],
      ['parley run --acp "gemini --acp"', 'then start a conversation with it in the page'],
    ],
  },
} as const satisfies Record<string, CommandText>
