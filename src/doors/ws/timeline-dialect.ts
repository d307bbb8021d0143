import type { Marks } from '../../chat/people/stored-preferences.ts'
import type { Range } from '../../chat/reading/reading.ts'
import { BEFORE_ALL, type Entry } from '../../protocol/entries/entry.ts'
import type { ConversationState } from '../../protocol/entries/fold.ts'
import { ParleyError } from '../../protocol/errors.ts'
import type { SavedReply } from '../../protocol/frames/preferences.ts'
import type { AgentSeen, TimelineFrame } from '../../protocol/frames/timeline.ts'
import { PAGE_LIMIT, TimelineCommand } from '../../protocol/frames/timeline-command.ts'
import { parseFrame } from '../../protocol/parse.ts'
import { seesPolicy } from '../../protocol/principal.ts'
import { jsonIn } from '../../protocol/text/json.ts'
import { Name } from '../../protocol/text/text.ts'
import type { PolicyNews } from '../../protocol/tools/policy.ts'
import { unreachable } from '../../protocol/unreachable.ts'
import { brief } from './brief.ts'
import type { Connection, Speaker } from './dialect.ts'
import { tellDriving } from './driving-news.ts'
import { asksPeople } from './frames.ts'
import { launchingCommands } from './launching-commands.ts'
import { oneByOne } from './one-by-one.ts'
import { agentFrame, agentIn, entriesFrame, policyFrame, seenIn } from './timeline-frames.ts'

// A page that missed more than this starts anew: cheaper for both sides than the replay.
const RESUME_LIMIT = 500
const CONVERSATIONS_SHOWN = 50
const WAITING_SHOWN = 100
const FIRST_PAGE = 60
const MOST_READS = 100
const HITS = 30
/** Conversations that are called as was searched for; whoever wants another one types more of it. */
const TITLES = 8

type Command<Type extends TimelineCommand['type']> = Extract<TimelineCommand, { type: Type }>

/** The dialect of our own page: resumes from a cursor, reads pages, and every command has a key. */
export function speakTimeline(connection: Connection): Speaker {
  const { view, composer, policy, readiness, send, sendSoon, behind, fail } = connection
  let greetings = 0
  let following: { close(): void } | undefined
  let closed = false
  // Each answer may be large: the next one is read when the client has taken this one. [S65]
  const inTurn = oneByOne(MOST_READS)
  const preferences = view.preferences()
  const telling = preferences.follow({
    marks: (marks) => say({ type: 'marks', marks }),
    replies: (replies) => say({ type: 'replies', replies }),
  })
  let policyNews: { close(): void } | undefined
  const trouble = readiness?.onChange(tellTrouble)
  const driving = tellDriving({ view, send, behind, say })
  const launching = launchingCommands({ view, launching: connection.launching, fail, inTurn, say })
  return { receive, refuse, close }

  async function receive(text: string) {
    const command = parseFrame(TimelineCommand, text)
    if (command.type !== 'hello' && greetings === 0) throw new ParleyError('hello_first')
    switch (command.type) {
      case 'hello':
        return greetInTurn(command)
      case 'read':
        return inTurn(() => read(command))
      case 'list':
        return inTurn(() => list(command))
      case 'post': {
        const { key, conversation, text, attachments, answers } = command
        return accept(key, view.say(conversation, { text, attachments, answers }, key))
      }
      case 'revise': {
        const { key, conversation, message, text } = command
        return accept(key, view.revise(conversation, message, text, key))
      }
      case 'answer': {
        const { key, question, text, attachments } = command
        return accept(key, view.answer(question, text, key, attachments))
      }
      case 'choose': {
        const { key, question, choices, text, attachments } = command
        return accept(key, view.choose(question, choices, key, text, attachments))
      }
      case 'answer_all':
        return accept(command.key, view.answerAll(command.answers, command.key))
      case 'allow': {
        const { key, question, input, always, scope } = command
        if (scope) return accept(key, view.allowByRule(question, input, scope, key))
        return accept(key, (always ? view.allowAlways : view.allow)(question, input, key))
      }
      case 'revoke':
        return accept(command.key, view.revoke(command.conversation, command.tool_name, command.key, command.since))
      case 'deny':
        return accept(command.key, view.deny(command.question, command.reason, command.key))
      case 'take_option':
        return accept(command.key, view.takeOption(command.question, command.option, command.key))
      case 'start':
        return start(command)
      case 'catalogue':
      case 'browse':
      case 'find_files':
      case 'show_file':
      case 'sessions':
      case 'allow_adapter':
      case 'processes':
      case 'stop_processes':
        return launching.receive(command)
      case 'wish': {
        const { type: _, key, conversation, ...wanted } = command
        return accept(key, view.changeRunSettings(conversation, launching.mayWish(wanted), key))
      }
      case 'interrupt':
        return accept(command.key, view.interrupt(command.conversation, command.text, command.key))
      case 'rename':
        return accept(command.key, view.rename(command.conversation, command.title, command.key))
      case 'forget':
        return forget(command)
      case 'search':
        return inTurn(() => search(command))
      case 'marks':
        return sayMarks(command.key, preferences.marks(command.conversations))
      case 'mark':
        return sayMarks(command.key, preferences.change(command.changes))
      case 'save_reply': {
        const { key, name, text, instead_of } = command
        return sayReplies(key, preferences.keepReply({ name, text }, instead_of))
      }
      case 'drop_reply':
        return sayReplies(command.key, preferences.dropReply(command.name))
      default:
        return unreachable(command)
    }
  }

  /** The hello counts at once, so that what comes right behind it is let in. */
  function greetInTurn(command: Command<'hello'>) {
    const turn = ++greetings
    return inTurn(() => greet(command, turn))
  }

  async function greet({ cursor, conversation }: Command<'hello'>, turn: number) {
    following?.close()
    driving.close()
    policyNews?.close()
    const last = await view.last()
    const resumed = cursor !== undefined && (await view.canResume(cursor, RESUME_LIMIT))
    const { conversations, has_more } = await listed()
    const waiting = has_more ? brief(await beyond(conversations, await preferences.atHand())) : undefined
    const agents = statesOfAgents()
    const search = view.canSearch()
    const shown = view.only ?? conversation ?? conversations[0]?.id
    const page = !resumed && shown !== undefined ? pageOf(shown, { limit: FIRST_PAGE }) : undefined
    // It is read meanwhile, and whoever awaits it is told why it cannot be.
    page?.catch(() => {})
    // Preferences are read last, so that no change of them is told before.
    const kept = await preferences.show([...conversations, ...(waiting ?? [])].map(({ id }) => id))
    const offers = { search, composer, desk: kept, ...driving.welcome(), ...launching.welcome() }
    await say({ type: 'welcome', cursor: last, resumed, conversations, has_more, waiting, agents, ...offers })
    if (page) await showPage(await page)
    // Only the newest hello follows; two would be told everything twice.
    if (closed || turn !== greetings) return
    const after = resumed ? cursor : last
    following = view.follow(
      { after },
      { entries: deliver, agent: tellAgent, driven: driving.driven, grown: driving.grown, forgotten, failed: fail },
    )
    tellMissed(agents)
    driving.begin(shown)
    // A page that comes again may still show what is over.
    if (cursor !== undefined || readiness?.refusal()) tellTrouble()
    if (policy && seesPolicy(view.principal)) {
      tellPolicy(policy.news())
      policyNews = policy.follow(tellPolicy)
    }
  }

  function tellTrouble() {
    if (readiness && greetings > 0) say({ type: 'trouble', reason: readiness.refusal()?.message })
  }

  function tellPolicy(news: PolicyNews) {
    void send(policyFrame(news))
  }

  function statesOfAgents(): Record<string, AgentSeen> {
    return Object.fromEntries(view.agents().map((id) => [id, seenIn(view.agentStatus(id))]))
  }

  /** Tells the activity of agents between the welcome and the first news. */
  function tellMissed(told: Record<string, AgentSeen>) {
    for (const conversation of Object.keys({ ...told, ...statesOfAgents() })) {
      const status = view.agentStatus(conversation)
      if (status.state !== (told[conversation]?.state ?? 'gone')) say(agentIn(conversation, status))
    }
  }

  async function beyond(listed: ConversationState[], atHand: string[]): Promise<ConversationState[]> {
    const known = new Set(listed.map(({ id }) => id))
    const isOther = (id: string) => !known.has(id)
    const current = (await view.current()).filter(isOther).slice(0, WAITING_SHOWN)
    const others = new Set([...current, ...atHand.filter(isOther)])
    const found = await Promise.all([...others].map((id) => view.conversation(id)))
    for (const { id, last } of found) if (last === BEFORE_ALL) await preferences.letGo(id)
    return found.filter(({ id, last, open }) => open.length > 0 || (atHand.includes(id) && last !== BEFORE_ALL))
  }

  async function sayMarks(key: string, done: Promise<Marks>) {
    say({ type: 'marks', key, marks: await done })
  }

  async function sayReplies(key: string, done: Promise<SavedReply[]>) {
    say({ type: 'replies', key, replies: await done })
  }

  function deliver(entries: Entry[]) {
    const tell = asksPeople(entries) ? send : sendSoon
    return tell(entriesFrame(entries))
  }

  /** What changed it is an entry more often than not, which comes right behind. */
  function tellAgent(conversation: string, status: AgentSeen) {
    void sendSoon(agentFrame(conversation, status))
  }

  async function showPage(page: Awaited<ReturnType<typeof pageOf>>) {
    if (page.entries.length > 0) await say({ type: 'page', ...page })
  }

  async function pageOf(id: string, range: Range) {
    const [page, state] = await Promise.all([view.page(id, range), view.conversation(id)])
    const [conversation = state] = brief([state])
    return { conversation, ...page }
  }

  async function read({ type: _, key, conversation: id, limit = PAGE_LIMIT, ...place }: Command<'read'>) {
    const page = await pageOf(id, { ...place, limit })
    await say({ type: 'page', key, ...page })
    if (!page.has_newer) driving.textsIn(id)
  }

  async function start({ type: _, key, text = '', attachments, ...wanted }: Command<'start'>) {
    const said = { text, attachments }
    const { conversation, id } = await launching.begin({ ...wanted, key }, said)
    say({ type: 'started', key, conversation, id })
  }

  async function list({ key, before }: Command<'list'>) {
    const page = await listed(before)
    const marks = await preferences.marks(page.conversations.map(({ id }) => id))
    await say({ type: 'listed', key, ...page, marks })
  }

  async function forget({ key, conversation, up_to }: Command<'forget'>) {
    await view.forget(conversation, up_to)
    say({ type: 'forgotten', key, conversation })
  }

  function forgotten(conversation: string) {
    preferences.letGo(conversation).catch(fail)
    say({ type: 'forgotten', conversation })
  }

  async function search({ type: _, key, titles, ...wanted }: Command<'search'>) {
    const { indexing, ...found } = await view.search({ ...wanted, limit: HITS })
    const more = titles && { ...(await view.titled(wanted.query, TITLES)), agents: await view.agentNames() }
    const told = { ...found, has_more: found.next !== undefined, indexing: indexing || undefined }
    await say({ type: 'found', key, ...told, ...more })
  }

  async function listed(before?: string) {
    const conversations = await view.conversations({ before, limit: CONVERSATIONS_SHOWN + 1 })
    return {
      conversations: brief(conversations.slice(0, CONVERSATIONS_SHOWN)),
      has_more: conversations.length > CONVERSATIONS_SHOWN,
    }
  }

  async function accept(key: string, done: Promise<Entry>) {
    const { id } = await done
    say({ type: 'accepted', key, id })
  }

  function refuse({ code, message }: ParleyError, text: string) {
    say({ type: 'refused', key: keyIn(text), code, error: message })
  }

  function say(frame: TimelineFrame): void | Promise<void> {
    return send(JSON.stringify(frame))
  }

  function close() {
    closed = true
    for (const part of [following, driving, launching, policyNews, trouble, telling]) part?.close()
  }
}

/** Tells the client which of its commands is meant, even when the command itself is malformed. */
function keyIn(text: string): string | undefined {
  const frame = jsonIn(text) as { key?: unknown } | null | undefined
  return Name.safeParse(frame?.key).data
}
